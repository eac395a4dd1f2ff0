//! Allergies that are coded as over, in a line of the banner: an anaphylaxis that an import has set to inactive is
//! still one that a reader wants to see.

import type { AllergyIntolerance } from '#reading/fhir/types.ts';
import { allergyName } from '#reading/problems/allergy.ts';
import { t, words } from '../language/message.ts';
import type { ChartStore } from './store.ts';
import { wordsFor } from './summary-document/documents.ts';

/** The most allergies that are named. */
const MAX = 8;

/** Returns whether an allergy may be one to a drug: its category says so, or it has none. */
const mayBeDrug = ({ category }: AllergyIntolerance): boolean =>
  !category?.length || category.some((one) => one === 'medication' || one === 'biologic');

const names = (all: readonly AllergyIntolerance[]): string => {
  const first = [...new Set(all.map((a) => allergyName(words(), a)))].slice(0, MAX);
  const more = all.length - first.length;
  return more > 0 ? `${first.join(', ')} ${t('and {n} more', { n: more })}` : words().listed(first);
};

/** Names the allergies that are coded as over: all of them, or those beside active ones that may be to drugs. */
export function pastAllergies(past: readonly AllergyIntolerance[], isBeside: boolean): string {
  const told = isBeside ? past.filter(mayBeDrug) : past;
  return told.length > 0 ? t('coded as resolved or inactive: {names}', { names: names(told) }) : '';
}

/** Says that a document has words on allergies beside coded ones. */
export const alsoInDocuments = (store: ChartStore): string =>
  wordsFor('allergies', store).length > 0 ? t('the summary has words on allergies, below: compare') : '';
