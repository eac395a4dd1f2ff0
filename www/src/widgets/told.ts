//! The shapes of the results that the widgets draw (`reading/tools`), and the sentences in them.

import { own } from '#reading/own.ts';
import { boolean, each, list, number, object, partial, record, type ShapeValue, string } from '#reading/shape.ts';
import { type Message, type PlainMessage, t, words } from '../language/message.ts';

const quoted = record(string);
const fact = object(
  { what: string },
  { ...each(string, 'ref', 'url', 'value', 'unit', 'when', 'state', 'flag', 'caution'), quoted },
);
export type ToldFact = ShapeValue<typeof fact>;

/** What every result says. */
const frame = {
  ...each(string, 'now', 'next'),
  ...each(number, 'shown', 'total'),
  complete: boolean,
  left_out: list(string),
};
const frameShape = partial(frame);
export type Frame = ShapeValue<typeof frameShape>;

const section = object(
  { name: string, facts: list(fact) },
  { ...each(number, 'shown', 'total'), past: list(fact), none: string },
);
export const overviewShape = object(
  { sections: list(section) },
  { ...frame, who: partial({ ...each(string, 'name', 'born', 'gender'), quoted }), caution: string, in_error: number },
);
export type ToldOverview = ShapeValue<typeof overviewShape>;

const point = object({ value: string }, each(string, 'when', 'flag'));
export type ToldPoint = ShapeValue<typeof point>;
const series = object(
  { points: list(point) },
  {
    ...each(string, 'name', 'apart', 'unit', 'mean', 'usual'),
    ...each(number, 'n', 'undated', 'in_error', 'bounds', 'outside', 'periods_left_out', 'without_period'),
    ...each(fact, 'first', 'last', 'lowest', 'highest'),
    quoted,
    codes: list(string),
    change: object({ way: string, by: string }, { since: string }),
    periods: list(object({ period: string }, { n: number, ...each(string, 'lowest', 'highest', 'mean') })),
  },
);
export type ToldSeries = ShapeValue<typeof series>;
export const trendShape = object({ series: list(series) }, { ...frame, ...each(string, 'measure', 'none') });
export type ToldTrend = ShapeValue<typeof trendShape>;

/** The sentences of the tools, which are in English. */
export const SENTENCES: readonly Message[] = [
  'No current {name} among the {types} records that this app may see, which does not mean none.',
  'This app may not see such records.',
  'An entry says that no {names} are known, beside entries that name some.',
  'Not open to this app: {types}.',
  '{count} facts that are past: ask with query.',
  '{count} facts that did not fit: ask with query or trend.',
  'Records or tests beyond the first 1,000, or visits beyond the newest 50.',
  'No number with a date, in this period, among the results that this app may see.',
  '{count} older points that did not fit; they are in n, lowest, highest and mean.',
  '{count} older points that did not fit.',
  'Results beyond the newest 1,000: ask with since and until.',
  'Results that are no number: {count}. Ask with query.',
  'Records without the date "{name}".',
  'Malformed records that cannot be read: {count}.',
  'Their JSON: fetch with raw {addresses}.',
];

export const TITLES: Readonly<Record<string, PlainMessage>> = {
  allergies: 'Allergies',
  problems: 'Problems',
  medications: 'Medications',
  results: 'Results',
  vitals: 'Vital signs',
  visits: 'Visits',
};

/** Returns a sentence of a tool in the language of the host. Another text stays. */
export function sentence(text: string): string {
  if (words().language === 'en') return text;
  const titled = (value: string): string => {
    const title = own(TITLES, value);
    return title === undefined ? value : t(title).toLowerCase();
  };
  const inWords = (value = ''): string => words().listed(value.split(' and ').map(titled));
  for (const message of SENTENCES) {
    const names = [...message.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const found = new RegExp(`^${message.replaceAll('.', '\\.').replace(/\{\w+\}/g, '(.+)')}$`).exec(text);
    if (!found) continue;
    const values = names.map((name, i) => [name, inWords(found[i + 1])]);
    return words().parts(message, Object.fromEntries(values)).join('');
  }
  return text;
}

/** Returns a number of a result with the decimal sign of the locale. Its digits and another text stay. */
export const decimal = (text: string): string =>
  text.replace(/(?<![\d.])\d+\.\d+(?![\d.])/g, (number) => words().decimal(number));
