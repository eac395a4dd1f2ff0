// Prints JSON on one line, as JSON.stringify does, but keeps the digits of numbers as they were written. FHIR requires
// that the precision of numbers such as `1.0`, `5.40` and `1.2E+2` is kept.

class Exact {
  constructor(digits) {
    if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(digits)) throw new Error(`not a JSON number: ${digits}`);
    this.digits = digits;
  }
}

/** Returns a number that is printed exactly as written: exact('5.40'). */
export const exact = (digits) => new Exact(String(digits));

export function print(value) {
  if (value instanceof Exact) return value.digits;
  if (Array.isArray(value)) return `[${value.map(print)}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .filter(([, v]) => v !== undefined)
    .map(([k, v]) => `${JSON.stringify(k)}:${print(v)}`)}}`;
}
