//! Units of time, and durations in words.

import type { PlainMessage, Words } from '../language/words.ts';
import { own } from '../own.ts';
import { DAY } from './date.ts';
import { quantity } from './text.ts';
import type { Quantity } from './types.ts';

const UNITS: Readonly<Record<string, readonly [one: PlainMessage, many: PlainMessage]>> = {
  s: ['second', 'seconds'],
  min: ['minute', 'minutes'],
  h: ['hour', 'hours'],
  d: ['day', 'days'],
  wk: ['week', 'weeks'],
  mo: ['month', 'months'],
  a: ['year', 'years'],
};

/** The codes of units of time by their names. */
const UNIT_NAMES: readonly [name: RegExp, code: string][] = [
  [/^(?:s|secs?|seconds?|segundos?)$/, 's'],
  [/^(?:min|mins|minutes?|minutos?|minuten?|分間?)$/, 'min'],
  [/^(?:h|hrs?|hours?|horas?|stunden?|uur|uren|heures?|時間)$/, 'h'],
  [/^(?:d|days?|d[ií]as?|tage?n?|dag|dagen|jours?|giorn[oi]|日|日間|日分|天)$/, 'd'],
  [/^(?:wk|wks|weeks?|semanas?|wochen?|weken|semaines?|settiman[ae]|週|週間)$/, 'wk'],
  [/^(?:mo|mos|mths?|months?|mes|meses|monate?n?|maand|maanden|mois|mes[ei]|か月|ヶ月|個月)$/, 'mo'],
  [/^(?:a|y|yr|yrs|yo|y\/o|years?(?: old)?|años?|jahre?n?|jaar|ans?|ann[oi]|年)$/, 'a'],
];

/** Returns the UCUM code of a unit of time. */
export const timeUnit = (unit: string | undefined): string | undefined =>
  UNIT_NAMES.find(([name]) => name.test(unit?.trim().toLowerCase() ?? ''))?.[1];

/** Returns the name of a unit of time; `undefined` for an unknown unit. */
export function unitName(words: Words, unit: string | undefined): string | undefined {
  const forms = own(UNITS, timeUnit(unit) ?? '');
  return forms && words.t(forms[0]);
}

const DAYS: Readonly<Partial<Record<string, number>>> = { s: 1 / 86_400, min: 1 / 1440, h: 1 / 24, d: 1, wk: 7 };
const MONTHS: Readonly<Partial<Record<string, number>>> = { mo: 1, a: 12 };
/** The longest time that is accepted as plausible. */
const MAX_TIME = 100 * 365.25 * DAY;

/** Returns the moment after some whole days or months; `undefined` if the quantity is not a plausible time. */
export function later(from: number | undefined, time: Quantity | undefined): number | undefined {
  const unit = timeUnit(time?.code) ?? timeUnit(time?.unit);
  if (from === undefined || unit === undefined || !time?.value || time.value < 0) return undefined;
  const [days, months] = [DAYS[unit] ?? 0, MONTHS[unit] ?? 0];
  const at = new Date(from + Math.ceil(time.value * days) * DAY);
  at.setUTCMonth(at.getUTCMonth() + Math.ceil(time.value * months));
  return at.getTime() - from <= MAX_TIME ? at.getTime() : undefined;
}

/** Returns a duration in words: `8 hours`, `4 to 6 hours`. An unknown unit stays as written. */
export function timeText(words: Words, low: string, high: string | undefined, unit: string | undefined): string {
  const forms = own(UNITS, timeUnit(unit) ?? '');
  const name = forms ? words.t(Number(low) === 1 && high === undefined ? forms[0] : forms[1]) : unit;
  const amount =
    high === undefined
      ? words.decimal(low)
      : words.t('{low} to {high}', { low: words.decimal(low), high: words.decimal(high) });
  return name ? `${amount}\u00a0${name}` : words.t('{amount} (unit not recorded)', { amount });
}

/** Returns a quantity in words. A unit of time is spelt out. */
export function spanText(words: Words, of: Quantity): string {
  const unit = timeUnit(of.code) ?? timeUnit(of.unit);
  if (unit === undefined || of.comparator || of.value === undefined) return quantity(words, of) ?? '';
  return timeText(words, of.written ?? String(of.value), undefined, unit);
}
