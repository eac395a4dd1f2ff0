//! The names and codes of pregnancies: of questions about them, of the answers, of pregnancies, and of their ends.

import { codesOf, namesOf } from '../fhir/concept-codes.ts';
import type { Concept } from '../fhir/types.ts';
import { unaccented } from '../fhir/unaccented.ts';
import { isOfLoinc } from '../fhir/vital-codes.ts';
import { remembered } from '../remembered.ts';

/** `denial`: whether the patient is not pregnant. */
type Question = 'status' | 'denial' | 'due' | 'age';

/** Codes of LOINC and SNOMED CT for questions: whether the patient is pregnant, the due date, the gestational age. */
const QUESTIONS: ReadonlyMap<string, Question> = new Map([
  ...['82810-3', '11449-6', '77386006'].map((code) => [code, 'status'] as const),
  ['60001007', 'denial'],
  ...['11778-8', '11779-6', '11780-4', '11781-2', '57063-0', '161714006'].map((code) => [code, 'due'] as const),
  ...['18185-9', '11884-4', '11885-1', '11886-9', '11887-7', '11888-5', '49051-6', '49052-4'].map(
    (code) => [code, 'age'] as const,
  ),
  ...['57036006', '598151000005105'].map((code) => [code, 'age'] as const),
]);

/** Codes of LOINC, SNOMED CT and HL7 for answers. `open`: nobody knows yet. */
const ANSWERS: ReadonlyMap<string, 'yes' | 'no' | 'open'> = new Map([
  ...['LA15173-0', '77386006', 'LA33-6', '373066001', 'Y'].map((code) => [code, 'yes'] as const),
  ...['LA26683-5', '60001007', 'LA32-8', '373067005', 'N'].map((code) => [code, 'no'] as const),
  ...['LA4489-6', '152231000119106', '146799005', '102874004'].map((code) => [code, 'open'] as const),
]);

/** Codes of SNOMED CT for pregnancies: any, normal, of high risk, intrauterine, multiple, and by trimester. */
const PREGNANCIES: ReadonlySet<string> = new Set([
  ...['77386006', '72892002', '47200007', '65727000', '237238006', '10231000132102', '90968009'],
  ...['16356006', '65147003', '64254006', '60810003', '57630001', '59466002', '41587001'],
]);
/** Codes of SNOMED CT for its end: birth, cesarean section, miscarriage, termination, ectopic; and for its denial. */
const ENDS: ReadonlySet<string> = new Set([
  ...['66348005', '236973005', '177184002', '48782003', '289259007', '61586001', '302383004', '11466000'],
  ...['17369002', '19169002', '35999006', '57797005', '386639001', '237364002', '34801009', '79586000'],
  '60001007',
]);
/** The same in ICD-10 and ICPC-2. */
const CLASSES = [
  {
    system: /icd-?10|2\.16\.840\.1\.113883\.6\.(?:90|3)$/i,
    yes: /^(?:Z33(?!\.?2)|Z3[45A]|O09|O30)/i,
    no: /^(?:O0[0-8]|O8[0-4]|Z37|Z39)/i,
  },
  { system: /icpc/i, yes: /^W(?:78|79|84)/i, no: /^W(?:8[23]|9[0-3])/i },
];

/** Whole names of a pregnancy, without accents, in the languages of common files. */
const PREGNANT = new RegExp(
  '^(?:(?:(?:patient|is|currently|current|normal|uncomplicated|confirmed|ongoing|viable|intrauterine|single' +
    '|singleton|multiple|twin|triplet|(?:high|low)[- ]risk|(?:first|second|third)[- ]trimester|unplanned) )*' +
    'pregnan(?:t|cy)(?: state)?(?:,? (?:first|second|third) trimester)?' +
    '|embarazad[ao]|gestante|(?:embarazo|gestacion)(?: (?:normal|actual|en curso|confirmado|gemelar|multiple|unico' +
    '|de (?:alto|bajo) riesgo))?|schwanger|(?:(?:intakte|bestehende|normale) )?schwangerschaft' +
    '|enceinte|grossesse(?: (?:normale|en cours|gemellaire|a risque))?|zwanger|zwangerschap|graviditeit' +
    '|incinta|gravidanza|gravida|gravidez|妊娠中?|怀孕|懷孕)$',
);
const STATUS = new RegExp(
  String.raw`^(?:pregnancy status\b|estado (?:del?|de) embarazo|schwangerschaftsstatus|zwangerschapsstatus` +
    '|statut de grossesse|stato di gravidanza)',
);
const DUE = new RegExp(
  String.raw`^(?:edd\b|(?:estimated |expected )?due date|(?:estimated|expected) (?:date of )?(?:delivery|birth` +
    '|confinement)(?: date)?|delivery date estimated|fecha (?:probable|estimada|prevista) del? parto' +
    '|(?:errechneter|voraussichtlicher) (?:entbindungs|geburts)termin|date prevue (?:d.accouchement|du terme)' +
    '|uitgerekende datum|a terme datum|data presunta del parto|data provavel do parto|分娩予定日|预产期)',
);
const AGE = new RegExp(
  String.raw`^(?:gestational age(?!.*\b(?:birth|delivery))|length of gestation|edad gestacional|gestationsalter` +
    '|schwangerschaftsdauer|age gestationnel|zwangerschapsduur|eta gestazionale|妊娠週数)',
);
/** Names of births and losses. */
const ENDING = new RegExp(
  String.raw`\b(?:childbirth|(?:following|after) (?:birth|delivery|abortion|miscarriage)|ca?esarean|miscarriage` +
    '|still ?birth|termination of pregnancy|abortion|post ?partum|puerperium' +
    '|(?:normal|spontaneous|vaginal|assisted|instrumental|operative|forceps|breech|vacuum|live|term) delivery' +
    '|delivery procedure|parto|cesarea|aborto|entbindung|geburt|kaiserschnitt|sectio|fehlgeburt|bevalling|keizersnede' +
    '|miskraam|accouchement|cesarienne|fausse couche)',
);
/** Words by which a name of an end is of none: it is feared, planned, taught, or of the past. */
const NO_ENDING = new RegExp(
  String.raw`threatened|imminent|inevitable|histor|previous|prior|past\b|plan|educat|counsel|prepar|risk|prevent` +
    '|famil|status post|s/p|scar|recurrent|habitual|antecedente|previo|amenaza|drohend|fecha|control|prepart',
);
/** Whole names that deny a pregnancy. */
const DENIAL = new RegExp(
  '^(?:(?:patient|is|currently) )*(?:no longer|not(?: currently)?|non)[ -]pregnant$|^no embarazada$|^nicht schwanger$' +
    '|^niet zwanger$|^(?:pas|non) enceinte$|^non incinta$|^nao gravida$',
);
const YES = /^(?:yes|si|ja|oui|sim|true)$/;
const NO =
  /^(?:no|not|never|nein|nicht|keine?|non|nao|geen|niet|den(?:y|ies)|negative?|false|pas|delivered|post ?partum)\b/;
/** Answers that begin like a denial, and state nothing. */
const UNSAID =
  /^(?:not?|non) (?:known|sure|asked|recorded|documented|information|applicable|yet|answer|se sabe|consta|precise)/;

/** Returns a name for comparison: without accents, and without the kind that SNOMED CT adds. */
const plainName = remembered((name) =>
  unaccented(name)
    .replace(/\s*\((?:finding|disorder|situation|procedure|observable entity|qualifier value)\)$/, '')
    .replace(/[?.:]+$/, '')
    .trim(),
);
const plainNames = (of: Concept | undefined): string[] => namesOf(of).map(plainName);

const isPregnancyName = remembered((name) => PREGNANT.test(name));
const isEndingName = remembered((name) => ENDING.test(name) && !NO_ENDING.test(name));
const isDenialName = remembered((name) => DENIAL.test(name));

/** Returns what a name says in answer to whether the patient is pregnant. */
function answerNamed(name: string): 'yes' | 'no' | undefined {
  if (YES.test(name) || isPregnancyName(name)) return 'yes';
  return isDenialName(name) || (NO.test(name) && !UNSAID.test(name)) ? 'no' : undefined;
}

/** Returns what a concept says in answer to whether the patient is pregnant; `undefined` if it leaves that open. */
export function pregnancyAnswer(of: Concept | undefined): 'yes' | 'no' | undefined {
  const said = new Set([
    ...codesOf(of).flatMap((code) => ANSWERS.get(code) ?? []),
    ...plainNames(of).flatMap((name) => answerNamed(name) ?? []),
  ]);
  const [only] = said;
  return said.size === 1 && only !== 'open' ? only : undefined;
}

/** Returns whether a concept has the name of a pregnancy. */
export const hasPregnancyName = (of: Concept | undefined): boolean => plainNames(of).some(isPregnancyName);

const NAMED: readonly [Question, (name: string) => boolean][] = [
  ['status', (name) => STATUS.test(name) || isPregnancyName(name)],
  ['denial', isDenialName],
  ['due', (name) => DUE.test(name)],
  ['age', (name) => AGE.test(name)],
];

const questionNamed = remembered((name) => NAMED.find(([, is]) => is(name))?.[0]);

/** Returns which question a value answers. The name counts only if there is no code of LOINC. */
export function pregnancyQuestion(code: Concept | undefined): Question | undefined {
  // Thousands of results are asked: no list is made of their codes.
  for (const { code: one } of code?.coding ?? []) {
    const found = QUESTIONS.get(one ?? '');
    if (found) return found;
  }
  if (code === undefined || isOfLoinc(code)) return undefined;
  return plainNames(code).map(questionNamed).find(Boolean);
}

/** Returns whether a concept names a pregnancy (`yes`), or its end or denial (`no`). */
export function pregnancyNamed(of: Concept | undefined): 'yes' | 'no' | undefined {
  const [codes, names] = [codesOf(of), plainNames(of)];
  const isClassed = (kind: 'yes' | 'no'): boolean =>
    (of?.coding ?? []).some(({ system = '', code = '' }) =>
      CLASSES.some((one) => one.system.test(system) && one[kind].test(code)),
    );
  if (codes.some((code) => ENDS.has(code)) || isClassed('no')) return 'no';
  if (names.some((name) => isEndingName(name) || isDenialName(name))) return 'no';
  const isPregnancy = codes.some((code) => PREGNANCIES.has(code)) || isClassed('yes') || names.some(isPregnancyName);
  return isPregnancy ? 'yes' : undefined;
}
