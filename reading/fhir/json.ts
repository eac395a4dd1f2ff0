//! JSON whose numbers keep their digits: 7.0 is a more exact measurement than 7, and must not be shown as one
//! (<https://hl7.org/fhir/R4/datatypes.html#decimal>: the precision has a meaning). A blank text is read as an empty
//! one, so that it is no name (<https://hl7.org/fhir/R4/datatypes.html#string>).

import { BLANK } from '../visible.ts';

/** The member next to a number with its digits as they were written. It is not enumerable, so that loops skip it. */
const writtenName = (name: string): string => (name === 'value' ? 'written' : `${name}#written`);

// Newer than TypeScript's library (<https://github.com/tc39/proposal-json-parse-with-source>).
declare global {
  interface JSON {
    rawJSON?(text: string): unknown;
  }
}

const TEXT = String.raw`"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)`;
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\s*:)`;
/** A number of JSON, or some texts: a match of each would take twice as long. */
const TOKEN = new RegExp(String.raw`${TEXT}(?:[^"\d-]+${TEXT}){0,30}|${NUMBER}`, 'g');
/** A noncharacter, before numbers that are read as texts since JavaScript would write them with other digits. */
const MARK = '\ufdd0';
const marked = (token: string): string =>
  token.startsWith('"') || String(Number(token)) === token ? token : `"\\ufdd0${token}"`;

/** Makes marked texts numbers, and blank texts empty. A reviver of `JSON.parse` takes three times as long. */
function settle<T extends object>(of: T): T {
  for (const [name, value] of Object.entries(of)) {
    if (typeof value === 'object' && value !== null) settle(value);
    else if (typeof value !== 'string') continue;
    // No record has digits of its own.
    else if (name.endsWith('written')) Reflect.deleteProperty(of, name);
    else if (BLANK.test(value)) Reflect.set(of, name, '');
    else if (value.startsWith(MARK) && !Number.isNaN(Number(value.slice(1)))) {
      Reflect.set(of, name, Number(value.slice(1)));
      Object.defineProperty(of, writtenName(name), { value: value.slice(1), enumerable: false });
    }
  }
  return of;
}

/** Returns the digits of a number as they were written, if they were kept. */
export function writtenDigits(of: unknown, name: string): string | undefined {
  const written: unknown = typeof of === 'object' && of !== null ? Reflect.get(of, writtenName(name)) : undefined;
  return typeof written === 'string' ? written : undefined;
}

function writeDigits(this: unknown, key: string, value: unknown): unknown {
  const written = typeof value === 'number' && JSON.rawJSON ? writtenDigits(this, key) : undefined;
  return written === undefined ? value : JSON.rawJSON?.(written);
}

/** Parses JSON; returns `undefined` if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return settle({ value: JSON.parse(text.replace(TOKEN, marked)) }).value;
  } catch {
    return undefined;
  }
}

/** Writes a value with its original digits, on one line. */
export const compact = (value: unknown): string => JSON.stringify(value, writeDigits);

/** Writes a value with its original digits, indented. */
export const printed = (value: unknown): string => JSON.stringify(value, writeDigits, 2);
