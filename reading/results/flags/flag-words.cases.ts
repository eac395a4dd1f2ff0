//! Cases of values that are judged by words: interpretations and ranges as laboratories of many countries write them,
//! findings, and tests of immunity.

import type { MeasuredValue, Quantity, ReferenceRange } from '../../fhir/types.ts';
import type { FlagCase } from './flag.cases.ts';
import type { Flag } from './flag-signs.ts';

const woman = { sex: 'female', birth: '1980-04-01' };
const row = (from: string, of: MeasuredValue, flag: Flag | undefined, more: Partial<FlagCase> = {}): FlagCase => ({
  from,
  of,
  flag,
  subject: woman,
  on: '2024-03-05',
  ...more,
});

/** Returns a value of 9 g/dL with an interpretation in words. */
const called = (text: string, flag: Flag | undefined, said: string[] = []): FlagCase =>
  row(`practice: called ${text}`, { valueQuantity: { value: 9 }, interpretation: [{ text }] }, flag, { said });

const WORDS: FlagCase[] = [
  called('H*', 'high'),
  called('HH*', 'critical-high'),
  called('Critical *', 'critical'),
  called('Abnormally low', 'low'),
  called('Above reference range', 'high'),
  called('Below normal', 'low'),
  called('Out of range', 'abnormal'),
  called('Within normal limits', undefined),
  called('High normal', undefined),
  called('Borderline high', 'high', ['Borderline high']),
  called('erhöht', 'high'),
  called('stark erniedrigt', 'far-low', ['Significantly low']),
  called('unauffällig', undefined),
  called('críticamente alto', 'critical-high'),
  called('↓↓', 'far-low', ['Significantly low']),
  called('陽性', undefined, ['Positive']),
  called('nicht nachweisbar', undefined, ['Not detected']),
  called('Positive (abnormal)', 'abnormal', ['Positive (abnormal)']),
  called('DET', undefined, ['Detected']),
  called('R', 'abnormal', ['Resistant']),
  called('not high', undefined, ['not high']),
  called('high risk', undefined, ['high risk']),
  called('none', undefined, ['none']),
  called('Alert', undefined, ['Alert']),
  // From ISO/IEEE 11073: the words do not name the side, so that the limits decide.
  called('Measurement in alarm', undefined, ['Measurement in alarm']),
  row(
    'SNOMED CT: above the reference range, without a display',
    {
      valueQuantity: { value: 9 },
      interpretation: [{ coding: [{ system: 'http://snomed.info/sct', code: '281302008' }] }],
    },
    'high',
  ),
  row(
    'practice: the gravest of two codes, and the other is no second opinion',
    {
      valueQuantity: { value: 9 },
      interpretation: [{ coding: [{ system: 'urn:l', display: 'High' }, { code: 'HH' }] }],
    },
    'critical-high',
    { said: [] },
  ),
  row(
    'practice: high and low at once are both said',
    { valueQuantity: { value: 9 }, interpretation: [{ coding: [{ code: 'L' }] }, { coding: [{ code: 'H' }] }] },
    'high',
    { said: ['Low'] },
  ),
  row(
    'practice: a code of high, with the text Normal',
    { valueQuantity: { value: 9 }, interpretation: [{ coding: [{ code: 'H' }], text: 'Normal' }] },
    'high',
    { said: ['Normal'] },
  ),
];

/** Returns a value of 9 g/dL, or another one, with a range in words. */
const within = (text: string, flag: Flag | undefined, note?: string, value: Quantity = { value: 9, unit: 'g/dL' }) =>
  row(`practice: range ${text}`, { valueQuantity: value, referenceRange: [{ text }] }, flag, note ? { note } : {});

const TEXTS: FlagCase[] = [
  within('12 bis 16', 'low'),
  within('12~16', 'low'),
  within('Normal: 12-16', 'low'),
  within('Ref. range: 12 - 16 GM/DL', 'low'),
  within('12-16*', 'low'),
  within('up to 5', 'far-high'),
  within('< or = 5', 'far-high'),
  within('=>12', 'low'),
  within('< 9', 'high'),
  within('<= 9', undefined),
  within('> 9 g/dL', 'low'),
  within('F: 12-16; M: 8-17', 'low'),
  within('Male: 12-16', undefined, 'for other people'),
  within('12-16 (Female)', 'low'),
  within('12-16 (pregnant)', undefined, 'for other people'),
  within('3.5-5 or 12-16', undefined),
  within('< 10: not immune; >= 10: immune', undefined),
  within('Optimal: < 5', undefined),
  within('Normal <5.7; Diabetes >=6.5', undefined),
];

const g = (value: number, comparator?: string): Quantity => ({
  value,
  unit: 'g/dL',
  ...(comparator ? { comparator } : {}),
});
const ranged = (from: string, value: Quantity, flag: Flag | undefined, ...referenceRange: ReferenceRange[]): FlagCase =>
  row(`practice: ${from}`, { valueQuantity: value, referenceRange }, flag);

const ENDS: FlagCase[] = [
  ranged('a low end that says < is the high one', g(9), 'far-high', { low: g(5, '<') }),
  ranged('a high end that says > is the low one', g(90), undefined, { high: g(60, '>') }),
  ranged('a high end that says < is outside itself', g(5), 'high', { high: g(5, '<') }),
  ranged('both ends in ranges of their own', g(9), 'low', { low: g(12) }, { high: g(16) }),
  ranged('for women, in German', g(9), 'low', { low: g(12), appliesTo: [{ text: 'Frauen' }] }),
  ranged('for all', g(9), 'low', { low: g(12), appliesTo: [{ text: 'All' }] }),
  ranged(
    'for adult women and adult men',
    g(12.5),
    undefined,
    { low: g(12), appliesTo: [{ text: 'Adult female' }] },
    { low: g(13), appliesTo: [{ text: 'Adult male' }] },
  ),
  ranged('the sex in the text beside the ends', g(12.5), undefined, { low: g(12), text: 'Female 12+' }),
  ranged('for adults in words', g(9), 'low', { low: g(12), age: { text: 'adults' } }),
  ranged('an age of 18 yo', g(9), 'low', { low: g(12), age: { low: { value: 18, unit: 'yo' } } }),
  ranged('a type in German', g(9), 'low', { low: g(12), type: { text: 'Referenzbereich' } }),
  ranged('beyond what is critical', g(6), 'critical-low', { low: g(7), high: g(20), type: { text: 'Critical' } }),
  ranged('within what is critical', g(9), undefined, { low: g(7), high: g(20), type: { text: 'Critical' } }),
  ranged('one end of what is critical may be either', g(6), undefined, { high: g(7), type: { text: 'Critical' } }),
  row(
    'practice: the text of a range contradicts its ends',
    { valueQuantity: g(9), referenceRange: [{ low: g(5), high: g(10), text: '12-16' }] },
    undefined,
    { note: 'Several ranges' },
  ),
  row('practice: a number in a text', { valueString: '7,9 g/dL', referenceRange: [{ low: g(12) }] }, 'far-low'),
  row('practice: a bound in a text', { valueString: '<0.01', referenceRange: [{ high: { value: 5 } }] }, undefined),
  row('practice: no number in a text', { valueString: '3 to 5', referenceRange: [{ high: { value: 2 } }] }, undefined),
];

const found = (text: string, expected: string, flag: Flag | undefined): FlagCase =>
  row(`practice: ${text}, expected ${expected}`, { valueString: text, referenceRange: [{ text: expected }] }, flag);

const FINDINGS: FlagCase[] = [
  found('positiv', 'negativ', 'abnormal'),
  found('(+)', '(-)', 'abnormal'),
  found('3+', 'Negative', 'abnormal'),
  found('Presumptive positive', 'Negative', 'abnormal'),
  found('DETECTED', 'NOTDETECTED', 'abnormal'),
  found('nicht nachweisbar', 'negativ', undefined),
  found('Inconclusive', 'Negative', undefined),
  found('E. coli', 'No growth', undefined),
];

const NOT_NORMAL = { note: 'A test of immunity' };
const immunity = (
  name: string,
  of: MeasuredValue,
  flag: Flag | undefined,
  more: Partial<FlagCase> = NOT_NORMAL,
): FlagCase => row(`immunity: ${name}`, { code: { text: name }, ...of }, flag, more);
const positive = (...referenceRange: ReferenceRange[]): MeasuredValue => ({ valueString: 'Positive', referenceRange });

const IMMUNITY: FlagCase[] = [
  immunity('Rubella IgG', positive({ text: 'Negative' }), undefined),
  immunity('Hepatitis B virus surface Ab', positive({ text: 'Negative' }), undefined),
  immunity('anti-HBs', { valueQuantity: { value: 250 }, referenceRange: [{ high: { value: 10 } }] }, undefined),
  immunity('Masern-Antikörper', positive({ text: 'negativ' }), undefined),
  immunity('Rubella IgM', positive({ text: 'Negative' }), 'abnormal', {}),
  immunity('Hepatitis C virus Ab', positive({ text: 'Negative' }), 'abnormal', {}),
  immunity('HIV 1+2 Ab', positive({ text: 'Negative' }), 'abnormal', {}),
  immunity(
    'Measles IgG',
    { valueQuantity: { value: 5 }, interpretation: [{ text: 'High' }], referenceRange: [{ high: { value: 1 } }] },
    'high',
    {},
  ),
  row(
    'immunity: by LOINC',
    {
      code: { coding: [{ code: '16935-9' }] },
      valueQuantity: { value: 250 },
      referenceRange: [{ high: { value: 10 } }],
    },
    undefined,
    NOT_NORMAL,
  ),
];

export const FLAG_WORD_CASES: readonly FlagCase[] = [...WORDS, ...TEXTS, ...ENDS, ...FINDINGS, ...IMMUNITY];
