//! Codes in place of records: no such record is known, or nothing is known about them. The codes are those of SNOMED
//! CT in the value set of US Core (<https://hl7.org/fhir/us/core/ValueSet-us-core-allergy-substance.html>) and of the
//! code system of the International Patient Summary
//! (<https://hl7.org/fhir/uv/ips/CodeSystem-absent-unknown-uv-ips.html>).

import type { PlainMessage, Words } from '../language/words.ts';
import { own } from '../own.ts';
import { remembered } from '../remembered.ts';
import { isModified } from './certainty.ts';
import { concept } from './text.ts';
import type { Coding, Concept, Resource } from './types.ts';
import { unaccented } from './unaccented.ts';

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
  '787481004': none('No known medications.'),
  '160245001': none('No current problem or disability.'),
};

const IPS: Record<string, Known> = {
  'no-allergy-info': unknown('No information about allergies.'),
  'no-known-allergies': none('No known allergies.'),
  'no-known-medication-allergies': none('No known drug allergies.', 'medication'),
  'no-known-food-allergies': none('No known food allergies.', 'food'),
  'no-known-environmental-allergies': none('No known environmental allergies.', 'environment'),
  'no-medication-info': unknown('No information about medications.'),
  'no-known-medications': none('No known medications.'),
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

/** Words that negate, also alone, in the languages of the app and in other languages of common records. */
const ALONE = String.raw`none|nil|nothing|nada|keine?|geen|ningun\w*|aucune?|nessun\w*|nenhum\w*|ingen|inga`;
const NO = `(?:${ALONE}|no|not (?:on|taking)|sin|pas|sans|sem|ohne)`;
/** Words that say who states it. */
const PERSON =
  '(?:(?:the|patient|pt|el|la|paciente|states?|reports?|says|there|is|are|has|takes|nimmt|neemt|prend|ne) (?:[.] )?)*';
/** Words beside a negation that name nothing. */
const BESIDE =
  'known|any|active|significant|current(?:ly)?|history|hx|of|to|at|this|time|date|reported|recorded|documented' +
  '|identified|on|file|regular|home|prescribed|administered|given|taken|taking|hay|se|refiere|toma|tiene' +
  '|conocen?|conocid[ao]s?' +
  '|antecedentes|habitual(?:es)?|actual(?:es)?|de|del|a|al|los|las|d|bekannte?n?|bekende?' +
  '|connues?|nota|conhecid[ao]s?|kanda|kendte?|kjente?|implanted|medical|en[ ]cours|habituel(?:le)?s?|aktuellen?' +
  '|derzeit|zurzeit|regelma(?:ss|ß)igen?';
const KIND = String.raw`drugs?|medi[ck]\w*|foods?|latex|environmental|aliment\w*|farmac\w*`;
/** The beginnings of compound words for allergies to drugs and to food. */
const DRUG = 'arzneimittel|medikamenten?|geneesmiddelen?|lakemedels?';
const FOOD = '(?:lebens|nahrungs)mittel|voedsel';
const JOINT = '[,/&]|and|or|y|o|und|en|et|e';
/** What records are about, in words. */
const SUBJECTS = {
  allergies:
    String.raw`(?:(?:${DRUG}|${FOOD})-?)?al{1,2}erg(?!ic )\w*|(?:allergic|adverse) (?:drug )?reactions?` +
    String.raw`|intoleranc\w*`,
  medications:
    String.raw`drugs?|(?:dauer|haus|bedarfs)?medi[ck]\w*|meds|tratamientos?|traitements?|arzneimittel` +
    String.raw`|farmac\w*`,
  others:
    'problem(?:s|as?|e)?|(?:medical )?conditions?|disabilit(?:y|ies)|diagnos(?:is|es|en)|diagnosticos?|procedures?' +
    String.raw`|surger(?:y|ies)|procedimientos?|immuni[sz]ations?|vaccin\w*|vacunas?|(?:vor)?erkrankung(?:en)?` +
    '|impfung(?:en)?|devices?|implants?|dispositivos?',
} as const;
type Subject = keyof typeof SUBJECTS;

/** Returns the pattern of a text that states that none are known. All its words are in closed lists. */
function nonePattern(subject: Subject): RegExp {
  const beside = `(?:(?:${BESIDE}) )*`;
  const list = (of: string): string => `(?:${of}) (?:(?:(?:${JOINT}) )*(?:${of}) )*`;
  const kinds = subject === 'allergies' ? list(KIND) : '(?!)';
  const named = list(SUBJECTS[subject]);
  // Food without the word for an allergy may be one: `No latex`.
  const about = `(?:${kinds})?${named}${beside}(?:${kinds}${beside})?`;
  const one = `(?:${NO} ${beside}${about}|(?:${ALONE}|no (?:${BESIDE})) ${beside})`;
  return new RegExp(
    `^${PERSON}(?:${one}(?:(?:[.]|${JOINT}) )?)+$|^${PERSON}(?:denies|niega|nega) ${beside}${about}$` +
      `|^(?:${kinds})?${named}(?:: )?${NO} ${beside}$`,
  );
}
const patternOf = remembered((subject) => nonePattern(subject as Subject));

/** An abbreviation next to the words, and the kind of a concept: `No known allergies (NKA)`, `(situation)`. */
const ADDED = /(?<!\s)\s*\((?:nk[dfm]?a|situation|finding)\)\.?$|^nk[dfm]?a\s*[-–:]\s*(?=\S)/gi;

/** Returns whether a whole text states that none are known. A text with a word that may name something does not. */
export function saysNone(subject: Subject, text: string): boolean {
  const plain = unaccented(text.trim().replaceAll(ADDED, '')).toLowerCase();
  const spaced = `${plain.replace(/\.$/, '').replaceAll(/([,.:/&])|[’']/g, ' $1 ')} `.replaceAll(/\s+/g, ' ');
  return patternOf(subject).test(spaced) || (subject === 'allergies' && SAID.test(plain));
}

/** Other whole texts that state that no allergy is known. */
const SAID =
  /^nk[dfm]?a\.?$|^(?:アレルキー(?:歴)?(?:は)?(?:特に)?(?:なし|無し)|(?:無|无)(?:已知)?(?:藥物|药物|食物)?(?:過敏|过敏)(?:史)?)[。.]?$/;

/** Whole texts that state that nobody asked, or that nothing is known. */
const UNSAID = [
  /^(?:allerg(?:y|ies)(?: status)?:? )?(?:unknown|not (?:known|on file|asked|recorded|documented))\.?$/i,
  /^(?:allerg(?:y|ies):? )?(?:unable to (?:assess|obtain)(?: allergies)?|not (?:reviewed|assessed))\.?$/i,
  /^(?:unbekannt|(?:allergien )?nicht (?:bekannt|erhoben|erfragt|beurteilbar))\.?$/i,
  /^(?:onbekend|inconnue?s?|non renseign[ée]e?s?)\.?$/i,
  /^(?:patient )?not asked(?: about allergies)?\.?$/i,
  /^(?:no information(?: about (?:allergies|problems|procedures|immunizations|devices))?|unknown allerg(?:y|ies))\.?$/i,
  /^(?:sin informaci[oó]n(?: sobre alergias)?|alergias desconocidas|desconocid[ao]s?|no (?:consta|preguntado))\.?$/i,
];

const DRUGS = /nkd|nkm|drug|medi[ck]|f[aá]rmac|arznei|geneesm|l[aä]kemed|藥|药/i;
const FOODS = /nkf|food|aliment|nahrungs|lebensm|voedsel|食/i;

/** Returns the kind of records that a text is about. */
function kindOf(text: string): Absence['of'] {
  const [drugs, foods] = [DRUGS.test(text), FOODS.test(text)];
  if (drugs || foods) return drugs && foods ? 'all' : drugs ? 'medication' : 'food';
  return /environment/i.test(text) ? 'environment' : /l[aá]tex/i.test(text) ? 'other' : 'all';
}

const isUnsaid = (text: string): boolean => UNSAID.some((one) => one.test(text.trim().replaceAll(ADDED, '')));
const saysNothing = (text: string): boolean =>
  saysNone('allergies', text) || saysNone('others', text) || isUnsaid(text);

/**
 * Returns the name beside a code of absence, if it is none of the code and states no absence: the code is then in
 * doubt, and the name counts. It is the text, or else the display of another code.
 */
export function namedBeside(value: Concept, of: Coding, isNone = saysNothing): string | undefined {
  const others = (value.coding ?? []).flatMap((one) => (one !== of && one.display) || []);
  const same = of.display?.toLowerCase();
  return (value.text ? [value.text] : others).find((name) => name.toLowerCase() !== same && !isNone(name));
}

/** Returns the statement of a code of absence, and the name of something beside it. */
function codedAbsence(words: Words, value: Concept | undefined): { absence: Absence; named?: string | undefined }[] {
  return (value?.coding ?? []).flatMap((coding) => {
    const { system, code = '' } = coding;
    const found = (isSnomed(system) ? own(SNOMED, code) : undefined) ?? own(IPS, code);
    if (!value || !found) return [];
    return { absence: { is: found.is, of: found.of, text: words.t(found.says) }, named: namedBeside(value, coding) };
  });
}

/** Returns the name of a concept. Beside a code of absence it is that of what contradicts the code. */
export function nameBesideAbsence(words: Words, value: Concept | undefined, other?: string): string | undefined {
  const [coded] = codedAbsence(words, value);
  const named = coded?.named ?? other;
  if (!coded || named === undefined) return concept(words, value);
  return `${named} (${words.t('coded as {code}', { code: quoted(coded.absence.text) })})`;
}

const saidAbsence = (words: Words, is: Absence['is'], text: string): Absence => {
  return { is, of: kindOf(text), text: words.t('Recorded as text: “{text}”', { text }) };
};

/** Returns the statement of a concept, by its code or its text; `undefined` if the concept names something. */
export function absenceOf(
  words: Words,
  value: Concept | undefined,
  subjects: readonly Subject[] = ['others', 'allergies'],
): Absence | undefined {
  const [coded] = codedAbsence(words, value);
  if (coded) return coded.named === undefined ? coded.absence : undefined;
  const said = concept(words, value)?.trim() ?? '';
  return subjects.some((one) => saysNone(one, said)) ? saidAbsence(words, 'said', said) : undefined;
}

/** Returns the words of a statement without a full stop, for a quotation. */
export const quoted = (text: string): string => text.replace(/\.$/, '');

/** Returns the statement of an entry about allergies, which may be text without a code. Such text stays as written. */
export function allergyAbsence(words: Words, value: Concept | undefined): Absence | undefined {
  const said = concept(words, value)?.trim() ?? '';
  const found = absenceOf(words, value, ['allergies']);
  return found ?? (isUnsaid(said) ? saidAbsence(words, 'unknown', said) : undefined);
}

/** Returns a statement of a record. One that is changed in a way that is not understood may say the opposite. */
export const inDoubt = (absence: Absence, record: Resource): Absence =>
  absence.is === 'none' && isModified(record) ? { ...absence, is: 'said' } : absence;

/** Separates records from those whose code is a statement in place of a record. */
export function withoutAbsences<R extends Resource>(
  words: Words,
  all: readonly R[],
  codeOf: (one: R) => Concept | undefined,
): { records: R[]; absences: { resource: R; absence: Absence }[] } {
  const absences = all.flatMap((resource) => {
    const absence = absenceOf(words, codeOf(resource));
    return absence ? [{ resource, absence: inDoubt(absence, resource) }] : [];
  });
  return { records: all.filter((one) => !absences.some(({ resource }) => resource === one)), absences };
}

/** Returns the warning that a statement of absence contradicts active entries. */
export const contradictionText = (words: Words, statement: string): string =>
  words.t('Contradiction: “{statement}” beside active entries.', { statement: quoted(statement) });
