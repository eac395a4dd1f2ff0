//! The words of a language, as a value: its catalogue, its locale, and the displays of codes. English is in the code.
//! The program that draws or answers says by `speak` which words hold.

import { own } from '../own.ts';

/** The tag of a language without its region (BCP 47). */
export type Language = string;

export interface Words {
  language: Language;
  /** The language with its region, for dates and numbers (BCP 47). */
  locale: string;
  /** The translations; nothing for English. */
  catalogue: Readonly<Record<string, string>> | undefined;
  /** The displays of the codes of common tables, by the English ones in small letters; nothing for English. */
  displays?: Readonly<Record<string, string>> | undefined;
}

/** English with the dates of no single country. */
export const ENGLISH: Words = { language: 'en', locale: 'en-GB', catalogue: undefined };

let current = (): Words => ENGLISH;

/** Sets the words that hold. Each text asks for them, so that a page notes which texts depend on its language. */
export function speak(words: () => Words): void {
  current = words;
}

export const words = (): Words => current();
export const language = (): Language => words().language;
export const locale = (): string => words().locale;

/** The display of a code of a common table in the language that holds; nothing where it is not known. */
export function displayed(text: string): string | undefined {
  const { displays } = words();
  const word = displays && own(displays, text.toLowerCase());
  const isCapital = /^\p{Lu}/u.test(text);
  return word && isCapital ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}
