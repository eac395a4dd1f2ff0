//! Measured values and ranges in words.

import { type PlainMessage, t } from '../language/message.ts';
import { own } from '../own.ts';
import { clockDate, period, periodDate } from './date.ts';
import { shortName } from './names.ts';
import { sampled } from './sampled.ts';
import { concept, hasCode, measuredNumber, plain, quantity } from './text.ts';
import type { Measured, Observation, Range } from './types.ts';
import { printedUnit } from './units.ts';

/** The date of an observation, as it is written. */
export const when = (o: Observation): string | undefined =>
  o.effectiveDateTime ??
  periodDate(o.effectivePeriod) ??
  o.effectiveInstant ??
  o.effectiveTiming?.event?.[0] ??
  o.issued;

/** The value in words. One of a type that is not read is named, so that it does not pass for none. */
export function value(of: Measured): string | undefined {
  if (of.valueQuantity) return quantity(of.valueQuantity);
  if (of.valueCodeableConcept) return concept(of.valueCodeableConcept);
  if (of.valueString !== undefined) return of.valueString;
  if (of.valueBoolean !== undefined) return of.valueBoolean ? t('Yes') : t('No');
  if (of.valueInteger !== undefined) return String(of.valueInteger);
  if (of.valueRange) return range(of.valueRange);
  if (of.valueRatio)
    return (
      [quantity(of.valueRatio.numerator), quantity(of.valueRatio.denominator)].filter(Boolean).join(' : ') || undefined
    );
  if (of.valueDateTime) return clockDate(of.valueDateTime);
  if (of.valuePeriod) return period(of.valuePeriod);
  if (of.valueSampledData) return sampled(of.valueSampledData);
  return of.valueTime ?? unread(of);
}

/** The name of a value that is not read. */
function unread(of: Measured): string | undefined {
  const name = Object.keys(of).find((member) => /^value[A-Z]/.test(member));
  if (name === undefined) return undefined;
  return t('A value of the type {type}, not shown', { type: name.slice('value'.length) });
}

/** Returns whether there is a value. The words of a number, which most are, need not be made for that. */
const isMeasured = (of: Measured): boolean => of.valueQuantity?.value !== undefined || value(of) !== undefined;

/** Returns whether an observation has a value, its own or that of a component. */
export const hasValue = (o: Observation): boolean => isMeasured(o) || (o.component ?? []).some(isMeasured);

/** The codes of data-absent-reason that do not say in plain words what they mean. */
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

/** The reason for an absent value. */
export const absent = (of: Measured): string | undefined => {
  const { text, coding = [] } = of.dataAbsentReason ?? {};
  const known = text ? undefined : coding.map(({ code }) => own(ABSENT, code ?? '')).find(Boolean);
  const reason = known ? t(known) : plain((concept(of.dataAbsentReason) ?? '').toLowerCase());
  return reason ? t('Not available: {reason}', { reason }) : undefined;
};

/** An observation in one line; a panel's parts, where it has them (`148/92 mmHg`). */
export const reading = (o: Observation): string =>
  readingOf(o) ?? (o.hasMember?.length ? t('See its parts') : t('No value'));

/** Its value, those of its components, or why there is none. Nothing where it says neither. */
export function readingOf(o: Observation): string | undefined {
  const own = value(o);
  if (own !== undefined) return own;
  const parts = o.component ?? [];
  const pressure = ['8480-6', '8462-4'].map((code) => parts.find((part) => hasCode(part.code, code)));
  if (pressure.some(Boolean) && pressure.every((part) => !part || part.valueQuantity || value(part) === undefined)) {
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
  return said.join('; ') || absent(o);
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
