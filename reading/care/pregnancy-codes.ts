//! The codes of pregnancies: of questions about them, of the answers, of pregnancies, of their denial and their ends.

import { codesOf, namesOf } from '../fhir/concept-codes.ts';
import type { Concept } from '../fhir/types.ts';
import { unaccented } from '../fhir/unaccented.ts';

/** `denial`: whether the patient is not pregnant. */
type Question = 'status' | 'denial' | 'due' | 'age';

const DENIAL = '60001007';

/** Codes of LOINC and SNOMED CT for questions: whether the patient is pregnant, the due date, the gestational age. */
const QUESTIONS: ReadonlyMap<string, Question> = new Map([
  ...['82810-3', '11449-6', '77386006'].map((code) => [code, 'status'] as const),
  [DENIAL, 'denial'],
  ...['11778-8', '11779-6', '11780-4', '11781-2', '57063-0', '161714006'].map((code) => [code, 'due'] as const),
  ...['18185-9', '11884-4', '11885-1', '11886-9', '11887-7', '11888-5', '49051-6', '49052-4'].map(
    (code) => [code, 'age'] as const,
  ),
  ...['57036006', '598151000005105'].map((code) => [code, 'age'] as const),
]);

type Answer = 'yes' | 'no';

/** Codes of LOINC, SNOMED CT and HL7 for answers. */
const ANSWERS: ReadonlyMap<string, Answer> = new Map([
  ...['LA15173-0', '77386006', 'LA33-6', '373066001', 'Y'].map((code) => [code, 'yes'] as const),
  ...['LA26683-5', DENIAL, 'LA32-8', '373067005', 'N'].map((code) => [code, 'no'] as const),
]);
/** Whole texts of answers in English and Spanish, in lower case and without accents. */
const YES = /^(?:yes|pregnant|si|embarazada)$/;
const NO = /^(?:no|not pregnant|no embarazada)$/;

/** Codes of LOINC and SNOMED CT for pregnancies: any, normal, of high risk, intrauterine, multiple, by trimester. */
const PREGNANCIES: ReadonlySet<string> = new Set([
  ...['LA15173-0', '77386006', '72892002', '47200007', '65727000', '237238006', '10231000132102', '90968009'],
  ...['16356006', '65147003', '64254006', '60810003', '57630001', '59466002', '41587001'],
]);
/** Codes of SNOMED CT for the end: birth, cesarean section, miscarriage, termination, ectopic. */
const ENDS: ReadonlySet<string> = new Set([
  ...['66348005', '236973005', '177184002', '48782003', '289259007', '61586001', '302383004', '236974004'],
  ...['282020008', '11466000', '177141003', '274130007', '17369002', '19169002', '35999006', '16607004'],
  ...['57797005', '386639001', '237364002', '34801009', '79586000'],
]);
/** The same in ICD-10, with its procedures, and ICPC-2. */
const CLASSES = [
  {
    system: /icd-?10|2\.16\.840\.1\.113883\.6\.(?:90|3|4)$/i,
    pregnancy: /^(?:Z33(?!\.?2)|Z3[45A]|O09|O30)/i,
    end: /^(?:O0[0-68]|O60\.?1|O8[0-4]|Z33\.?2|Z37|Z39|10[ADE]0)/i,
  },
  { system: /icpc/i, pregnancy: /^W(?:78|79|84)/i, end: /^W(?:8[023]|9[0-3])/i },
];

/** Returns which question a value answers. */
export function pregnancyQuestion(code: Concept | undefined): Question | undefined {
  // A chart may have thousands of results, so that the codes of each are not copied into a list.
  for (const { code: one } of code?.coding ?? []) {
    const found = QUESTIONS.get(one ?? '');
    if (found) return found;
  }
  return undefined;
}

/**
 * Returns the answer of a concept to whether the patient is pregnant; `undefined` if it leaves that open. Its codes
 * count. Its words may only deny.
 */
export function pregnancyAnswer(of: Concept | undefined): Answer | undefined {
  const said = new Set(codesOf(of).flatMap((code) => ANSWERS.get(code) ?? []));
  if (namesOf(of).some((name) => pregnancyAnswerText(name) === 'no')) said.add('no');
  const [only] = said;
  return said.size === 1 ? only : undefined;
}

/** Returns the answer of a text to the same; `undefined` if it is more than a plain answer. */
export function pregnancyAnswerText(text: string): Answer | undefined {
  const plain = unaccented(text).trim().toLowerCase();
  if (YES.test(plain)) return 'yes';
  return NO.test(plain) ? 'no' : undefined;
}

/** Returns whether a concept is coded as a pregnancy, as its end, or as its denial. */
export function pregnancyCoded(of: Concept | undefined): 'pregnancy' | 'end' | 'denial' | undefined {
  const codes = codesOf(of);
  const isClassed = (kind: 'pregnancy' | 'end'): boolean =>
    (of?.coding ?? []).some(({ system = '', code = '' }) =>
      CLASSES.some((one) => one.system.test(system) && one[kind].test(code)),
    );
  if (codes.includes(DENIAL)) return 'denial';
  if (codes.some((code) => ENDS.has(code)) || isClassed('end')) return 'end';
  return codes.some((code) => PREGNANCIES.has(code)) || isClassed('pregnancy') ? 'pregnancy' : undefined;
}
