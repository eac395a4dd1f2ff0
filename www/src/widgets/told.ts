//! The shapes of the results that the widgets draw (`reading/tools`), and the sentences in them.

import { own } from '#reading/own.ts';
import { boolean, list, number, object, partial, record, type ShapeValue, string } from '#reading/shape.ts';
import { type Message, type PlainMessage, t, words } from '../language/message.ts';

const fact = object(
  { what: string },
  {
    ref: string,
    url: string,
    value: string,
    unit: string,
    when: string,
    state: string,
    flag: string,
    caution: string,
    quoted: record(string),
  },
);
export type ToldFact = ShapeValue<typeof fact>;

/** What every result says. */
const frame = {
  now: string,
  complete: boolean,
  shown: number,
  total: number,
  left_out: list(string),
  next: string,
};
const frameShape = partial(frame);
export type Frame = ShapeValue<typeof frameShape>;

export const overviewShape = object(
  {
    sections: list(
      object({ name: string, facts: list(fact) }, { shown: number, total: number, past: list(fact), none: string }),
    ),
  },
  {
    ...frame,
    who: partial({ name: string, quoted: record(string), born: string, gender: string }),
    caution: string,
    in_error: number,
  },
);
export type ToldOverview = ShapeValue<typeof overviewShape>;

const point = object({ value: string }, { when: string, flag: string });
export type ToldPoint = ShapeValue<typeof point>;
const series = object(
  { points: list(point) },
  {
    name: string,
    quoted: record(string),
    apart: string,
    codes: list(string),
    unit: string,
    n: number,
    undated: number,
    in_error: number,
    bounds: number,
    first: fact,
    last: fact,
    lowest: fact,
    highest: fact,
    mean: string,
    change: object({ way: string, by: string }, { since: string }),
    usual: string,
    outside: number,
    periods: list(object({ period: string }, { n: number, lowest: string, highest: string, mean: string })),
    periods_left_out: number,
    without_period: number,
  },
);
export type ToldSeries = ShapeValue<typeof series>;
export const trendShape = object({ series: list(series) }, { ...frame, measure: string, none: string });
export type ToldTrend = ShapeValue<typeof trendShape>;

/** The sentences of the tools, which are in English. */
export const SENTENCES: readonly Message[] = [
  'No current {name} among the {types} records that this app may see, which does not mean none.',
  'This app may not see such records.',
  'An entry says that no allergy is known, beside allergies.',
  'Not open to this app: {types}.',
  '{count} facts that are past: ask with query.',
  '{count} facts that did not fit: ask with query or trend.',
  'Records or tests beyond the first 1,000, or visits beyond the newest 50.',
  'No number with a date, in this period, among the results that this app may see.',
  '{count} older points that did not fit; they are in n, lowest, highest and mean.',
  'Results beyond the newest 1,000: ask with since and until.',
];

/** The names of sections. */
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
  const inWords = (value = ''): string => {
    const title = own(TITLES, value);
    return title === undefined ? words().listed(value.split(' and ')) : t(title).toLowerCase();
  };
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
