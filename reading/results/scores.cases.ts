//! Cases of observations that are scores, and of those that are none.

import type { Observation } from '../fhir/types.ts';

export interface ScoreCase {
  from: string;
  of: Partial<Observation>;
  isOne: boolean;
}

const coded = (system: string, code: string, display?: string) => ({
  code: { coding: [{ system, code, ...(display ? { display } : {}) }] },
});
const loinc = (code: string, display?: string) => coded('http://loinc.org', code, display);
const snomed = (code: string, display?: string) => coded('http://snomed.info/sct', code, display);
const named = (text: string) => ({ code: { text } });
const number = (value: number, unit?: string) => ({
  valueQuantity: { value, ...(unit === undefined ? {} : { unit }) },
});
const score = (from: string, of: Partial<Observation>): ScoreCase => ({ from, of, isOne: true });
const none = (from: string, of: Partial<Observation>): ScoreCase => ({ from, of, isOne: false });

export const SCORE_CASES: readonly ScoreCase[] = [
  score('the unit of UCUM', { ...named('Frailty'), valueQuantity: { value: 5, code: '{score}' } }),
  score('the unit in a word', { ...named('Frailty'), ...number(5, 'score') }),
  score('UK: NEWS2', { ...snomed('1104051000000101'), ...number(12, '{ScoreOf}') }),
  score('BE: NEWS without a unit', { ...snomed('1287358002'), ...number(6) }),
  score('DE: SOFA', { ...loinc('96789-3'), ...number(6, '{score}') }),
  score('points', { ...named('Barthel-Index'), ...number(85, 'Punkte') }),
  score('LOINC: Glasgow, without a display', { ...loinc('9269-2'), valueInteger: 14 }),
  score('LOINC: PHQ-9 as a text', { ...loinc('44261-6'), valueString: '17' }),
  score('LOINC: Apgar', { ...loinc('9272-6', '1 minute Apgar Score'), ...number(8, '1') }),
  score('Synthea: MMSE', { ...loinc('72106-8', 'Total score [MMSE]'), ...number(21, '(score)') }),
  score('a name with the word', { ...named('Waterlow pressure ulcer score'), ...number(12) }),
  score('an early warning', { ...named('Early warning total'), ...number(12) }),
  score('the name of a score', { ...named('MEWS'), ...number(3) }),
  score('NEWS and total', { ...named('NEWS2 total'), ...number(12) }),
  score('in Spanish', { ...named('Puntuación de Braden'), ...number(17) }),
  none('no value', loinc('44261-6')),
  none('an answer', { ...loinc('32401-2', 'Apgar color score'), valueCodeableConcept: { text: 'Pink' } }),
  none('another total', { ...named('Bilirubin total'), ...number(1) }),
  none('another unit', { ...named('Risk score'), ...number(12, '%') }),
  none('a T-score', { ...named('DXA Hip T-score BMD'), ...number(-1.6, '{T-Score}') }),
  none('a z-score', { ...named('BMI z score'), ...number(1) }),
  none('a pulse', { ...loinc('8867-4', 'Heart rate'), ...number(80, '/min') }),
  none('news of another kind', { ...named('Newsletters read'), ...number(2) }),
];
