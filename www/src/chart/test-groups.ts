//! Observations grouped by the test that they are results of.

import { html, type TemplateResult } from 'lit-html';
import { newest } from '../fhir/date.ts';
import { hasValue, when } from '../fhir/reading.ts';
import { type Series, seriesOf } from '../fhir/series.ts';
import { concept, isEnteredInError, testCode } from '../fhir/text.ts';
import { type Observation, ofType } from '../fhir/types.ts';
import { t } from '../language/message.ts';
import { chartUrl } from '../routes.ts';
import { OBSERVATIONS } from './observation-searches.ts';
import { bySystolic, isPressure, latestPressures, PRESSURE } from './pressure.ts';
import type { SectionContext } from './section.ts';
import type { ChartStore } from './store.ts';

export { LABS, VITALS } from './observation-searches.ts';

/** The key of the test that an observation is a result of. */
export const keyOf = (o: Observation): string => testCode(o.code) ?? o.code?.text ?? o.id;

export interface TestGroup {
  key: string;
  name: string;
  /** Newest first. */
  list: Observation[];
  /** The latest that was not entered in error or cancelled, if there is one. */
  latest: Observation;
  /** The latest as it is read: a blood pressure whose numbers were recorded each by itself may be two. */
  readings: Observation[];
  series: Series[];
}

const byValue = (a: Observation, b: Observation): number => Number(hasValue(b)) - Number(hasValue(a));

/** Groups observations by their test. Blood pressures are one test, however they were recorded. */
export function groupsOf(observations: readonly Observation[]): TestGroup[] {
  const groups = Map.groupBy(observations, (o) => (isPressure(o) ? PRESSURE : keyOf(o)));
  return [...groups].flatMap(([key, all]) => {
    // Of one time those with a value come first, and of pressures the systolic one, as it is read.
    const list = newest(all.toSorted(key === PRESSURE ? bySystolic : byValue), when);
    const valid = list.filter((o) => !isEnteredInError(o));
    const done = valid.filter(({ status }) => status !== 'cancelled');
    const latest = done[0] ?? valid[0] ?? list[0];
    if (!latest) return [];
    const isMixed = new Set(list.map(keyOf)).size > 1;
    const name =
      key === PRESSURE && isMixed ? t('Blood pressure#both numbers') : (concept(list[0]?.code) ?? t('Unnamed'));
    const readings = key === PRESSURE && done.length > 0 ? latestPressures(done) : [latest];
    return [{ key, name, list, latest, readings, series: seriesOf(valid) }];
  });
}

/** A link to the trend of a test. */
export const trendLink = ({ store }: SectionContext, key: string, text: unknown): TemplateResult =>
  html`<a href=${chartUrl(store.source.name, store.patient, 'trend', key)}>${text}</a>`;

/** All observations of a chart that were loaded, of every section, each once. */
export const loadedObservations = (store: ChartStore): Observation[] =>
  OBSERVATIONS.flatMap((query) => {
    const state = store.load(query);
    return state.is === 'loaded' ? ofType('Observation', state.found.matches) : [];
  });

/** The results of one test, of whatever section; `waiting` where one of them is still to come. */
export function findTest(store: ChartStore, key: string): TestGroup | 'waiting' | undefined {
  const groups = groupsOf(loadedObservations(store));
  const found = groups.find((one) => one.key === key) ?? groups.find(({ list }) => list.some((o) => keyOf(o) === key));
  if (found) return found;
  return OBSERVATIONS.some((query) => store.load(query).is === 'waiting') ? 'waiting' : undefined;
}
