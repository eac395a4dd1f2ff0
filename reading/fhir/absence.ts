//! Codes in place of records: no such record is known, or nothing is known about them. The codes are those of SNOMED
//! CT in the value set of US Core (<https://hl7.org/fhir/us/core/ValueSet-us-core-allergy-substance.html>) and of the
//! code system of the International Patient Summary
//! (<https://hl7.org/fhir/uv/ips/CodeSystem-absent-unknown-uv-ips.html>).

import type { PlainMessage, Words } from '../language/words.ts';
import { own } from '../own.ts';
import { concept } from './text.ts';
import type { Concept, Resource } from './types.ts';

/** A statement in place of records. */
export interface Absence {
  /** `none`: none are known. `unknown`: nobody asked, or nothing is known. `said`: a text without a code states it. */
  is: 'none' | 'unknown' | 'said';
  /** The subject of the statement: for allergies their category, or `all` for all records of a type. */
  of: 'all' | 'medication' | 'food' | 'environment' | 'other';
  /** The words of the code, or the text itself. */
  text: string;
}

interface Known {
  is: 'none' | 'unknown';
  of: Absence['of'];
  says: PlainMessage;
}
const none = (says: PlainMessage, of: Absence['of'] = 'all'): Known => ({ is: 'none', of, says });
const unknown = (says: PlainMessage): Known => ({ is: 'unknown', of: 'all', says });

const NOT_ASKED: PlainMessage = 'Not asked: nobody has asked this patient about allergies.';

const SNOMED: Record<string, Known> = {
  '716186003': none('No known allergies.'),
  // An older concept that SNOMED CT replaced by the one above.
  '160244002': none('No known allergies.'),
  '409137002': none('No known drug allergies.', 'medication'),
  '429625007': none('No known food allergies.', 'food'),
  '428607008': none('No known environmental allergies.', 'environment'),
  '428197003': none('No known insect allergies.', 'other'),
  '716220001': none('No known animal allergies.', 'other'),
  '716184000': none('No known latex allergy.', 'other'),
  '1003774007': none('No known latex allergy.', 'other'),
  '1631000175102': unknown(NOT_ASKED),
  '160245001': none('No current problem or disability.'),
};

const IPS: Record<string, Known> = {
  'no-allergy-info': unknown('No information about allergies.'),
  'no-known-allergies': none('No known allergies.'),
  'no-known-medication-allergies': none('No known drug allergies.', 'medication'),
  'no-known-food-allergies': none('No known food allergies.', 'food'),
  'no-known-environmental-allergies': none('No known environmental allergies.', 'environment'),
  'no-problem-info': unknown('No information about problems.'),
  'no-known-problems': none('No known problems.'),
  'no-procedure-info': unknown('No information about procedures.'),
  'no-known-procedures': none('No known procedures.'),
  'no-immunization-info': unknown('No information about immunizations.'),
  'no-known-immunizations': none('No known immunizations.'),
  'no-device-info': unknown('No information about devices.'),
  'no-known-devices': none('No known devices.'),
};

const isSnomed = (system: string | undefined): boolean =>
  system === undefined || system === 'http://snomed.info/sct' || system === 'urn:oid:2.16.840.1.113883.6.96';

/**
 * Whole texts that state that no allergy is known, in the languages of the app and in other languages of common
 * records. Text with anything else does not match.
 */
const SAID = [
  /^nk[dfm]?a\.?$/i,
  new RegExp(
    '^no (?:known )?(?:(?:drug|food|medication|latex|environmental)(?:[ /,&]+| and | or ))*allerg(?:y' +
      String.raw`|ies)(?: known)?\.?$`,
    'i',
  ),
  /^(?:allergies: none(?: known)?|none(?: known| reported| recorded)?)\.?$/i,
  /^(?:patient |pt\.? )?denies (?:any )?(?:known )?(?:drug |food )?allergies\.?$/i,
  /^(?:sin|no se conocen|ninguna|niega) alergias?(?: (?:conocidas?|medicamentosas?|alimentarias?))*\.?$/i,
  /^(?:sin|no se conocen|niega) alergias(?: conocidas)? a (?:medicamentos|alimentos)\.?$/i,
  /^keine (?:bekannten )?allergien(?: bekannt)?\.?$/i,
  /^geen (?:bekende )?allergie(?:ën|en)(?: bekend)?\.?$/i,
  /^(?:pas d['’]allergies?|aucune allergie)(?: connues?)?\.?$/i,
  /^(?:sem|nega) alergias?(?: (?:conhecidas?|medicamentosas?))*\.?$/i,
  /^nessuna allergia(?: nota)?\.?$/i,
  /^(?:アレルギー(?:歴)?(?:は)?(?:特に)?(?:なし|無し)|(?:無|无)(?:已知)?(?:藥物|药物|食物)?(?:過敏|过敏)(?:史)?)[。.]?$/,
];

/** Whole texts that state that nobody asked, or that nothing is known. */
const UNSAID = [
  /^(?:allerg(?:y|ies)(?: status)?:? )?(?:unknown|not (?:on file|asked|recorded|documented))\.?$/i,
  /^(?:allerg(?:y|ies):? )?unable to (?:assess|obtain)\.?$/i,
  /^(?:patient )?not asked(?: about allergies)?\.?$/i,
  /^(?:no information(?: about allergies)?|unknown allerg(?:y|ies))\.?$/i,
  /^(?:sin informaci[oó]n(?: sobre alergias)?|alergias desconocidas|desconocid[ao]s?|no (?:consta|preguntado))\.?$/i,
];

/** An abbreviation next to the words: `No known allergies (NKA)`, `NKDA - no known drug allergies`. */
const ABBREVIATED = /\s*\(nk[dfm]?a\)\.?$|^nk[dfm]?a\s*[-–:]\s*(?=\S)/gi;

/** Returns the kind of records that a text is about. */
function kindOf(text: string): Absence['of'] {
  const [drugs, foods] = [/nkda|nkma|drug|medication|medicament|藥|药/i.test(text), /nkfa|food|aliment|食/i.test(text)];
  if (drugs || foods) return drugs && foods ? 'all' : drugs ? 'medication' : 'food';
  return /environment/i.test(text) ? 'environment' : 'all';
}

/** Returns the statement of a concept; `undefined` if the concept names something. */
export function absenceOf(words: Words, value: Concept | undefined): Absence | undefined {
  for (const { system, code = '' } of value?.coding ?? []) {
    const found = (isSnomed(system) ? own(SNOMED, code) : undefined) ?? own(IPS, code);
    if (found) return { is: found.is, of: found.of, text: words.t(found.says) };
  }
  return undefined;
}

/** Returns the words of a statement without a full stop, for a quotation. */
export const quoted = (text: string): string => text.replace(/\.$/, '');

/** Returns the statement of an entry about allergies, which may be text without a code. Such text stays as written. */
export function allergyAbsence(words: Words, value: Concept | undefined): Absence | undefined {
  const coded = absenceOf(words, value);
  if (coded) return coded;
  const said = concept(words, value)?.trim() ?? '';
  const plain = said.replaceAll(ABBREVIATED, '');
  const is = SAID.some((one) => one.test(plain)) ? 'said' : UNSAID.some((one) => one.test(plain)) ? 'unknown' : '';
  return is ? { is, of: kindOf(said), text: words.t('Recorded as text: “{text}”', { text: said }) } : undefined;
}

/** Separates records from those whose code is a statement in place of a record. */
export function withoutAbsences<R extends Resource>(
  words: Words,
  all: readonly R[],
  codeOf: (one: R) => Concept | undefined,
): { records: R[]; absences: { resource: R; absence: Absence }[] } {
  const absences = all.flatMap((resource) => {
    const absence = absenceOf(words, codeOf(resource));
    return absence ? [{ resource, absence }] : [];
  });
  return { records: all.filter((one) => !absences.some(({ resource }) => resource === one)), absences };
}

/** Returns the warning that a statement of absence contradicts active entries. */
export const contradictionText = (words: Words, statement: string): string =>
  words.t('Contradiction: “{statement}” beside active entries.', { statement: quoted(statement) });
