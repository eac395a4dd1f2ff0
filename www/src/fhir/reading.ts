//! Measured values and ranges in words.

import { t } from '../language/message.ts';
import { clockDate, period } from './date.ts';
import { shortName } from './names.ts';
import { concept, hasCode, measuredNumber, plain, quantity } from './text.ts';
import type { Measured, Observation, Range } from './types.ts';
import { printedUnit } from './units.ts';

/** The date of an observation, as it is written. */
export const when = (o: Observation): string | undefined =>
  o.effectiveDateTime ?? o.effectivePeriod?.start ?? o.effectiveInstant ?? o.effectiveTiming?.event?.[0] ?? o.issued;

/** The value, or why there is none. */
export function value(of: Measured): string | undefined {
  if (of.valueQuantity) return quantity(of.valueQuantity);
  if (of.valueCodeableConcept) return concept(of.valueCodeableConcept);
  if (of.valueString !== undefined) return of.valueString;
  if (of.valueBoolean !== undefined) return of.valueBoolean ? t('Yes') : t('No');
  if (of.valueInteger !== undefined) return String(of.valueInteger);
  if (of.valueRange) return range(of.valueRange);
  if (of.valueRatio)
    return [quantity(of.valueRatio.numerator), quantity(of.valueRatio.denominator)].filter(Boolean).join(' : ');
  if (of.valueDateTime) return clockDate(of.valueDateTime);
  if (of.valuePeriod) return period(of.valuePeriod);
  return of.valueTime;
}

/** The reason for an absent value. */
export const absent = (of: Measured): string | undefined => {
  const reason = concept(of.dataAbsentReason);
  return reason ? t('Not available: {reason}', { reason: plain(reason.toLowerCase()) }) : undefined;
};

/** An observation in one line; a panel's parts, where it has them (`148/92 mmHg`). */
export function reading(o: Observation): string {
  const own = value(o);
  if (own !== undefined) return own;
  const parts = o.component ?? [];
  const pressure = ['8480-6', '8462-4'].map((code) => parts.find((part) => hasCode(part.code, code)));
  if (pressure.some(Boolean)) {
    const halves = pressure.map((part) => measuredNumber(part?.valueQuantity) ?? '—');
    const measured = pressure.find((part) => part?.valueQuantity)?.valueQuantity;
    const unit = printedUnit(measured?.unit ?? measured?.code ?? '');
    const reasons = pressure.map((part) => part && absent(part)).filter(Boolean);
    if (unit) return `${halves.join('/')}\u00a0${unit}`;
    if (reasons.length > 0) return reasons[0] ?? '';
  }
  const said = parts.map((part) =>
    [shortName(concept(part.code) ?? '').main, value(part) ?? absent(part)].filter(Boolean).join(': '),
  );
  return said.join('; ') || absent(o) || (o.hasMember?.length ? t('See its parts') : t('No value'));
}

/** A range in words: both its ends, or one of them, or its text. */
export function range(of: Range | undefined): string | undefined {
  if (!of) return undefined;
  const { low, high } = of;
  const unit = printedUnit(high?.unit ?? low?.unit ?? high?.code ?? low?.code ?? '');
  const tail = unit === '' || unit === '%' ? unit : `\u00a0${unit}`;
  if (low?.value !== undefined && high?.value !== undefined)
    return `${measuredNumber(low)}–${measuredNumber(high)}${tail}`;
  if (high?.value !== undefined) return `≤\u00a0${measuredNumber(high)}${tail}`;
  if (low?.value !== undefined) return `≥\u00a0${measuredNumber(low)}${tail}`;
  return of.text;
}

/** Returns whether an observation is a panel, whose members are observations of their own. */
export const isPanel = (o: Observation): boolean => (o.hasMember?.length ?? 0) > 0;

export const categoryCodes = (o: Observation): string[] =>
  (o.category ?? []).flatMap(({ coding }) => coding ?? []).flatMap(({ code }) => code ?? []);
