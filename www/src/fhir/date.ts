//! Dates of any precision, never more exact than they were written, and in the zone that they were written in
//! (<https://hl7.org/fhir/R4/datatypes.html#dateTime>).

import type { Period } from './types.ts';

const WRITTEN = /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?)?)?$/;
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `2019`, `May 2019`, `14 May 2019`, or with `clock` `14 May 2019, 07:40`. Text that is no date stays as it is. */
export function date(text: string | undefined, { clock = false, short = false } = {}): string {
  const [, year, month, day, hour, minute] = WRITTEN.exec(text ?? '') ?? [];
  if (!year) return text ?? '';
  const name = month ? MONTHS[Number(month) - 1] : undefined;
  if (!name) return year;
  const shown = short ? name.slice(0, 3) : name;
  if (!day) return `${shown} ${year}`;
  const whole = `${Number(day)}\u00a0${shown}\u00a0${year}`;
  return clock && hour ? `${whole}, ${hour}:${minute}` : whole;
}

export const shortDate = (text: string | undefined): string => date(text, { short: true });
export const clockDate = (text: string | undefined): string => date(text, { short: true, clock: true });

export function period(value: Period | undefined): string {
  if (!value?.start && !value?.end) return '';
  if (!value.end) return `since ${shortDate(value.start)}`;
  if (!value.start) return `until ${shortDate(value.end)}`;
  const [from, until] = [shortDate(value.start), shortDate(value.end)];
  return from === until ? from : `${from} – ${until}`;
}

/** The beginning of a date, in milliseconds since 1970: the order of lists, and the place of points in a plot. */
export function instant(text: string | undefined): number | undefined {
  const [, year, month = '01', day = '01', hour] = WRITTEN.exec(text ?? '') ?? [];
  if (!year || !text) return undefined;
  const value = Date.parse(
    hour ? (/(Z|[+-]\d{2}:\d{2})$/.test(text) ? text : `${text}Z`) : `${year}-${month}-${day}T00:00:00Z`,
  );
  return Number.isNaN(value) ? undefined : value;
}

/** Sorts items by date, newest first; those without a date come last. */
export function newest<T>(items: readonly T[], when: (item: T) => string | undefined): T[] {
  const key = (item: T): number => instant(when(item)) ?? Number.NEGATIVE_INFINITY;
  return [...items].sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    return x === y ? 0 : y > x ? 1 : -1;
  });
}

/** The age on a day: in years, of the young in months or days. Nothing without a birth date, or before it. */
export function age(birth: string | undefined, on: Date): string | undefined {
  const [, year, month, day] = WRITTEN.exec(birth ?? '') ?? [];
  if (!year) return undefined;
  if (!month) return `about ${on.getUTCFullYear() - Number(year)}\u00a0y`;
  let months = (on.getUTCFullYear() - Number(year)) * 12 + on.getUTCMonth() + 1 - Number(month);
  if (day && on.getUTCDate() < Number(day)) months -= 1;
  if (months < 0) return undefined;
  if (months >= 24) return `${Math.floor(months / 12)}\u00a0y`;
  if (months >= 1) return `${months}\u00a0mo`;
  const days = Math.floor((on.getTime() - Date.UTC(Number(year), Number(month) - 1, Number(day ?? 1))) / 86_400_000);
  return days >= 0 ? `${days}\u00a0d` : undefined;
}

export const year = (text: string | undefined): string => WRITTEN.exec(text ?? '')?.[1] ?? '';
export const day = (text: string | undefined): string => (text ?? '').slice(0, 10);
