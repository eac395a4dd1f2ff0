//! The codes of statuses as real systems write them: with capitals or spaces, as the display or the text of a concept,
//! or as the concept of SNOMED CT that is kept by conversions of C-CDA.

import { own } from '../own.ts';
import type { Concept } from './types.ts';

/** Returns a text in the form of a code of FHIR: `Entered in Error` becomes `entered-in-error`. */
export const normalCode = (text: unknown): string =>
  typeof text === 'string'
    ? text
        .trim()
        .toLowerCase()
        .replace(/[\s_-]+/g, '-')
    : '';

/** Concepts of SNOMED CT, and other words, with the code of FHIR that they mean. */
const MEANT: Readonly<Record<string, string>> = {
  '55561003': 'active',
  '73425007': 'inactive',
  '413322009': 'resolved',
  '277022003': 'remission',
  '255227004': 'recurrence',
  '263855007': 'relapse',
  '410605003': 'confirmed',
  '723510000': 'confirmed',
  '410516002': 'refuted',
  '723511001': 'refuted',
  'in-remission': 'remission',
};

/** Returns the known codes that a concept means: by its codings, or else by its text alone. */
export function statusesIn(value: Concept | undefined, known: readonly string[]): string[] {
  const read = (text: string | undefined): string[] => {
    const code = own(MEANT, normalCode(text)) ?? normalCode(text);
    return known.includes(code) ? [code] : [];
  };
  const coded = (value?.coding ?? []).flatMap(({ code, display }) => {
    const found = read(code);
    return found.length > 0 ? found : read(display);
  });
  return coded.length > 0 ? coded : read(value?.text);
}

/** Returns whether a status means that its record was entered in error. */
export const saysError = (status: unknown): boolean => normalCode(status) === 'entered-in-error';

/** Statuses of orders, reports, administrations and dispenses (<https://hl7.org/fhir/R4/medications-module.html>). */
const KNOWN = [
  ...['active', 'on-hold', 'cancelled', 'completed', 'entered-in-error', 'stopped', 'draft', 'unknown', 'revoked'],
  ...['intended', 'not-taken', 'in-progress', 'not-done', 'preparation', 'declined', 'ended'],
];

/** Other words for these statuses, from C-CDA, from DSTU2, and from systems with statuses of their own. */
const SAME: Readonly<Record<string, string>> = {
  ...{ canceled: 'cancelled', nullified: 'cancelled', aborted: 'stopped', discontinued: 'stopped' },
  ...{ inactive: 'stopped', 'not-active': 'stopped', 'no-longer-active': 'stopped', finished: 'completed' },
  ...{ suspended: 'on-hold', held: 'on-hold', hold: 'on-hold', 'not-taking': 'not-taken', proposed: 'draft' },
  ...{ planned: 'draft', 'not-given': 'not-done', 'not-administered': 'not-done', withheld: 'not-done' },
  ...{ refused: 'not-done', omitted: 'not-done' },
};

/** Returns the code that the status of a medication record means, in any spelling; `unknown` for a missing status. */
export function medicationCode(status: unknown): string {
  const code = normalCode(status);
  return own(SAME, code) ?? (code === '' ? 'unknown' : code);
}

/** Returns whether a status means that its record was cancelled, in any spelling. */
export const isCancelled = (status: unknown): boolean => medicationCode(status) === 'cancelled';

/** Returns a status for display: a known one as its code, in any spelling, and any other as written. */
export const toldStatus = (status: string | undefined): string | undefined =>
  KNOWN.includes(normalCode(status)) ? normalCode(status) : status;
