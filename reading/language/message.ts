//! Messages for people. The English text is the key of its translation, so that code stays readable and English needs
//! no catalogue. The type `Message` has the keys of the Spanish catalogue: a text that is not translated does not
//! compile.
//!
//! - `{name}` is a place for a value. Numbers are written by the locale.
//! - `{n} record|{n} records`: the forms for one and for other numbers, chosen by `n`.
//! - `Change#the action`: what follows `#` tells equal English texts apart, and is not shown.

import { own } from '../own.ts';
import type { Message } from './es/catalogue.ts';
import { number } from './number.ts';
import { language, words } from './words.ts';

export type { Message };

type Places<M extends string> = M extends `${string}{${infer Name}}${infer Rest}` ? Name | Places<Rest> : never;
export type Values<M extends string, V> = { [Name in Places<M>]: Name extends 'n' ? number : V };
/** The messages among some that have no place. */
export type Plain<Known extends string> = { [M in Known]: Places<M> extends never ? M : never }[Known];
/** The messages without a place, which tables may hold. */
export type PlainMessage = Plain<Message>;

type Text = string | number;

/** The text of one of some messages in the language that holds. */
export interface Translate<Known extends string> {
  (message: Plain<Known>): string;
  <M extends Known>(message: M, values: Values<M, Text>): string;
}

export const t: Translate<Message> = (message: string, values: Record<string, Text> = {}): string =>
  parts(message, values).join('');

/** A text that comes with the data, from a closed set such as the statuses; as it is where it has no translation. */
export const translated = (text: string): string => {
  const { catalogue } = words();
  return (catalogue && own(catalogue, text)) ?? text;
};

/** The pieces of the text of a message, with the values in its places. */
export function parts<V>(message: string, values: Record<string, V>): (V | string)[] {
  const { catalogue } = words();
  const [text = ''] = (catalogue?.[message] ?? message).split('#');
  return form(text, values.n)
    .split(/\{(\w+)\}/)
    .map((part, i) => (i % 2 === 0 ? part : shown(values[part])));
}

const shown = <V>(value: V | undefined): V | string => (typeof value === 'number' ? number(value) : (value ?? ''));

let rules: { of: string; plural: Intl.PluralRules } | undefined;

/** The form of a text for a number. */
function form(text: string, n: unknown): string {
  const [one = '', other = one] = text.split('|');
  if (typeof n !== 'number') return one;
  if (rules?.of !== language()) rules = { of: language(), plural: new Intl.PluralRules(language()) };
  return rules.plural.select(n) === 'one' ? one : other;
}
