//! The reasons why sections of documents have no entries, in words
//! (<http://terminology.hl7.org/CodeSystem/list-empty-reason>, and of IPS).

import { codeOf, concept } from '../fhir/text.ts';
import type { Concept } from '../fhir/types.ts';
import type { PlainMessage, Words } from '../language/words.ts';
import { own } from '../own.ts';

const REASONS: Readonly<Record<string, PlainMessage>> = {
  nilknown: 'nil known',
  notasked: 'not asked#why a section is empty',
  withheld: 'withheld#why a section is empty',
  unavailable: 'unavailable#why a section is empty',
  notstarted: 'not started#why a section is empty',
  closed: 'closed, no entries are added#why a section is empty',
  'no-known-allergies': 'no known allergies',
  'no-known-medications': 'no known medications',
  'no-known-problems': 'no known problems',
  'no-known-procedures': 'no known procedures',
  'no-known-immunizations': 'no known immunizations',
  'no-known-devices': 'no known devices',
};

/** Returns in words the reason why a section, or a list, has no entries. */
export function reasonText(words: Words, emptyReason: Concept | undefined): string | undefined {
  if (emptyReason === undefined) return undefined;
  const known = own(REASONS, codeOf(emptyReason) ?? '');
  return known ? words.t(known) : concept(words, emptyReason);
}
