//! Dates of any precision, shown with their written precision and in their written time zone
//! (<https://hl7.org/fhir/R4/datatypes.html#dateTime>).

import { kept } from '../kept.ts';
import type { Words } from '../language/words.ts';
import type { Goal, Period, Procedure } from './types.ts';

/** A day in milliseconds. */
export const DAY = 86_400_000;

/** Returns the day of a moment in UTC: `YYYY-MM-DD`. */
export const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** A date. A year before 1500, such as 0001, stands for a date that a program did not have. */
const WRITTEN =
  /^((?!0|1[0-4])\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?)?)?$/;

const FORMS = {
  day: { year: 'numeric', month: 'long', day: 'numeric' },
  shortDay: { year: 'numeric', month: 'short', day: 'numeric' },
  month: { year: 'numeric', month: 'long' },
  shortMonth: { year: 'numeric', month: 'short' },
  time: { timeStyle: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;
type Form = keyof typeof FORMS;

const formatsIn = kept((_: Words): Partial<Record<Form, Intl.DateTimeFormat>> => ({}));

/** Returns a date in words, formatted in UTC, in which the parts of the date are those that were sent. */
function written(words: Words, at: Date, form: Form): string {
  const formats = formatsIn(words);
  formats[form] ??= new Intl.DateTimeFormat(words.locale, { ...FORMS[form], timeZone: 'UTC' });
  return formats[form].format(at);
}

/** Makes the format of most dates in advance, while answers are awaited: the first format of a page takes a frame. */
export const prepareDates = (words: Words): void => void written(words, new Date(0), 'shortDay');

/**
 * Returns a date as the locale writes it: `2019`, `May 2019`, `14 May 2019`, or with `clock` `14 May 2019, 07:40`. Text
 * that is no date stays unchanged.
 */
export function date(words: Words, text: string | undefined, { clock = false, short = false } = {}): string {
  const [, year, month, day, hour = '0', minute = '0'] = WRITTEN.exec(text ?? '') ?? [];
  if (!year) return text ?? '';
  if (!month || Number(month) > 12) return year;
  const at = new Date(0);
  at.setUTCFullYear(Number(year), Number(month) - 1, Number(day ?? 1));
  at.setUTCHours(Number(hour), Number(minute));
  if (at.getUTCMonth() + 1 !== Number(month)) return text ?? '';
  if (!day) return written(words, at, short ? 'shortMonth' : 'month');
  const whole = written(words, at, short ? 'shortDay' : 'day').replaceAll(' ', '\u00a0');
  return clock && text?.includes('T') ? `${whole}, ${written(words, at, 'time')}` : whole;
}

/** Returns the time of a date, `07:40`, as the locale writes it; an empty text if the date has no time. */
export function clock(words: Words, text: string | undefined): string {
  const [, , , , hour, minute] = WRITTEN.exec(text ?? '') ?? [];
  return hour ? written(words, new Date(Date.UTC(1970, 0, 1, Number(hour), Number(minute))), 'time') : '';
}

export const shortDate = (words: Words, text: string | undefined): string => date(words, text, { short: true });
export const clockDate = (words: Words, text: string | undefined): string =>
  date(words, text, { short: true, clock: true });

export function period(words: Words, value: Period | undefined): string {
  if (!value?.start && !value?.end) return '';
  if (!value.end) return words.t('since {date}', { date: shortDate(words, value.start) });
  if (!value.start) return words.t('until {date}', { date: shortDate(words, value.end) });
  const [from, until] = [shortDate(words, value.start), shortDate(words, value.end)];
  return from === until ? from : `${from} – ${until}`;
}

/** Returns the date by which a period is sorted: its start, or its end if only the end is known. */
export const periodDate = (value: Period | undefined): string | undefined => value?.start ?? value?.end;

export const procedureDate = (p: Procedure): string | undefined => p.performedDateTime ?? periodDate(p.performedPeriod);
export const goalDate = (g: Goal): string | undefined => g.startDate ?? g.statusDate;

/**
 * Returns the start of a date, in milliseconds since 1970: the order of lists, and the place of points in a plot.
 * A leap second belongs to the next minute.
 */
export function instant(text: string | undefined): number | undefined {
  const [, year, month = '01', day = '01', hour] = WRITTEN.exec(text ?? '') ?? [];
  if (!year || !text) return undefined;
  const known = text.replace(/(?<=:\d\d:)60/, '59');
  const value = Date.parse(
    hour ? (/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? known : `${known}Z`) : `${year}-${month}-${day}T00:00:00Z`,
  );
  return Number.isNaN(value) ? undefined : known === text ? value : value + 1000;
}

/** Returns the end of a written date, in milliseconds since 1970: the end of its day, its month or its year. */
export function endOf(text: string | undefined): number | undefined {
  const start = instant(text);
  if (start === undefined || !text || text.includes('T')) return start;
  const [year = 0, month, day] = text.split('-').map(Number);
  return day === undefined ? Date.UTC(year, month ?? 12, 1) : Date.UTC(year, (month ?? 1) - 1, day + 1);
}

/** Returns whether the dates of two records leave their order open: equal ones, a day and a time of it, or no dates. */
export function overlap(a = '', b = ''): boolean {
  const [x, y] = [instant(a), instant(b)];
  if (x === y) return true;
  // A day is that of a time as it is written, in whatever time zone.
  return (
    x !== undefined &&
    y !== undefined &&
    (a.startsWith(b) || b.startsWith(a) || (endOf(x < y ? a : b) ?? 0) > Math.max(x, y))
  );
}

/** Returns the day of the reader at a moment, in the form of a day of a record: its start in UTC. */
export function today(now: number): number {
  const local = new Date(now);
  return Date.UTC(local.getFullYear(), local.getMonth(), local.getDate());
}

/** Sorts items by date, newest first; those without a date come last. */
export function newest<T>(items: readonly T[], when: (item: T) => string | undefined): T[] {
  const dated = items.map((item) => ({ item, at: instant(when(item)) ?? Number.NEGATIVE_INFINITY }));
  return dated.sort((a, b) => (a.at === b.at ? 0 : b.at > a.at ? 1 : -1)).map(({ item }) => item);
}

/** Returns the age on a day: in years, or for the young in months or days. Needs an earlier birth date. */
export function age(words: Words, birth: string | undefined, on: Date): string | undefined {
  const [, year, month, day] = WRITTEN.exec(birth ?? '') ?? [];
  if (!year) return undefined;
  if (!month) return words.t('about {n}\u00a0y', { n: on.getUTCFullYear() - Number(year) });
  let months = (on.getUTCFullYear() - Number(year)) * 12 + on.getUTCMonth() + 1 - Number(month);
  if (day && on.getUTCDate() < Number(day)) months -= 1;
  if (months < 0) return undefined;
  if (months >= 24) return words.t('{n}\u00a0y', { n: Math.floor(months / 12) });
  if (months >= 1) return words.t('{n}\u00a0mo', { n: months });
  const days = Math.floor((on.getTime() - Date.UTC(Number(year), Number(month) - 1, Number(day ?? 1))) / DAY);
  return days >= 0 ? words.t('{n}\u00a0d', { n: days }) : undefined;
}

export const year = (text: string | undefined): string => WRITTEN.exec(text ?? '')?.[1] ?? '';
export const day = (text: string | undefined): string => (text ?? '').slice(0, 10);
