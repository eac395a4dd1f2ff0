//! A comparison of the words about medications with the coded ones: strengths and doses that only the words have, and
//! lines about a drug that no coded record names. It compares what can be compared with care: numbers with a unit of
//! mass or activity, behind the name of a drug.

import { own } from '../own.ts';

/** A coded medication, as the chart shows it. */
export interface CodedDrug {
  /** Its name. */
  name: string;
  /** All texts with its strengths and doses. */
  texts: string[];
}

const NUMBER = /(\d+(?:[.,\s]\d{3})*(?:[.,]\d+)?)\s*(kg|mg|g|mcg|µg|μg|ug|ng|iu|ui|unt|units?|unidades)(?![\p{L}\d])/u;
const PER = new RegExp(
  String.raw`(?:\s*(?:/|per|por|pro|par)\s*(\d+(?:[.,]\d+)?)?\s*(ml|milliliters?|l|g|gram|mg|actuat\p{L}*|puff` +
    String.raw`|dos\p{L}*)(?!\p{L}))?`,
  'u',
);
const AMOUNT = new RegExp(NUMBER.source + PER.source, 'giu');

const FACTORS: Readonly<Record<string, [number, string]>> = {
  kg: [1e9, 'µg'],
  g: [1e6, 'µg'],
  mg: [1e3, 'µg'],
  mcg: [1, 'µg'],
  µg: [1, 'µg'],
  μg: [1, 'µg'],
  ug: [1, 'µg'],
  ng: [1e-3, 'µg'],
};

/** The size of a volume or mass in which an amount is, in mL or g, by its unit; 1 for a puff. */
const SIZES: Readonly<Record<string, number>> = { l: 1e3, mg: 1e-3 };

/** An amount in a text: as it is written, and its size in a unit by which it is compared. */
interface Amount {
  written: string;
  size: number;
  unit: string;
}

/**
 * Returns whether two amounts are one, within what is lost by rounding: `2.5 mg/3 mL` is `0.83 mg/mL`. What is of a
 * puff may stand without it.
 */
const isSame = (a: Amount, b: Amount): boolean =>
  a.unit.replace('/puff', '') === b.unit.replace('/puff', '') && Math.abs(a.size - b.size) <= 0.01 * a.size;

/** A number with either decimal sign, and with groups of thousands. */
function numberOf(digits: string): number {
  const plain = digits.replaceAll(/\s/g, '');
  const grouped = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*$/.exec(plain);
  return Number(grouped && !plain.startsWith('0') ? plain.replaceAll(/[.,]/g, '') : plain.replace(',', '.'));
}

export function amountsIn(text: string): Amount[] {
  return [...text.matchAll(AMOUNT)].flatMap(([written, digits = '', unit = '', parts = '1', whole]) => {
    const [factor, base] = own(FACTORS, unit.toLowerCase()) ?? [1, 'unit'];
    const of = whole === undefined ? 1 : numberOf(parts) * (own(SIZES, whole.toLowerCase()) ?? 1);
    const size = (numberOf(digits) * factor) / of;
    const per = whole === undefined ? '' : `/${/^(?:ml|milli|l|g|mg)/i.test(whole) ? 'mL' : 'puff'}`;
    return Number.isFinite(size) ? [{ written: written.trim(), size, unit: `${base}${per}` }] : [];
  });
}

/** The amounts of a text, and what those of a combination come to. */
function withSums(text: string): Amount[] {
  const amounts = amountsIn(text);
  const [first] = amounts;
  const isSum = first && amounts.length > 1 && amounts.every(({ unit }) => unit === first.unit);
  return isSum ? [...amounts, { ...first, size: amounts.reduce((sum, { size }) => sum + size, 0) }] : amounts;
}

const lower = (text: string): string => text.normalize('NFC').toLowerCase();
export const wordsIn = (text: string): string[] => lower(text).match(/\p{L}{4,}/gu) ?? [];

/** Words that stand at the beginning of names of drugs and name none. */
const GENERAL = new Set(['product', 'containing', 'only', 'oral', 'tablet', 'tablets', 'capsule', 'acid', 'sodium']);
/** The first word of the name of a drug or a substance, by which lines are known. */
export const firstWord = (name: string): string | undefined => wordsIn(name).find((word) => !GENERAL.has(word));

/** The drug and the amounts of a line of words that the coded records lack. */
export interface Difference {
  drug: string;
  amounts: string[];
}

/** The differences between lines of words, one for each drug, and the coded medications. */
export function differences(lines: readonly string[], drugs: readonly CodedDrug[]): Difference[] {
  const byWord = new Map<string, CodedDrug[]>();
  for (const drug of drugs) {
    const word = firstWord(drug.name);
    if (word) byWord.set(word, [...(byWord.get(word) ?? []), drug]);
  }
  const all: Difference[] = [];
  const unknown: Difference[] = [];
  let isKnown = false;
  for (const line of lines) {
    const words = wordsIn(line);
    const named = [...new Set(words)].filter((word) => byWord.has(word));
    if (named.length > 1) continue;
    const [word] = named;
    if (word === undefined) {
      const drug = /^\s*(\p{L}[\p{L}-]{4,})[^:]*$/u.exec(line)?.[1];
      const amounts = amountsIn(line);
      if (drug && amounts.length > 0) unknown.push({ drug, amounts: amounts.map(({ written }) => written) });
      continue;
    }
    isKnown = true;
    const coded = (byWord.get(word) ?? []).flatMap(({ texts }) => texts.flatMap(withSums));
    const behind = line.slice(lower(line).indexOf(word));
    const only = amountsIn(behind).filter((amount) => !coded.some((one) => isSame(amount, one)));
    const amounts = only.map(({ written }) => written);
    if (amounts.length > 0) all.push({ drug: behind.slice(0, word.length), amounts });
  }
  // Where no line names a coded drug, both may be in other languages.
  return isKnown ? [...all, ...unknown] : [];
}
