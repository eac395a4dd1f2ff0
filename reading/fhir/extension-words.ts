//! Extensions in words: the name at the end of the address, with the value.

import { plainDecimal } from '../language/decimal.ts';
import type { PlainMessage, Words } from '../language/words.ts';
import { own } from '../own.ts';
import { isObject, itemsOf } from '../shape.ts';
import { period } from './date.ts';
import { valueText } from './element-text.ts';
import { periodIn, quantityIn, textIn } from './loose.ts';
import { spanText } from './time-units.ts';

/** Prefixes of names of extensions: a country with the element, a guide, or a data type. */
const PREFIX = /^(?:[A-Z]{2,}_(?:\w+_)?|ext(?:ension)?[-_.]|timing-|structuredefinition-)(?=\w)/i;

/** The names of known extensions of dosages. */
const KNOWN: Readonly<Record<string, PlainMessage>> = {
  dayOfMonth: 'day of the month',
  daysOfCycle: 'days of the cycle',
  day: 'day',
  UsageDuration: 'time in all#of a dosage',
  PeriodOfUse: 'to be used#a medication',
};

/** Extensions that state whether there is a dosage, which the dosage itself shows (KBV, Germany). */
const SILENT = /KBV_EX_ERP_DosageFlag$/;

/** Returns the name of an extension: `JP_MedicationRequest_DosageInstruction_UsageDuration` is `usage duration`. */
function nameOf(words: Words, url: unknown): string {
  const end = textIn(url)?.split(/[/#:]/).findLast(Boolean) ?? 'extension';
  const name = end.replace(PREFIX, '');
  const known = own(KNOWN, name);
  if (known) return words.t(known);
  const text = name
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])[A-Z](?=[a-z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** Returns the value of an extension in words, or the values of its nested extensions if it has none. */
function valueIn(words: Words, extension: Readonly<Record<string, unknown>>): string | undefined {
  const name = Object.keys(extension).find((key) => key.startsWith('value'));
  const value = name === undefined ? undefined : extension[name];
  if (value === undefined) {
    const within = extensionsIn(words, extension.extension);
    return within.length > 0 ? within.map(({ words }) => words).join('; ') : undefined;
  }
  if (typeof value === 'boolean' || typeof value === 'number') return plainDecimal(String(value));
  // A coding has a member `code`, as a quantity does.
  const [amount, time] = [name === 'valueCoding' ? undefined : quantityIn(value), periodIn(value)];
  return (amount && spanText(words, amount)) ?? (time && period(words, time)) ?? valueText(words, value);
}

export interface ExtensionWords {
  /** The name and the value. */
  words: string;
  /** The value alone. */
  value: string | undefined;
}

export const extensionsIn = (words: Words, value: unknown): ExtensionWords[] =>
  itemsOf(value).flatMap((one) => {
    const extension = isObject(one) ? one : {};
    if (SILENT.test(textIn(extension.url) ?? '')) return [];
    const said = valueIn(words, extension);
    return {
      words: said === undefined ? nameOf(words, extension.url) : `${nameOf(words, extension.url)}: ${said}`,
      value: said,
    };
  });
