//! Reference ranges in words: for findings, such as `Negative`, and for numbers, such as `4.0–10.0`.

import { concept } from '../../fhir/text.ts';
import type { MeasuredValue } from '../../fhir/types.ts';
import { ENGLISH } from '../../language/words.ts';
import { saysAbsent, saysAmount, saysPresent } from '../values/finding-words.ts';
import { isOfNormal } from './reference-range.ts';

/**
 * Returns whether a finding is within its range in words; `undefined` if the words do not determine it. `isFinding`: it
 * was interpreted as positive, detected or reactive.
 */
export function rangeText(of: MeasuredValue, isFinding: boolean): 'within' | 'outside' | undefined {
  const expected = (of.referenceRange ?? [])
    .filter((range) => isOfNormal(range) && !range.low && !range.high && !range.appliesTo?.length && !range.age)
    .flatMap(({ text }) => text?.trim() || []);
  if (expected.length === 0) return undefined;
  const said = (concept(ENGLISH, of.valueCodeableConcept) ?? of.valueString ?? '').trim();
  if (said !== '' && expected.some((one) => one.toLowerCase() === said.toLowerCase())) return 'within';
  if (!expected.every(saysAbsent)) return undefined;
  if (saysAbsent(said)) return 'within';
  return isFinding || saysPresent(said) || saysAmount(said) ? 'outside' : undefined;
}
