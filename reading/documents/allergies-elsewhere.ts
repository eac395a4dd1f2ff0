//! Allergies that are recorded without an entry of their own: as problems, alerts or observations. They are found by
//! their names, in the languages of common files, and by codes of ICD-10 and SNOMED CT.

import { allergyAbsence, quoted } from '../fhir/absence.ts';
import { isInForce, isModified, standingOf } from '../fhir/certainty.ts';
import { isCancelled } from '../fhir/status-code.ts';
import { concept, isEnteredInError } from '../fhir/text.ts';
import {
  type Concept,
  type Flag as FlagRecord,
  isOfType,
  type MeasuredValue,
  type Observation,
  type Resource,
} from '../fhir/types.ts';
import { unaccented } from '../fhir/unaccented.ts';
import { kept } from '../kept.ts';
import { ENGLISH, type Words } from '../language/words.ts';
import { problemName } from '../problems/problem.ts';
import { remembered } from '../remembered.ts';
import { testName } from '../results/names/names.ts';
import { isOfOther } from '../results/names/told-apart.ts';
import { saysAbsent } from '../results/values/finding-words.ts';
import { categoryCodes, reading } from '../results/values/reading.ts';
import { isOfAllergies } from './titles.ts';

/** Codes of ICD-10: allergy status, anaphylaxis and allergy, and the reaction to a drug that was given rightly. */
const ICD_10 = /^(?:Z88|Z91\.?0|T78\.?[0-4]|T88\.?[67])/i;
const isIcd10 = (system = ''): boolean => /icd-?10|2\.16\.840\.1\.113883\.6\.(?:90|3)$/i.test(system);

/** Codes of SNOMED CT for frequent allergies, which may come without a display. */
const SNOMED: ReadonlySet<string> = new Set([
  // To a substance, a drug, a food, an animal, latex, and the propensity to reactions.
  ...['419199007', '416098002', '414285001', '232347008', '300916003', '1003755004', '420134006', '418038007'],
  ...['419511003', '418471000', '59037007', '235719002', '426232007', '418634005', '609328004', '417532002'],
  // To penicillin, cephalosporin, sulfonamide, aspirin, opioid, iodine, egg, nut, peanut, milk, shellfish, wheat, wasp.
  ...['91936005', '294532003', '91939003', '293586001', '293601005', '294915009', '91930004', '91934008', '91935009'],
  ...['425525006', '300913006', '420174000', '424213003', '294505008', '294499007', '213020009', '232350006'],
  // Anaphylaxis.
  ...['39579001', '241933001', '91941002'],
]);

/** Words by which a name is of no allergy of the patient: a denial, a relative, another tolerance, a disease. */
const OTHER = new RegExp(
  String.raw`^(?:no|not|denies|without|negative|sin|niega|ohne|keine?|geen|pas d\w*|aucune?|sem|nessun\w*)\b` +
    '|ruled out|exclu|negativ|descartad|mother|father|brother|sister|madre|padre|herman[ao]' +
    String.raw`|famil|screen|\b(?:glucose|exercise|activity|heat|cold|orthostatic|glucosa|ejercicio|esfuerzo)\b` +
    '|rh?init|sinusit|asth?ma|dermatit|con?jun[ck]tivit|eczema|ekzem|alveolit|colitis|purpura',
  'i',
);
/** Anaphylaxis in the languages of common files. */
const ANAPHYLAXIS = /\banaph[yi]la|\banafila/i;

const isNamed = remembered(
  (name) => (isOfAllergies(name) || ANAPHYLAXIS.test(unaccented(name))) && !OTHER.test(unaccented(name)),
);

const isCoded = ({ coding = [] }: Concept): boolean =>
  coding.some(({ system, code = '' }) =>
    isIcd10(system) ? ICD_10.test(code) : system === 'http://snomed.info/sct' && SNOMED.has(code),
  );

/** Returns whether a concept names an allergy, and does not state that there is none. */
const isAllergy = (of: Concept | undefined): boolean =>
  of !== undefined && allergyAbsence(ENGLISH, of) === undefined && (isCoded(of) || isNamed(concept(ENGLISH, of) ?? ''));

/** Answers that deny, or leave open, what is asked. */
const DENIED = new RegExp(
  String.raw`^(?:no|none|not|nil|false|unknown|never|nein|keine?|nee|geen|non|aucune?|nao|nenhum\w*|ningun\w*)\b` +
    '|^(?:n|0|-+|n/?a)$',
  'i',
);

/** Returns whether a value states an allergy: by its answer, or by a question about one that is not denied. */
function answersAllergy(of: MeasuredValue, isAsked: boolean): boolean {
  const answer = of.valueCodeableConcept ?? (of.valueString ? { text: of.valueString } : undefined);
  if (answer === undefined) return of.valueBoolean === true && isAsked;
  if (isAllergy(answer)) return true;
  const said = concept(ENGLISH, answer)?.trim() ?? '';
  if (said === '' || !isAsked) return false;
  return !DENIED.test(unaccented(said)) && !saysAbsent(said) && allergyAbsence(ENGLISH, answer) === undefined;
}

/** Returns whether an observation, or a component of it, states an allergy. */
function statesAllergy(o: Observation): boolean {
  if (categoryCodes(o).includes('laboratory') || isCancelled(o.status)) return false;
  const isDenied = ({ code }: MeasuredValue): boolean =>
    allergyAbsence(ENGLISH, code) !== undefined || OTHER.test(unaccented(concept(ENGLISH, code) ?? ''));
  const parts = (o.component ?? []).filter((part) => !isDenied(part));
  return answersAllergy(o, isAllergy(o.code)) || parts.some((one) => answersAllergy(one, isAllergy(o.code)));
}

/** Returns whether an alert is of an allergy, by its name or by its category. */
const isAllergyFlag = ({ code, category = [] }: FlagRecord): boolean =>
  isAllergy(code) || (category.some(isAllergy) && !OTHER.test(unaccented(concept(ENGLISH, code) ?? '')));

/** Returns whether a problem, an alert or an observation that stands names an allergy of the patient. */
export function isAllergyElsewhere(record: Resource): boolean {
  if (isEnteredInError(record)) return false;
  if (isOfType('Flag', record)) return isInForce(record) && isAllergyFlag(record);
  if (isOfType('Condition', record)) return standingOf(record) === 'standing' && isAllergy(record.code);
  return isOfType('Observation', record) && !isOfOther(record) && statesAllergy(record);
}

/** Returns an allergy of another record in words: the name of a problem, or a question with its answer. */
export function allergyElsewhere(words: Words, record: Resource): string | undefined {
  if (isOfType('Condition', record)) return problemName(words, record);
  if (isOfType('Flag', record)) return concept(words, record.code);
  if (!isOfType('Observation', record)) return undefined;
  return [testName(words, record.code), reading(words, record)].filter(Boolean).join(': ');
}

const denials = kept((words: Words) =>
  kept((record: Resource): string | undefined => {
    if (!isOfType('Condition', record) || standingOf(record) !== 'standing' || isModified(record)) return undefined;
    const found = allergyAbsence(words, record.code);
    return found && isOfAllergies(found.text) ? quoted(found.text) : undefined;
  }),
);
/** Returns the words of a problem that stands and states that no allergy is known; `undefined` for other records. */
export const allergyDenial = (words: Words, record: Resource): string | undefined => denials(words)(record);
