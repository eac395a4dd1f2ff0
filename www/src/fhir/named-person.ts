//! The comparison of a person whom a document names with the patient of a chart, by name and birth date. What is
//! missing, or cannot be compared, tells nothing.

import { own } from '../own.ts';
import type { HumanName } from './types.ts';

/** A person by what is written of them. */
export interface NamedPerson {
  /** Names, each written whole. */
  names: string[];
  /** The birth date as FHIR writes it; several where the order of day and month is not told. */
  birthDates: string[];
}

/** Letters that have no mark to take away. */
const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', œ: 'o', æ: 'a', ł: 'l', đ: 'd', ı: 'i' };
const TITLES = /^(?:mr|mrs|ms|miss|dr|prof|sr|sra|srta|herr|frau|jr|md|phd)$/;

/** The words of a name without marks and titles. `ae`, `oe` and `ue` stand for letters with a mark. */
const wordsOf = (name: string): string[] =>
  name
    .toLowerCase()
    .replace(/[ßøœæłđı]/g, (letter) => own(LETTERS, letter) ?? letter)
    .normalize('NFD')
    .replace(/[\p{M}'’]/gu, '')
    .replace(/([aou])e/g, '$1')
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '' && !TITLES.test(word));

const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Han}/u,
  /\p{Script=Katakana}/u,
  /\p{Script=Hiragana}/u,
  /\p{Script=Hangul}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
];
/** The number of the script of a name; those of other scripts share one. */
const scriptOf = (words: readonly string[]): number =>
  SCRIPTS.findIndex((script) => words.some((word) => script.test(word)));

/** Returns whether two names are equal without regard to spaces, in either order: some scripts have none. */
function areOneWord(one: readonly string[], other: readonly string[]): boolean {
  const whole = one.join('');
  return whole === other.join('') || whole === [...other].reverse().join('');
}

/** Returns whether two words of names are equal, or one is the initial of the other. */
const areAlike = (a: string, b: string): boolean =>
  a === b || ((a.length === 1 || b.length === 1) && a.charAt(0) === b.charAt(0));

/** Returns whether two names may be of one person. A family name may change, which a birth date makes up for. */
function mayBeOne(one: readonly string[], other: readonly string[], isSameDay: boolean): boolean {
  if (areOneWord(one, other)) return true;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  const shared = short.filter((word) => long.some((candidate) => areAlike(word, candidate)));
  if (isSameDay) return shared.some((word) => word.length > 1) || shared.length === short.length;
  return shared.length >= Math.min(2, short.length);
}

/** Returns whether two dates agree as far as both are written; nothing where one is not there. */
function areOneDay(one: string, other: string): boolean | undefined {
  const length = Math.min(one.length, other.length, 10);
  return length < 4 ? undefined : one.slice(0, length) === other.slice(0, length);
}

/** By what the person of a document differs from that of a chart. */
export interface Difference {
  name: boolean;
  birthDate: boolean;
}

/** The difference of two people; nothing where they may be one person. */
export function differenceOf(chart: NamedPerson, named: NamedPerson): Difference | undefined {
  const days = chart.birthDates.flatMap((day) => named.birthDates.map((other) => areOneDay(day, other)));
  const known = days.filter((one) => one !== undefined);
  const birthDate = known.length > 0 && !known.includes(true);
  const isSameDay = known.includes(true) && named.birthDates.every((day) => day.length >= 10);
  const pairs = chart.names.map(wordsOf).flatMap((one) => named.names.map((name) => [one, wordsOf(name)] as const));
  // A name in another script is not compared.
  const comparable = pairs.filter(([a, b]) => a.length > 0 && b.length > 0 && scriptOf(a) === scriptOf(b));
  const name = comparable.length > 0 && !comparable.some(([a, b]) => mayBeOne(a, b, isSameDay));
  return name || birthDate ? { name, birthDate } : undefined;
}

/** All names of a Patient, each written whole. */
export const writtenNames = (names: readonly HumanName[] = []): string[] =>
  names.flatMap(({ text, given = [], family }) => {
    const parts = [...given, family].filter(Boolean).join(' ');
    return [...new Set([text ?? '', parts])].filter(Boolean);
  });
