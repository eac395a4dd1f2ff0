//! The tests among the loaded observations of a chart, and the links to their trends.

import { html, type TemplateResult } from 'lit-html';
import type { Observation } from '#reading/fhir/types.ts';
import { keptWhile } from '#reading/kept.ts';
import {
  groupsOf,
  keyOf,
  nameKeyOfGroup,
  observationsIn,
  type TestGroup,
} from '#reading/results/panels/test-groups.ts';
import { words } from '../../language/language.ts';
import { chartUrl } from '../../routes.ts';
import { OBSERVATIONS } from '../loading/observation-searches.ts';
import type { ChartStore } from '../loading/store.ts';

export const trendLink = (store: ChartStore, key: string, text: unknown): TemplateResult =>
  html`<a href=${chartUrl(store.source.name, store.patient, 'trend', key)}>${text}</a>`;

/** Returns the observations among the records of an answer. The same answer gives the same list. */
export function observationsOf(store: ChartStore, query: string): Observation[] {
  const state = store.load(query);
  return state.is === 'loaded' ? observationsIn(state.found.matches) : [];
}

const listsOf = (store: ChartStore): Observation[][] => OBSERVATIONS.map((query) => observationsOf(store, query));

/** Returns all loaded observations of all sections, each once. The same answers give the same list. */
export const loadedObservations = keptWhile(listsOf, (store) => listsOf(store).flat());

/** Returns the tests of all loaded observations, which are grouped once for all views. */
export const loadedTests = (store: ChartStore): TestGroup[] => groupsOf(words(), loadedObservations(store));

/** Returns the results of one test; `waiting` while some observations load, so that they are grouped only once. */
export function findTest(store: ChartStore, key: string): TestGroup | 'waiting' | undefined {
  const isWaiting = OBSERVATIONS.map((query) => store.load(query).is).includes('waiting');
  if (isWaiting) return 'waiting';
  const groups = loadedTests(store);
  return (
    groups.find((one) => one.key === key) ??
    groups.find(({ list }) => list.some((o) => keyOf(o) === key)) ??
    groups.find((one) => nameKeyOfGroup(one) === key)
  );
}
