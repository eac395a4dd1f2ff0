//! The end of a stay: the place of discharge, or the statement that the patient died or left against advice.

import { valuesAt } from '../fhir/element-text.ts';
import { concept, reference } from '../fhir/text.ts';
import { conceptShape, type Resource, referenceShape } from '../fhir/types.ts';
import type { PlainMessage, Words } from '../language/words.ts';
import { own } from '../own.ts';
import { isShaped } from '../shape.ts';

/** The codes of R4 (<https://hl7.org/fhir/R4/valueset-encounter-discharge-disposition.html>). */
const DISPOSITIONS: Readonly<Record<string, PlainMessage>> = {
  home: 'home#discharge',
  'alt-home': 'another home',
  'other-hcf': 'another healthcare facility',
  hosp: 'hospice',
  long: 'long-term care',
  aadvice: 'left against advice',
  exp: 'died#discharge',
  psy: 'psychiatric hospital',
  rehab: 'rehabilitation',
  snf: 'skilled nursing facility',
};

/** The codes of HL7 v2, table 0112. */
const OLDER: Readonly<Record<string, PlainMessage>> = {
  '01': 'home#discharge',
  '02': 'another hospital',
  '03': 'skilled nursing facility',
  '07': 'left against advice',
  '20': 'died#discharge',
  '40': 'died#discharge',
  '41': 'died#discharge',
  '42': 'died#discharge',
};

/** Returns a disposition in words: those of the record, or those of its code. */
function dispositionText(words: Words, value: unknown): string | undefined {
  if (!isShaped(conceptShape, value)) return undefined;
  const known = (value.coding ?? [])
    .map(({ system = '', code = '' }) => own(/0112$/.test(system) ? OLDER : DISPOSITIONS, code.toLowerCase()))
    .find((one) => one !== undefined);
  return value.text || (known && words.t(known)) || concept(words, value);
}

/** Returns how a stay ended, with the place to which the patient went; `undefined` if it is not recorded. */
export function dischargeText(words: Words, visit: Resource): string | undefined {
  const [disposition] = valuesAt(visit, 'hospitalization.dischargeDisposition');
  const [destination] = valuesAt(visit, 'hospitalization.destination');
  const place = isShaped(referenceShape, destination) ? reference(words, destination) : undefined;
  return [dispositionText(words, disposition), place].filter(Boolean).join(', ') || undefined;
}
