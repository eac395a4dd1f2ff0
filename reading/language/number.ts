//! Numbers by the locale of the page.

import { locale } from './words.ts';

let format: { of: string; whole: Intl.NumberFormat; separator: string } | undefined;

function current(): NonNullable<typeof format> {
  if (format?.of !== locale()) {
    const whole = new Intl.NumberFormat(locale());
    const separator = whole.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';
    format = { of: locale(), whole, separator };
  }
  return format;
}

/** A count: `1,234`. Most are small, and need no format: the first one of a page takes a frame to make. */
export const number = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 1000 ? String(value) : current().whole.format(value);

/** A decimal with the digits that it was written with: `7.20` is `7,20` where the locale has a comma. */
export const decimal = (written: string): string =>
  written.includes('.') ? written.replace('.', current().separator) : written;

/** A list in words: `a, b and c`, or `a, b or c`. */
export const listed = (items: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string =>
  new Intl.ListFormat(locale(), { type }).format(items);
