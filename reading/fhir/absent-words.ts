//! The reasons for absent values in words (<https://hl7.org/fhir/R4/extension-data-absent-reason.html>).

import type { PlainMessage, Words } from '../language/words.ts';
import { own } from '../own.ts';
import { codesOf } from './concept-codes.ts';
import { absentReason } from './loose.ts';
import { concept, plain } from './text.ts';
import type { Concept } from './types.ts';

/** Words for the codes of data-absent-reason whose displays are not plain. */
export const ABSENT: Readonly<Record<string, PlainMessage>> = {
  'asked-unknown': 'asked but unknown',
  'temp-unknown': 'not known yet',
  'not-asked': 'not asked',
  'asked-declined': 'asked but declined',
  masked: 'held back',
  'as-text': 'in the text alone',
  error: 'the measurement failed',
  'not-a-number': 'not a number',
  'negative-infinity': 'too low to be a number',
  'positive-infinity': 'too high to be a number',
};

/** Returns the words for the reason of an absent value. */
export function absentWords(words: Words, why: Concept): string {
  const known = codesOf(why.text ? undefined : why).flatMap((code) => own(ABSENT, code) ?? [])[0];
  return known ? words.t(known) : plain(words, (concept(words, why) ?? '').toLowerCase());
}

/** Returns the codes of the reasons for what is absent in an element, in any of its parts. */
function absencesIn(element: unknown): string[] {
  const code = absentReason(element);
  if (code !== undefined) return [code];
  return element !== null && typeof element === 'object' ? Object.values(element).flatMap(absencesIn) : [];
}

/** Returns the words for a name that is missing, with the reason if the element of the name has it. */
export function unnamed(words: Words, says: string, element: unknown): string {
  const [code] = absencesIn(element);
  return code === undefined ? says : `${says}: ${absentWords(words, { coding: [{ code }] })}`;
}
