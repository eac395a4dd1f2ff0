//! Allergies that are coded as resolved or inactive, in a line of the banner. A clinician still wants to see an
//! anaphylaxis that an import has set to inactive.

import type { AllergyIntolerance } from '#reading/fhir/types.ts';
import { allergyName } from '#reading/problems/allergy.ts';
import { t, words } from '../../language/message.ts';
import type { ChartStore } from '../loading/store.ts';
import { wordsFor } from '../summary-document/documents.ts';

/** The most allergies that are named. */
const MAX = 8;

/** Returns whether an allergy may be to a drug: its category says so, or it has no category. */
const mayBeDrug = ({ category }: AllergyIntolerance): boolean =>
  !category?.length || category.some((one) => one === 'medication' || one === 'biologic');

const names = (all: readonly AllergyIntolerance[]): string => {
  const different = [...new Set(all.map((a) => allergyName(words(), a)))];
  const first = different.slice(0, MAX);
  const more = different.length - first.length;
  return more > 0 ? `${first.join(', ')} ${t('and {n} more', { n: more })}` : words().listed(first);
};

/** Names the allergies that are coded as over. Beside active allergies, names only those that may be to drugs. */
export function pastAllergies(past: readonly AllergyIntolerance[], isBeside: boolean): string {
  const told = isBeside ? past.filter(mayBeDrug) : past;
  return told.length > 0 ? t('coded as resolved or inactive: {names}', { names: names(told) }) : '';
}

/** Says that a document has text about allergies beside coded entries. */
export const alsoInDocuments = (store: ChartStore): string =>
  wordsFor('allergies', store).length > 0 ? t('the summary has words on allergies, below: compare') : '';
