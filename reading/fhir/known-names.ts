//! Names of codes that are often sent without a display: vital signs, and answers, severities and sides of LOINC and
//! SNOMED CT.

import type { PlainMessage, Words } from '../language/words.ts';
import { own } from '../own.ts';
import { deviceSignName, isLoinc, vitalName } from './vital-codes.ts';

const ANSWERS: ReadonlyMap<string, PlainMessage> = new Map(
  (
    [
      ['Positive', '10828004', 'LA6576-8'],
      ['Negative', '260385009', 'LA6577-6'],
      ['Detected', '260373001', 'LA11882-0'],
      ['Not detected', '260415000', 'LA11883-8'],
      ['Reactive', '11214006'],
      ['Non-reactive', '131194007'],
      ['Equivocal', '42425007'],
      ['Indeterminate', '82334004', 'LA11884-6'],
      ['Normal', '17621005', '281301001'],
      ['Abnormal', '263654008'],
      ['High', '75540009', '281302008'],
      ['Low', '62482003', '281300000'],
      ['Present', '52101004', 'LA9633-4'],
      ['Absent', '2667000', 'LA9634-2'],
      ['Yes', '373066001', 'LA33-6'],
      ['No', '373067005', 'LA32-8'],
      ['Pregnant', '77386006', 'LA15173-0'],
      ['Not pregnant', '60001007', 'LA26683-5'],
      ['Severe', '24484000', 'LA6750-9'],
      ['Moderate', '6736007', 'LA6751-7'],
      ['Mild', '255604002', 'LA6752-5'],
      ['Left', '7771000'],
      ['Right', '24028007'],
    ] satisfies [PlainMessage, ...string[]][]
  ).flatMap(([name, ...codes]) => codes.map((code) => [code, name] as const)),
);

/** Routes of the NCI Thesaurus, which C-CDA documents give as codes without words. */
const ROUTES: Readonly<Record<string, PlainMessage>> = {
  C38288: 'Oral',
  C38299: 'Subcutaneous',
  C28161: 'Intramuscular',
  C38276: 'Intravenous',
  C38274: 'Intravenous bolus',
  C38279: 'Intravenous drip',
  C38238: 'Intradermal',
  C38284: 'Nasal',
  C38216: 'Inhaled',
  C38287: 'Into the eye',
  C38192: 'Into the ear',
  C38304: 'On the skin',
  C38305: 'Transdermal',
  C38300: 'Sublingual',
  C38193: 'Buccal',
  C38295: 'Rectal',
  C38313: 'Vaginal',
};

/** Roles of the diagnoses of a visit, of the HL7 code system diagnosis-role. */
const ROLES: Readonly<Record<string, PlainMessage>> = {
  AD: 'Admission diagnosis',
  DD: 'Discharge diagnosis',
  CC: 'Chief complaint',
  CM: 'Comorbidity',
};
const isRole = (system: string): boolean => system.endsWith('/diagnosis-role');

const isNci = (system: string): boolean => /nci\.nih\.gov|2\.16\.840\.1\.113883\.3\.26\.1\.1$/.test(system);

/** Codes of HL7 for the kind of a record, which do not describe its content. */
const KINDS: Readonly<Record<string, PlainMessage>> = { ASSERTION: 'Statement' };
const isActCode = (system: string): boolean =>
  /\/v3[-/]ActCode$/.test(system) || /2\.16\.840\.1\.113883\.5\.4$/.test(system);

/** Returns whether a system has the kinds of substitutions. */
export const isOfSubstitutions = (system: string): boolean =>
  /substanceAdminSubstitution$|2\.16\.840\.1\.113883\.5\.1070$/.test(system);

/** The system of the codes of classes of encounters, which is often left out. */
export const CLASSES = 'http://terminology.hl7.org/CodeSystem/v3-ActCode';
/** The classes of encounters, which are often sent without a display. */
const CLASS_NAMES: Readonly<Record<string, PlainMessage>> = {
  AMB: 'Ambulatory',
  EMER: 'Emergency',
  FLD: 'In the field',
  HH: 'At home',
  IMP: 'Inpatient',
  ACUTE: 'Inpatient, acute',
  NONAC: 'Inpatient, not acute',
  OBSENC: 'Observation stay',
  PRENC: 'Before admission',
  SS: 'Short stay',
  VR: 'Virtual',
};

/** Returns the class of an encounter by its code; `undefined` for other codes. */
export function classNamed(
  words: Words,
  { system = '', code = '' }: { system?: string | undefined; code?: string | undefined },
): string | undefined {
  const name = isActCode(system) ? own(CLASS_NAMES, code) : undefined;
  return name && words.t(name);
}

const isTerminology = (system: string): boolean =>
  isLoinc(system) || system === 'http://snomed.info/sct' || system === 'urn:oid:2.16.840.1.113883.6.96';

/** Returns the English name of an answer by its code, which has a translation; `undefined` for other codes. */
export const answerNamed = (system: string, code: string | undefined): PlainMessage | undefined =>
  isTerminology(system) ? ANSWERS.get(code ?? '') : undefined;

/** The nomenclature of medical devices, ISO/IEEE 11073-10101. */
const DEVICES = 'urn:iso:std:iso:11073:10101';

/** Returns the name of a language by its tag; `undefined` for what is no tag. */
function languageNamed(words: Words, tag: string): string | undefined {
  try {
    return new Intl.DisplayNames(words.locale, { type: 'language' }).of(tag);
  } catch {
    return undefined;
  }
}

/** The names of the codes of other systems. */
const TABLES: [isOf: (system: string) => boolean, names: Readonly<Record<string, PlainMessage>>][] = [
  [isNci, ROUTES],
  [isActCode, KINDS],
  [isRole, ROLES],
];

/** Returns the name of a code; `undefined` for an unknown code. */
export function knownName(words: Words, system: string, code: string | undefined): string | undefined {
  if (system === 'urn:ietf:bcp:47') return languageNamed(words, code ?? '');
  const answer = answerNamed(system, code);
  if (answer) return words.t(answer);
  const other = own(TABLES.find(([isOf]) => isOf(system))?.[1] ?? {}, code ?? '');
  if (other) return words.t(other);
  return isLoinc(system) ? vitalName(words, code) : system === DEVICES ? deviceSignName(words, code) : undefined;
}
