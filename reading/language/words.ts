//! The words of a language, as a value that is passed to functions. The English text of a message is the key of its
//! translation, so that code stays readable and English needs no catalogue. The type `Message` has the keys of the
//! Spanish catalogue: a text that is missing from the files of `es/` does not compile.
//!
//! - `{name}` is a placeholder for a value. Numbers are written by the locale.
//! - `{n} record|{n} records`: the forms for one and for other numbers, chosen by `n`.
//! - `Change#the action`: the text after `#` distinguishes equal English texts, and is not shown.

import { own } from '../own.ts';
import { withoutDirections } from '../visible.ts';
import { briefDecimal, plainDecimal } from './decimal.ts';
import type { Message } from './es/catalogue.ts';

export type { Message };

/** The tag of a language without its region (BCP 47). */
export type Language = string;

type Places<M extends string> = M extends `${string}{${infer Name}}${infer Rest}` ? Name | Places<Rest> : never;
export type MessageValues<M extends string, V> = { [Name in Places<M>]: Name extends 'n' ? number : V };
/** The messages without placeholders among some messages. */
export type MessageWithoutPlaces<Known extends string> = { [M in Known]: Places<M> extends never ? M : never }[Known];
/** The messages without placeholders, which tables may contain. */
export type PlainMessage = MessageWithoutPlaces<Message>;

type Text = string | number;

/** A function that returns the text of one of some messages. */
export interface Translate<Known extends string> {
  (message: MessageWithoutPlaces<Known>): string;
  <M extends Known>(message: M, values: MessageValues<M, Text>): string;
}

export interface LanguageTexts {
  language: Language;
  /** The language with its region, for dates and numbers (BCP 47). */
  locale: string;
  /** The translations; `undefined` for English. */
  catalogue?: Readonly<Record<string, string>> | undefined;
}

/** A language. Each language is one object, so that results that are cached by it are found again. */
export class Words {
  readonly language: Language;
  readonly locale: string;
  readonly #catalogue: LanguageTexts['catalogue'];
  readonly #isBrief: boolean;
  #brief: Words | undefined;
  #plural: Intl.PluralRules | undefined;
  #whole: Intl.NumberFormat | undefined;
  #separator: string | undefined;

  constructor({ language, locale, catalogue }: LanguageTexts, isBrief = false) {
    this.language = language;
    this.locale = locale;
    this.#catalogue = catalogue;
    this.#isBrief = isBrief;
  }

  /** The same language, with few digits: for tiles and tables, beside which the record has all of them. */
  get brief(): Words {
    const { language, locale } = this;
    const texts = { language, locale, catalogue: this.#catalogue };
    this.#brief ??= this.#isBrief ? this : new Words(texts, true);
    return this.#brief;
  }

  readonly t: Translate<Message> = (message: string, values: Record<string, Text> = {}): string =>
    this.parts(message, values).join('');

  /** Returns the pieces of the text of a message, with the values in its placeholders. */
  parts<V>(message: string, values: Record<string, V>): (V | string)[] {
    const [text = ''] = (this.#catalogue?.[message] ?? message).split('#');
    const shown = (value: V | undefined): V | string =>
      typeof value === 'number'
        ? this.number(value)
        : typeof value === 'string'
          ? withoutDirections(value)
          : (value ?? '');
    return this.#form(text, values.n)
      .split(/\{(\w+)\}/)
      .map((part, i) => (i % 2 === 0 ? part : shown(values[part])));
  }

  #form(text: string, n: unknown): string {
    const [one = '', other = one] = text.split('|');
    if (typeof n !== 'number') return one;
    this.#plural ??= new Intl.PluralRules(this.language);
    return this.#plural.select(n) === 'one' ? one : other;
  }

  /** Translates a text of a closed set that comes with the data, such as a status. Text without a translation stays. */
  readonly translated = (text: string): string => (this.#catalogue && own(this.#catalogue, text)) ?? text;

  get #numbers(): Intl.NumberFormat {
    this.#whole ??= new Intl.NumberFormat(this.locale);
    return this.#whole;
  }

  /** A count: `1,234`. Most are small, and need no format: the first one of a page takes a frame to make. */
  number(value: number): string {
    return Number.isInteger(value) && Math.abs(value) < 1000 ? String(value) : this.#numbers.format(value);
  }

  /** Returns a decimal with its original digits: `7.20` is `7,20` if the locale has a decimal comma. */
  decimal(written: string): string {
    const text = this.#isBrief ? briefDecimal(written) : plainDecimal(written);
    if (!text.includes('.')) return text;
    this.#separator ??= this.#numbers.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';
    return text.replace('.', this.#separator);
  }

  /** Returns a list in words: `a, b and c`, or `a, b or c`. */
  listed(items: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
    return new Intl.ListFormat(this.locale, { type }).format(items);
  }
}

/** English with dates that suit no single country. It is also the language of codes and texts as they were sent. */
export const ENGLISH: Words = new Words({ language: 'en', locale: 'en-GB' });
