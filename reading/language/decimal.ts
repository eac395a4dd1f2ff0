//! Decimal numbers as they were written. The digits say how exact a number is: they are moved, and none is added.

const WITH_EXPONENT = /^([-+]?)(\d+)(?:\.(\d*))?[eE]([-+]?\d{1,3})$/;

/** Returns a number without an exponent: `5E-1` is `0.5`, `3.0E+1` is `30`. Other text stays as it is. */
export function plainDecimal(written: string): string {
  const [, sign = '', whole, fraction = '', exponent] = WITH_EXPONENT.exec(written) ?? [];
  if (whole === undefined) return written;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const text =
    point <= 0
      ? `0.${'0'.repeat(-point)}${digits}`
      : point >= digits.length
        ? digits.padEnd(point, '0')
        : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return `${sign === '-' ? '-' : ''}${text.replace(/^0+(?=\d)/, '')}`;
}

/** The digits that are shown where there is little room, if there are more than a person measures. */
const BRIEF_DIGITS = 3;

/**
 * Returns a number with three significant digits if a program computed it, which its digits show: there are more than
 * four, and more than two behind the point. Digits before the point stay.
 */
export function briefDecimal(written: string): string {
  const text = plainDecimal(written);
  const [, whole = '', fraction = ''] = /^-?(\d+)\.(\d+)$/.exec(text) ?? [];
  const significant = (whole + fraction).replace(/^0+/, '').length;
  if (fraction.length <= 2 || significant <= BRIEF_DIGITS + 1) return text;
  const value = Number(text);
  return whole.length > BRIEF_DIGITS ? value.toFixed(0) : plainDecimal(value.toPrecision(BRIEF_DIGITS));
}
