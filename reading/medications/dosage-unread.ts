//! The parts of a dosage that are not understood, in words, so that none of them is dropped silently.

import { ABSENT } from '../fhir/absent-words.ts';
import { elementLabel } from '../fhir/element-labels.ts';
import type { UnreadPart } from '../fhir/loose.ts';
import { plain } from '../fhir/text.ts';
import { unitName } from '../fhir/time-units.ts';
import type { PlainMessage, Words } from '../language/words.ts';
import { own } from '../own.ts';

/** The labels of parts of a dosage, by the beginnings of their names. The first match applies. */
const LABELS: readonly [name: RegExp, label: PlainMessage][] = [
  [/^countMax$/, 'most times in all#of a dosage'],
  [/^count$/, 'number of times#of a dosage'],
  [/^(?:period|duration)Units?$/, 'unit of time#of a dosage'],
  [/^(?:frequency|period|repeat|timing|when|dayOfWeek|timeOfDay)/, 'how often#of a dosage'],
  [/^offset$/, 'minutes from the time#of a dosage'],
  [/^bounds/, 'time in all#of a dosage'],
  [/^duration/, 'how long#of a dosage'],
  [/^dose|^quantity/, 'dose#of a dosage'],
  [/^rate/, 'speed#of a dosage'],
  [/^maxDose/, 'the most#of a dosage'],
  [/^asNeeded/, 'as needed'],
  [/^patientInstruction$/, 'for the patient#of a dosage'],
  [/^additionalInstruction$/, 'instructions#of a dosage'],
  [/^text$/, 'text#of a dosage'],
];

function labelOf(words: Words, name: string): string {
  const label = LABELS.find(([pattern]) => pattern.test(name))?.[1];
  if (label) return words.t(label);
  const text = elementLabel(words, '', name);
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function wordsOf(words: Words, { name, value }: UnreadPart): string {
  if (name === undefined) return `“${value}”`;
  const said = /Units?$/.test(name) ? (unitName(words, value) ?? value) : value;
  return said === '' ? labelOf(words, name) : `${labelOf(words, name)}: ${said}`;
}

export const unreadWords = (words: Words, left: readonly UnreadPart[]): string =>
  words.listed(left.map((one) => wordsOf(words, one)));

/** Returns the reason for a missing value of a part, in words: `dose: held back`. */
export function absentWords(words: Words, { name = '', absent = 'unknown' }: UnreadPart): string {
  const known = absent === 'unknown' ? 'not known#a value' : own(ABSENT, absent);
  return `${labelOf(words, name)}: ${known ? words.t(known) : plain(words, absent)}`;
}
