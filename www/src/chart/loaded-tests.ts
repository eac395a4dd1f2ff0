//! The tests of the observations of a chart that were loaded, and the links to their trends.

import { html, type TemplateResult } from 'lit-html';
import type { Observation } from '#reading/fhir/types.ts';
import { keptWhile } from '#reading/kept.ts';
import { groupsOf, keyOf, nameKeyOfGroup, observationsIn, type TestGroup } from '#reading/results/test-groups.ts';
import { words } from '../language/language.ts';
import { chartUrl } from '../routes.ts';
import { OBSERVATIONS } from './observation-searches.ts';
import type { SectionContext } from './section.ts';
import type { ChartStore } from './store.ts';

/** A link to the trend of a test. */
export const trendLink = ({ store }: SectionContext, key: string, text: unknown): TemplateResult =>
  html`<a href=${chartUrl(store.source.name, store.patient, 'trend', key)}>${text}</a>`;

/** The observations among the records of an answer, the same list each time. */
export function observationsOf(store: ChartStore, query: string): Observation[] {
  const state = store.load(query);
  return state.is === 'loaded' ? observationsIn(state.found.matches) : [];
}

const listsOf = (store: ChartStore): Observation[][] => OBSERVATIONS.map((query) => observationsOf(store, query));

/** All observations of a chart that were loaded, of every section, each once; the same list for the same answers. */
export const loadedObservations = keptWhile(listsOf, (store) => listsOf(store).flat());

/**
 * The results of one test, of whatever section; `waiting` where some of the observations are still to come, so that
 * they are grouped once.
 */
export function findTest(store: ChartStore, key: string): TestGroup | 'waiting' | undefined {
  const isWaiting = OBSERVATIONS.map((query) => store.load(query).is).includes('waiting');
  if (isWaiting) return 'waiting';
  const groups = groupsOf(words(), loadedObservations(store));
  return (
    groups.find((one) => one.key === key) ??
    groups.find(({ list }) => list.some((o) => keyOf(o) === key)) ??
    groups.find((one) => nameKeyOfGroup(one) === key)
  );
}
