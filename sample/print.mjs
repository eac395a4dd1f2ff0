// Prints JSON on one line, as JSON.stringify does, but keeps the digits of a number as they were written:
// `1.0`, `5.40` and `1.2E+2` are three different statements about precision, and FHIR wants them kept.

class Exact {
  constructor(digits) {
    if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(digits)) throw new Error(`not a JSON number: ${digits}`);
    this.digits = digits;
  }
}

/** A number that is printed exactly as it is written here: exact('5.40'). */
export const exact = (digits) => new Exact(String(digits));

export function print(value) {
  if (value instanceof Exact) return value.digits;
  if (Array.isArray(value)) return `[${value.map(print)}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .filter(([, v]) => v !== undefined)
    .map(([k, v]) => `${JSON.stringify(k)}:${print(v)}`)}}`;
}
