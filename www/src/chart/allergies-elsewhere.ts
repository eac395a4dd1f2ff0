//! The allergies of a chart that are recorded as problems or observations, without an entry of their own.

import { allergyElsewhere, isAllergyElsewhere } from '#reading/documents/allergies-elsewhere.ts';
import type { Resource } from '#reading/fhir/types.ts';
import { kept } from '#reading/kept.ts';
import { t, words } from '../language/message.ts';
import { OTHER_OBSERVATIONS, SCREENING } from './observation-searches.ts';
import { PROBLEMS } from './problems.ts';
import type { ChartStore } from './store.ts';

/** The searches of other sections in whose answers such allergies are. */
export const BORROWED = [PROBLEMS, SCREENING, OTHER_OBSERVATIONS];

/** The most that are named. */
const MAX = 8;

/** The allergies among the records of an answer, which are looked for once. */
export const allergiesAmong = kept((records: readonly Resource[]): Resource[] => records.filter(isAllergyElsewhere));

/** Names the allergies that other records state; empty where there are none, or their searches are under way. */
export function allergiesElsewhere(store: ChartStore): string {
  const found = BORROWED.flatMap((query) => {
    const state = store.answers.get(query);
    return state?.is === 'loaded' ? allergiesAmong(state.found.matches) : [];
  });
  const problems = found.filter(({ resourceType }) => resourceType === 'Condition');
  const named = (of: Resource[]): string =>
    words().listed([...new Set(of.flatMap((one) => allergyElsewhere(words(), one) ?? []))].slice(0, MAX));
  const others = found.filter((one) => !problems.includes(one));
  return [
    problems.length > 0 ? t('the problem list names: {names}', { names: named(problems) }) : '',
    others.length > 0 ? t('observations name: {names}', { names: named(others) }) : '',
  ]
    .filter(Boolean)
    .join('; ');
}
