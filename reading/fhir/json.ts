//! JSON whose numbers keep their digits: 7.0 is a more exact measurement than 7, and must not be shown as one
//! (<https://hl7.org/fhir/R4/datatypes.html#decimal>: the precision has a meaning).

/** The member next to `value` with the number as it was written. It is not enumerable, so that loops skip it. */
const WRITTEN = 'written';

// Newer than TypeScript's library (<https://github.com/tc39/proposal-json-parse-with-source>).
type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;
declare global {
  interface JSON {
    rawJSON?(text: string): unknown;
  }
}

const keepDigits: Reviver = function (this, key, value, context) {
  const source = context?.source;
  const differs = typeof value === 'number' && source !== undefined && source !== String(value);
  if (key === 'value' && differs && typeof this === 'object' && this !== null) {
    Object.defineProperty(this, WRITTEN, { value: source, enumerable: false });
  }
  return value;
};

function writeDigits(this: unknown, key: string, value: unknown): unknown {
  if (key !== 'value' || typeof value !== 'number' || !JSON.rawJSON) return value;
  const written = typeof this === 'object' && this !== null && WRITTEN in this ? this.written : undefined;
  return typeof written === 'string' ? JSON.rawJSON(written) : value;
}

/** Parses JSON; returns `undefined` if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text, keepDigits);
  } catch {
    return undefined;
  }
}

/** Writes a value with its original digits, on one line. */
export const compact = (value: unknown): string => JSON.stringify(value, writeDigits);

/** Writes a value with its original digits, indented. */
export const printed = (value: unknown): string => JSON.stringify(value, writeDigits, 2);
