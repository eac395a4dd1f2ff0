//! The allergies of a chart that are recorded as problems, alerts or observations, without an entry of their own.

import { allergyDenial, allergyElsewhere, isAllergyElsewhere } from '#reading/documents/allergies-elsewhere.ts';
import type { Resource } from '#reading/fhir/types.ts';
import { kept } from '#reading/kept.ts';
import { t, words } from '../../language/message.ts';
import { FLAGS } from '../care/flags.ts';
import { PROBLEMS } from '../care/problems.ts';
import { OTHER_OBSERVATIONS, SCREENING } from '../loading/observation-searches.ts';
import { type ChartStore, matchesIn } from '../loading/store.ts';

/** The searches of other sections in whose answers such allergies are. */
export const BORROWED = [PROBLEMS, FLAGS, SCREENING, OTHER_OBSERVATIONS];

/** The words before the names of allergies, by the type of the records that state them. */
const SAYING = {
  Condition: 'the problem list names: {names}',
  Flag: 'alerts name: {names}',
  Observation: 'observations name: {names}',
} as const;

const MAX = 8;

/** The allergies among the records of an answer, which are looked for once. */
export const allergiesAmong = kept((records: readonly Resource[]): Resource[] => records.filter(isAllergyElsewhere));

/** Names the allergies that other records state; empty where there are none, or their searches are under way. */
export function allergiesElsewhere(store: ChartStore): string {
  const found = BORROWED.flatMap((query) => allergiesAmong(matchesIn(store.answers.get(query))));
  return Object.entries(SAYING)
    .flatMap(([type, says]) => {
      const of = found.filter(({ resourceType }) => resourceType === type);
      const names = [...new Set(of.flatMap((one) => allergyElsewhere(words(), one) ?? []))].slice(0, MAX);
      return names.length > 0 ? t(says, { names: words().listed(names) }) : [];
    })
    .join('; ');
}

/** Returns the words of the problem list that no allergy is known; empty where it has none. */
export function allergyDenials(store: ChartStore): string {
  const said = store.found(PROBLEMS).flatMap((one) => allergyDenial(words(), one) ?? []);
  return said.length > 0 ? t('the problem list says: {names}', { names: words().listed([...new Set(said)]) }) : '';
}
