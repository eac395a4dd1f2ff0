//! The comparison of a person whom a document names with the patient of a chart, by name and birth date. What is
//! missing, or is in another script, tells nothing.

import type { HumanName } from './types.ts';
import { unaccented } from './unaccented.ts';

/** A person by what is written of them. */
export interface NamedPerson {
  /** Names, each written whole. */
  names: string[];
  /** The birth date as FHIR writes it. */
  birthDates: string[];
}

/** The words of names in Latin letters, without marks. `ae`, `oe` and `ue` stand for letters with a mark. */
const wordsOf = ({ names }: NamedPerson): string[] =>
  unaccented(names.join(' '))
    .replace(/['’]/g, '')
    .toLowerCase()
    .replace(/([aou])e/g, '$1')
    .split(/[^\p{Script=Latin}]+/u)
    .filter(Boolean);

/** By what the person of a document differs from that of a chart. */
export interface Difference {
  name: boolean;
  birthDate: boolean;
}

/** The difference of two people: no word of their names is the same, or other days of birth. Nothing without one. */
export function differenceOf(chart: NamedPerson, named: NamedPerson): Difference | undefined {
  const differ = (one: string[], other: string[]): boolean =>
    one.length > 0 && other.length > 0 && !one.some((part) => other.includes(part));
  const daysOf = ({ birthDates }: NamedPerson): string[] => birthDates.filter(({ length }) => length === 10);
  const name = differ(wordsOf(chart), wordsOf(named));
  const birthDate = differ(daysOf(chart), daysOf(named));
  return name || birthDate ? { name, birthDate } : undefined;
}

/** All names of a Patient, each written whole. */
export const writtenNames = (names: readonly HumanName[] = []): string[] =>
  names.flatMap(({ text, given = [], family }) => {
    const parts = [...given, family].filter(Boolean).join(' ');
    return [...new Set([text ?? '', parts])].filter(Boolean);
  });
