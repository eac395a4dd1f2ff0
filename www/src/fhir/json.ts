//! JSON whose numbers keep their digits: 7.0 is a more exact measurement than 7, and must not be shown as one.
//! (<https://hl7.org/fhir/R4/datatypes.html#decimal>: the precision has a meaning.)

/** Beside `value`, out of sight of every loop: the number as it was written. */
const WRITTEN = 'written';

type Reviver = (this: object, key: string, value: unknown, context?: { source?: string }) => unknown;
type RawJson = typeof JSON & { rawJSON?(text: string): unknown };

const keep: Reviver = function keep(key, value, context) {
  const source = context?.source;
  if (key === 'value' && typeof value === 'number' && source !== undefined && source !== String(value)) {
    Object.defineProperty(this, WRITTEN, { value: source, enumerable: false });
  }
  return value;
};

const asWritten = function asWritten(this: { written?: string }, key: string, value: unknown): unknown {
  const { rawJSON } = JSON as RawJson;
  return key === 'value' && typeof value === 'number' && this.written !== undefined && rawJSON
    ? rawJSON(this.written)
    : value;
};

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text, keep as (this: unknown, key: string, value: unknown) => unknown);
  } catch {
    return undefined;
  }
}

export const printed = (value: unknown): string =>
  JSON.stringify(value, asWritten as (this: unknown, key: string, value: unknown) => unknown, 2);
