//! JSON whose numbers keep their digits: 7.0 is a more exact measurement than 7, and must not be shown as one
//! (<https://hl7.org/fhir/R4/datatypes.html#decimal>: the precision has a meaning). A blank text is read as an empty
//! one, so that it is no name (<https://hl7.org/fhir/R4/datatypes.html#string>).

import { BLANK } from '../visible.ts';

/** The member next to a number with its digits as they were written. It is not enumerable, so that loops skip it. */
const writtenName = (name: string): string => (name === 'value' ? 'written' : `${name}#written`);

// Newer than TypeScript's library (<https://github.com/tc39/proposal-json-parse-with-source>).
type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;
declare global {
  interface JSON {
    rawJSON?(text: string): unknown;
  }
}

const readValue: Reviver = function (this, key, value, context) {
  if (typeof value === 'string') return BLANK.test(value) ? '' : value;
  const source = context?.source;
  const differs = typeof value === 'number' && source !== undefined && source !== String(value);
  if (differs && typeof this === 'object' && this !== null)
    Object.defineProperty(this, writtenName(key), { value: source, enumerable: false });
  return value;
};

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
    return JSON.parse(text, readValue);
  } catch {
    return undefined;
  }
}

/** Writes a value with its original digits, on one line. */
export const compact = (value: unknown): string => JSON.stringify(value, writeDigits);

/** Writes a value with its original digits, indented. */
export const printed = (value: unknown): string => JSON.stringify(value, writeDigits, 2);
