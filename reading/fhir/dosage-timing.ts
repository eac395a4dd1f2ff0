//! The timing of a dosage in words (<https://hl7.org/fhir/R4/datatypes.html#Timing>).

import type { Message, PlainMessage, Words } from '../language/words.ts';
import { own } from '../own.ts';
import { itemsOf } from '../shape.ts';
import { codesOf } from './concept-codes.ts';
import { clockDate, shortDate } from './date.ts';
import * as loose from './loose.ts';
import { concept, isNamed } from './text.ts';
import { spanText, timeText, timeUnit } from './time-units.ts';
import type { Concept, Period, Quantity } from './types.ts';

interface TimingWords {
  /** The frequency and the times. */
  core: string[];
  /** The duration, and the total count. */
  more: string[];
  unread: loose.UnreadPart[];
  extensions: unknown[];
}

/** The words of a repetition, with the values that are compared with the code of the timing. */
interface RepeatWords extends TimingWords {
  /** The rate as a key: `2/1d` is twice a day, `1-2/4-6h` once or twice every four to six hours. */
  rate: string | undefined;
  /** The times of a day, `08:00`. */
  times: string[];
  /** The events of a day, as codes. */
  events: string[];
}

const ONCE_OR_MORE = {
  h: 'every hour|{n} times an hour',
  d: 'once a day|{n} times a day',
  wk: 'once a week|{n} times a week',
  mo: 'once a month|{n} times a month',
  a: 'once a year|{n} times a year',
} as const satisfies Record<string, Message>;
const BETWEEN = {
  h: '{low} to {high} times an hour',
  d: '{low} to {high} times a day',
  wk: '{low} to {high} times a week',
  mo: '{low} to {high} times a month',
  a: '{low} to {high} times a year',
} as const satisfies Record<string, Message>;
const AT_MOST = {
  h: 'up to {n} times an hour',
  d: 'up to {n} times a day',
  wk: 'up to {n} times a week',
  mo: 'up to {n} times a month',
  a: 'up to {n} times a year',
} as const satisfies Record<string, Message>;
const isCounted = (unit: string | undefined): unit is keyof typeof ONCE_OR_MORE =>
  unit !== undefined && Object.hasOwn(ONCE_OR_MORE, unit);

/** A rate: a number of times in a period, each of which may be a range. */
interface Rate {
  times: number | undefined;
  most: number | undefined;
  period: number | undefined;
  longest: number | undefined;
  unit: string | undefined;
}

/** Returns the key of a period: `24h` is a day, `7d` a week, `12mo` a year. */
function periodKey(period: number, unit: string): string {
  if (unit === 'h' && period % 24 === 0) return periodKey(period / 24, 'd');
  if (unit === 'd' && period % 7 === 0) return `${period / 7}wk`;
  return unit === 'mo' && period % 12 === 0 ? `${period / 12}a` : `${period}${unit}`;
}

/** Returns the key of a rate; `undefined` if the rate is incomplete. */
function rateKey({ times, most, period, longest, unit }: Rate): string | undefined {
  const code = timeUnit(unit);
  if (period === undefined || code === undefined) return undefined;
  const count = most === undefined ? String(times ?? 1) : `${times ?? ''}-${most}`;
  return `${count}/${longest === undefined ? periodKey(period, code) : `${period}-${longest}${code}`}`;
}

const written = (words: Words, value: number): string => words.decimal(String(value));

function timesText(words: Words, { times, most }: Rate): string {
  if (most === undefined) return words.t('{n} time|{n} times', { n: times ?? 1 });
  if (times === undefined) return words.t('up to {n} times', { n: most });
  return words.t('{low} to {high} times', { low: written(words, times), high: written(words, most) });
}

function rateText(words: Words, rate: Rate): string | undefined {
  const { times, most, period, longest, unit } = rate;
  if (period === undefined) {
    return times === undefined && most === undefined
      ? undefined
      : `${timesText(words, rate)} ${words.t('(period not recorded)')}`;
  }
  const code = timeUnit(unit);
  if (period === 1 && longest === undefined && isCounted(code)) {
    if (most === undefined) return words.t(ONCE_OR_MORE[code], { n: times ?? 1 });
    if (times === undefined) return words.t(AT_MOST[code], { n: most });
    return words.t(BETWEEN[code], { low: written(words, times), high: written(words, most) });
  }
  const every = timeText(words, String(period), longest === undefined ? undefined : String(longest), unit);
  if (most === undefined && (times ?? 1) === 1) return words.t('every {time}', { time: every });
  return words.t('{times} every {time}', { times: timesText(words, rate), time: every });
}

const DAYS = {
  mon: 'Monday#each',
  tue: 'Tuesday#each',
  wed: 'Wednesday#each',
  thu: 'Thursday#each',
  fri: 'Friday#each',
  sat: 'Saturday#each',
  sun: 'Sunday#each',
} as const satisfies Record<string, PlainMessage>;
const isDay = (code: string): code is keyof typeof DAYS => Object.hasOwn(DAYS, code);

/** Returns the code of a day, from its code or its name in any case. */
function dayCode(day: string): string {
  const code = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?$/i.test(day)
    ? day.slice(0, 3).toLowerCase()
    : day;
  return isDay(code) ? code : day;
}

/** The events of a day (<https://hl7.org/fhir/R4/valueset-event-timing.html>). */
const EVENTS = {
  MORN: 'in the morning',
  'MORN.early': 'early in the morning',
  'MORN.late': 'late in the morning',
  NOON: 'at noon',
  AFT: 'in the afternoon',
  'AFT.early': 'early in the afternoon',
  'AFT.late': 'late in the afternoon',
  EVE: 'in the evening',
  'EVE.early': 'early in the evening',
  'EVE.late': 'late in the evening',
  NIGHT: 'at night',
  PHS: 'after going to sleep',
  HS: 'at bedtime',
  WAKE: 'on waking',
  C: 'with meals',
  CM: 'with breakfast',
  CD: 'with lunch',
  CV: 'with dinner',
  AC: 'before meals',
  ACM: 'before breakfast',
  ACD: 'before lunch',
  ACV: 'before dinner',
  PC: 'after meals',
  PCM: 'after breakfast',
  PCD: 'after lunch',
  PCV: 'after dinner',
  IMD: 'at once#a dose',
} as const satisfies Record<string, PlainMessage>;
const isEvent = (code: string): code is keyof typeof EVENTS => Object.hasOwn(EVENTS, code);

/** Returns the code of an event, in any case. */
const eventCode = (event: string): string =>
  Object.keys(EVENTS).find((code) => code.toLowerCase() === event.toLowerCase()) ?? event;

/** The events that have other words after an amount of time. */
const OFFSET_EVENTS = { HS: 'before bedtime', WAKE: 'after waking' } as const satisfies Record<string, PlainMessage>;

function eventText(words: Words, code: string, offset: number | undefined): string {
  const text = isEvent(code) ? words.t(EVENTS[code]) : code;
  if (offset === undefined || offset === 0) return text;
  const time = timeText(words, String(offset), undefined, 'min');
  if (code === 'HS' || code === 'WAKE') return `${time} ${words.t(OFFSET_EVENTS[code])}`;
  // The code determines whether the time is before or after the event.
  if (/^(?:AC|PC)|^PHS$/.test(code)) return `${time} ${text}`;
  return words.t('{time} after: {event}', { time, event: text });
}

/** The rates and events of the codes of timings (<https://hl7.org/fhir/R4/valueset-timing-abbreviation.html>). */
const CODES: Readonly<Record<string, { rate?: Rate; event?: string }>> = {
  BID: { rate: rateOf(2, 1, 'd') },
  TID: { rate: rateOf(3, 1, 'd') },
  QID: { rate: rateOf(4, 1, 'd') },
  AM: { rate: rateOf(1, 1, 'd'), event: 'MORN' },
  PM: { rate: rateOf(1, 1, 'd'), event: 'AFT' },
  QD: { rate: rateOf(1, 1, 'd') },
  QOD: { rate: rateOf(1, 2, 'd') },
  BED: { rate: rateOf(1, 1, 'd'), event: 'HS' },
  WK: { rate: rateOf(1, 1, 'wk') },
  MO: { rate: rateOf(1, 1, 'mo') },
};
const GTS = /GTSAbbreviation$/;

function rateOf(times: number, period: number, unit: string): Rate {
  return { times, most: undefined, period, longest: undefined, unit };
}

/** The codes of other abbreviations with the same meaning. */
const SAME_CODES: Readonly<Record<string, string>> = { BD: 'BID', TDS: 'TID', QDS: 'QID' };

/** Returns a text as the code of a timing: without full stops, in capitals. */
function abbreviation(text: string | undefined): string | undefined {
  const code = text?.trim().replaceAll('.', '').toUpperCase();
  return code && (own(SAME_CODES, code) ?? code);
}

/** Returns the meaning of the code of a timing. Codes of other systems are ignored: their meaning may differ. */
function codeMeaning({ coding = [], text }: Concept): { code: string; rate?: Rate; event?: string } | undefined {
  const codes = coding.length > 0 ? coding : [{ system: undefined, code: abbreviation(text) }];
  for (const { system, code } of codes) {
    if (code === undefined || (system !== undefined && !GTS.test(system))) continue;
    const hours = /^Q(\d{1,2})H$/.exec(code)?.[1];
    const meaning = hours ? { rate: rateOf(1, Number(hours), 'h') } : own(CODES, code);
    if (meaning) return { code, ...meaning };
  }
  return undefined;
}

/** Returns the words of the repetition of a timing. */
function repeatWords(words: Words, value: unknown): RepeatWords {
  const parts = new loose.Parts(value);
  const number = (name: string): number | undefined => parts.take(name, loose.numberIn);
  const rate: Rate = {
    times: number('frequency'),
    most: number('frequencyMax'),
    period: number('period'),
    longest: number('periodMax'),
    // DSTU2 has another name for the unit.
    unit: parts.take('periodUnit', loose.textIn) ?? parts.take('periodUnits', loose.textIn),
  };
  const days = (parts.take('dayOfWeek', loose.allIn(loose.textIn)) ?? []).map(dayCode);
  const times = (parts.take('timeOfDay', loose.allIn(loose.textIn)) ?? []).map((time) =>
    time.replace(/^(\d\d:\d\d):00$/, '$1'),
  );
  const events = (parts.take('when', loose.allIn(loose.textIn)) ?? []).map(eventCode);
  const offset = number('offset');
  const [counted, countMax] = [number('count'), number('countMax')];
  // Patient summaries have a count in place of a frequency: with a unit and no period. It is not the total count.
  const isMeantAsRate = counted !== undefined && rate.unit !== undefined && rate.period === undefined;
  if (isMeantAsRate) parts.leave('count');
  const count = isMeantAsRate ? undefined : counted;
  const [duration, durationMax] = [number('duration'), number('durationMax')];
  const durationUnit = parts.take('durationUnit', loose.textIn);
  const often = rateText(words, rate);
  if (rate.unit !== undefined && rate.period === undefined) parts.leave('periodUnit');
  if (rate.longest !== undefined && rate.period === undefined) parts.leave('periodMax');
  if (offset !== undefined && events.length === 0) parts.leave('offset');
  const dayNames = days.map((day) => (isDay(day) ? words.t(DAYS[day]) : day));
  const core = [
    often,
    days.length > 0 ? words.t('on {days}#of the week', { days: words.listed(dayNames) }) : undefined,
    times.length > 0 ? words.t('at {times}', { times: words.listed(times) }) : undefined,
    events.length > 0 ? words.listed(events.map((event) => eventText(words, event, offset))) : undefined,
    duration === undefined && durationMax === undefined
      ? undefined
      : lasting(words, duration, durationMax, durationUnit),
  ];
  if (durationUnit !== undefined && duration === undefined && durationMax === undefined) parts.leave('durationUnit');
  return {
    core: core.filter((one) => one !== undefined),
    more: [...countPhrase(words, count, countMax), ...boundsPhrases(words, parts)],
    extensions: itemsOf(parts.raw('extension')),
    unread: parts.left(),
    rate: rateKey(rate),
    times,
    events,
  };
}

function lasting(words: Words, low: number | undefined, high: number | undefined, unit: string | undefined): string {
  const [from, to] = low === undefined ? [high ?? 0, undefined] : [low, high];
  const time = timeText(words, String(from), to === undefined ? undefined : String(to), unit);
  return low === undefined
    ? words.t('over at most {time} each time', { time })
    : words.t('over {time} each time', { time });
}

function countPhrase(words: Words, count: number | undefined, most: number | undefined): string[] {
  if (count === undefined && most === undefined) return [];
  if (most === undefined) return [words.t('once in all|{n} times in all', { n: count ?? 1 })];
  if (count === undefined) return [words.t('up to {n} times in all', { n: most })];
  return [words.t('{low} to {high} times in all', { low: written(words, count), high: written(words, most) })];
}

/** Returns the bounds of a timing in words, in each of their forms. */
function boundsPhrases(words: Words, parts: loose.Parts): string[] {
  const duration = parts.take('boundsDuration', loose.quantityIn);
  const range = parts.take('boundsRange', rangeIn);
  const period = parts.take('boundsPeriod', loose.periodIn);
  return [
    ...(duration ? [words.t('for {time}', { time: spanText(words, duration) })] : []),
    ...(range ? [words.t('for {time}', { time: rangeText(words, range) })] : []),
    ...(period ? [periodText(words, period)] : []),
  ];
}

function periodText(words: Words, { start, end }: Period): string {
  const [from, until] = [shortDate(words, start), shortDate(words, end)];
  if (!end) return words.t('from {date}', { date: from });
  return start ? words.t('from {from} until {until}', { from, until }) : words.t('until {date}', { date: until });
}

/** A range whose ends may be quantities. */
export interface QuantityRange {
  low: Quantity | undefined;
  high: Quantity | undefined;
}

/** Returns a range with at least one end. */
export function rangeIn(value: unknown): QuantityRange | undefined {
  const parts = new loose.Parts(value);
  const [low, high] = [parts.take('low', loose.quantityIn), parts.take('high', loose.quantityIn)];
  return parts.left().length > 0 || (!low && !high) ? undefined : { low, high };
}

/** Returns a range in words. The unit is written once if both ends have it. */
export function rangeText(words: Words, { low, high }: QuantityRange): string {
  if (!high) return words.t('at least {amount}', { amount: low ? spanText(words, low) : '' });
  if (!low) return words.t('up to {amount}', { amount: spanText(words, high) });
  const isOne = low.value !== undefined && low.value === high.value && !low.comparator && !high.comparator;
  const isSame = (low.code ?? low.unit) === (high.code ?? high.unit) || (!low.code && !low.unit);
  if (isOne && isSame) return spanText(words, high);
  const { value, comparator } = low;
  const first =
    isSame && value !== undefined && !comparator ? words.decimal(low.written ?? String(value)) : spanText(words, low);
  return words.t('{low} to {high}', { low: first, high: spanText(words, high) });
}

/** The time limits that a dosage states. */
export interface Bounds {
  sequence: number | undefined;
  period: Period | undefined;
  duration: Quantity | undefined;
  /** The upper end of a range of durations. */
  longest: Quantity | undefined;
  isOnce: boolean;
  /** The dates on which the medication is taken, if it is taken only on those dates. */
  dates: string[];
}

export const boundsOf = (dosages: unknown): Bounds[] =>
  itemsOf(dosages).map((dosage) => {
    const parts = new loose.Parts(dosage);
    const timing = parts.within('timing');
    const repeat = timing.within('repeat');
    const isRepeated = ['frequency', 'period', 'periodUnit', 'countMax', 'dayOfWeek'].some(
      (name) => repeat.raw(name) !== undefined,
    );
    return {
      sequence: parts.take('sequence', loose.numberIn),
      period: repeat.take('boundsPeriod', loose.periodIn),
      duration: repeat.take('boundsDuration', loose.quantityIn),
      longest: repeat.take('boundsRange', rangeIn)?.high,
      isOnce: !isRepeated && repeat.take('count', loose.numberIn) === 1,
      dates: isRepeated ? [] : (timing.take('event', loose.allIn(loose.textIn)) ?? []),
    };
  });

/** Groups bounds by the sequential steps of their dosages; a single step if the dosages have no order. */
export function stepsOf(all: readonly Bounds[]): Bounds[][] {
  if (all.some(({ sequence }) => sequence === undefined)) return [[...all]];
  const steps = Map.groupBy(all, ({ sequence }) => sequence ?? 0);
  return [...steps].toSorted(([a], [b]) => a - b).map(([, step]) => step);
}

/** A code that is a long number. It means nothing to a reader, and must not read as an amount. */
const NUMBER_CODE = /^\d{5,}$/;

/** Returns words for a term that is a number or a numeric code without a name: alone, it would read as a dose. */
function numberSaid(words: Words, code: Concept, term: string): string | undefined {
  const isBare = !isNamed(code);
  if (!NUMBER_CODE.test((isBare ? codesOf(code)[0] : undefined) ?? term)) return undefined;
  const said = isBare ? term : words.t('code {code}, without a name', { code: term });
  return `${words.t('how often#of a dosage')}: ${said}`;
}

/** Returns a timing in words. If its code has the same meaning as the rest, that meaning is written once. */
export function timingWords(words: Words, value: unknown): TimingWords {
  const parts = new loose.Parts(value);
  const dates = parts.take('event', loose.allIn(loose.textIn)) ?? [];
  const repeat = repeatWords(words, parts.raw('repeat'));
  const code = parts.take('code', loose.conceptIn);
  const meaning = code && codeMeaning(code);
  const coded = meaning ? codedWords(words, meaning) : undefined;
  const key = meaning?.rate && rateKey(meaning.rate);
  const term = code && concept(words, code);
  const said = term && (numberSaid(words, code, term) ?? loose.plainTerm(term));
  const isSaid = meaning
    ? (key === undefined || key === repeat.rate) &&
      (meaning.event === undefined || repeat.events.some((event) => event.startsWith(meaning.event ?? '')))
    : said !== undefined && (repeat.core.includes(said) || isTimesOf(said, repeat.times));
  const dated = dates.map((date) => clockDate(words, date));
  return {
    core: [
      ...(isSaid || said === undefined ? [] : [coded ?? said]),
      ...repeat.core,
      ...(dates.length > 0 ? [words.t('on {dates}', { dates: words.listed(dated) })] : []),
    ],
    more: repeat.more,
    extensions: [...repeat.extensions, ...itemsOf(parts.raw('extension'))],
    unread: [...repeat.unread, ...parts.left()],
  };
}

/** Returns whether the words of a code are times of a day, such as `0900`, and equal these times. */
function isTimesOf(said: string, times: string[]): boolean {
  const found = said.split(/[\s,;&]+/).map((one) => one.replace(/^(\d\d):?(\d\d)(?::00)?$/, '$1:$2'));
  return times.length > 0 && found.length === times.length && found.every((time) => times.includes(time));
}

function codedWords(words: Words, { code, rate, event }: { code: string; rate?: Rate; event?: string }): string {
  const texts = [rate && rateText(words, rate), event && eventText(words, event, undefined)];
  return `${texts.filter(Boolean).join(', ')} (${code})`;
}
