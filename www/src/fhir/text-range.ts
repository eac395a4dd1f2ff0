//! Reference ranges in words: of findings, such as `Negative`, and of numbers, such as `4.0–10.0`.

import { isOfNormal } from './reference-range.ts';
import { concept } from './text.ts';
import type { Measured } from './types.ts';

const ABSENT =
  /^(neg(ative)?|not detected|non-?\s?reactive|none( seen| detected)?|absent|nil|negativo|no detectado)\.?$/i;
const PRESENT = /^(pos(itive)?|detected|(weakly )?reactive|present|positivo|detectado)\b/i;

/**
 * Whether a finding is within its range in words; nothing where the words do not tell. `isFinding`: it was interpreted
 * as positive, detected or reactive.
 */
export function rangeText(of: Measured, isFinding: boolean): 'within' | 'outside' | undefined {
  const expected = (of.referenceRange ?? [])
    .filter((range) => isOfNormal(range) && !range.low && !range.high && !range.appliesTo?.length && !range.age)
    .flatMap(({ text }) => text?.trim() || []);
  if (expected.length === 0) return undefined;
  const said = (concept(of.valueCodeableConcept) ?? of.valueString ?? '').trim();
  if (said !== '' && expected.some((one) => one.toLowerCase() === said.toLowerCase())) return 'within';
  if (!expected.every((one) => ABSENT.test(one))) return undefined;
  if (ABSENT.test(said)) return 'within';
  return isFinding || PRESENT.test(said) ? 'outside' : undefined;
}
