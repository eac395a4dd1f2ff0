//! Compares the person whom a document names with the patient of a chart, by name and birth date. Missing values and
//! names in another script are ignored.

import type { HumanName } from '#reading/fhir/types.ts';
import { unaccented } from '#reading/fhir/unaccented.ts';
import { joinedBy } from '#reading/joined.ts';

/** The names and birth dates of a person, as they are written. */
export interface NamedPerson {
  /** Full names. */
  names: string[];
  /** Birth dates in the FHIR format. */
  birthDates: string[];
}

/** Returns the Latin words of names, without diacritics. `ae`, `oe` and `ue` count as `a`, `o` and `u`. */
const wordsOf = ({ names }: NamedPerson): string[] =>
  unaccented(names.join(' '))
    .replace(/['’]/g, '')
    .toLowerCase()
    .replace(/([aou])e/g, '$1')
    .split(/[^\p{Script=Latin}]+/u)
    .filter(Boolean);

/** The properties in which the person of a document differs from that of a chart. */
export interface Difference {
  name: boolean;
  birthDate: boolean;
}

/** Returns the difference of two people: names without a common word, or other birth dates. Otherwise `undefined`. */
export function differenceOf(chart: NamedPerson, named: NamedPerson): Difference | undefined {
  const differ = (one: string[], other: string[]): boolean =>
    one.length > 0 && other.length > 0 && !one.some((part) => other.includes(part));
  const daysOf = ({ birthDates }: NamedPerson): string[] => birthDates.filter(({ length }) => length === 10);
  const name = differ(wordsOf(chart), wordsOf(named));
  const birthDate = differ(daysOf(chart), daysOf(named));
  return name || birthDate ? { name, birthDate } : undefined;
}

/** Returns all names of a Patient, each in full. */
export const writtenNames = (names: readonly HumanName[] = []): string[] =>
  names.flatMap(({ text, given = [], family }) => {
    const parts = joinedBy(' ', ...given, family);
    return [...new Set([text ?? '', parts])].filter(Boolean);
  });
