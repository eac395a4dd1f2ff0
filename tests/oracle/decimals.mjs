// Exact decimals, without floating point: {mantissa, scale} is mantissa / 10^scale.

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

// The limits of comparable numbers: the digits from the first to the last nonzero digit, and the last digit's power.
const MAX_DIGITS = 18;
const POWERS = [-128, 127];

// -> {mantissa: BigInt, scale}, or null if the text is not a FHIR decimal, or not within the limits.
export function parseDecimal(text) {
  const match = DECIMAL.exec(text);
  if (!match) return null;
  const [, sign, whole, fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/0+$/, '');
  if (digits === '') return { mantissa: 0n, scale: 0 };
  const power = Number(exponent) + whole.length - digits.length;
  if (digits.replace(/^0+/, '').length > MAX_DIGITS || power < POWERS[0] || power > POWERS[1]) return null;
  const mantissa = BigInt(sign + whole + fraction);
  return { mantissa, scale: fraction.length - Number(exponent) };
}

const raised = ({ mantissa, scale }, to) => mantissa * 10n ** BigInt(to - scale);

function together(a, b) {
  const scale = Math.max(a.scale, b.scale);
  return [raised(a, scale), raised(b, scale), scale];
}

export function compareDecimals(a, b) {
  const [one, other] = together(a, b);
  return one < other ? -1 : one > other ? 1 : 0;
}

export function add(a, b) {
  const [one, other, scale] = together(a, b);
  return { mantissa: one + other, scale };
}

export const times = (a, b) => ({ mantissa: a.mantissa * b.mantissa, scale: a.scale + b.scale });
export const negated = ({ mantissa, scale }) => ({ mantissa: -mantissa, scale });
export const absolute = (a) => (a.mantissa < 0n ? negated(a) : a);
export const tenth = ({ mantissa, scale }) => ({ mantissa, scale: scale + 1 });
// 0.5 * 10^exponent
export const halfOf = (exponent) => ({ mantissa: 5n, scale: 1 - exponent });

// --- Documents ---

// JSON.parse preserves 15 digits of a number. {object: {name: digits}} has the digits of longer numbers.
const written = new WeakMap();

// Parses a document, and keeps the digits of its long numbers for digitsOf.
export function parseDocument(text) {
  if (!/[\d.]{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, function keep(name, value, { source } = {}) {
    if (typeof value === 'number' && source.length > 15) {
      if (!written.has(this)) written.set(this, {});
      written.get(this)[name] = source;
    }
    return value;
  });
}

// The digits of a number in an object.
export const digitsOf = (holder, name) => written.get(holder)?.[name] ?? String(holder[name]);
