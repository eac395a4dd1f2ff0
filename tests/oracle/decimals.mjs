// Decimals as they are written, without floating point: {mantissa, scale} is mantissa / 10^scale.

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

// The digits of a number that is compared, from the first to the last that is not 0, and the powers of ten of the last.
const MAX_DIGITS = 18;
const POWERS = [-128, 127];

// -> {mantissa: BigInt, scale}, or null where the text is no decimal of FHIR, or none that is compared.
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

// JSON.parse keeps 15 digits of a number for certain. {object: {name: digits}} has those of longer ones.
const written = new WeakMap();

// A document, whose long numbers keep their digits for digitsOf.
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

// The digits of a number that an object holds.
export const digitsOf = (holder, name) => written.get(holder)?.[name] ?? String(holder[name]);
