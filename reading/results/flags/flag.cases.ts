//! Cases of judged values, each with its source: HL7's v3-ObservationInterpretation, FHIR R4, HL7
//! v2 table 0078, or the practice of laboratories.

import type { Subject } from '../../fhir/facts.ts';
import type { Concept, MeasuredValue, Quantity, ReferenceRange } from '../../fhir/types.ts';
import type { Flag } from './flag-signs.ts';

export interface FlagCase {
  from: string;
  of: MeasuredValue;
  flag: Flag | undefined;
  subject?: Subject;
  on?: string;
  /** The expected words of the laboratory. */
  said?: string[];
  note?: string;
}

const V3 = 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation';
const code = (one: string, system: string | undefined = V3): Concept => ({
  coding: [{ code: one, ...(system ? { system } : {}) }],
});
const quantity = (value: number, unit = '', comparator = ''): Quantity => ({
  value,
  ...(unit ? { unit, code: unit } : {}),
  ...(comparator ? { comparator } : {}),
});
const range = (low: number | undefined, high: number | undefined, more: ReferenceRange & { u?: string } = {}) => {
  const { u = '', ...rest } = more;
  return {
    ...(low === undefined ? {} : { low: quantity(low, u) }),
    ...(high === undefined ? {} : { high: quantity(high, u) }),
    ...rest,
  };
};
const typed = (type: string): { type: Concept } => ({ type: { coding: [{ code: type }] } });
const text = (said: string): Concept => ({ text: said });
const forSex = (sex: string): { appliesTo: Concept[] } => ({ appliesTo: [text(sex)] });
const years = (low: number | undefined, high?: number): { age: object } => ({
  age: {
    ...(low === undefined ? {} : { low: quantity(low, 'a') }),
    ...(high === undefined ? {} : { high: quantity(high, 'a') }),
  },
});

const row = (from: string, of: MeasuredValue, flag: Flag | undefined, more: Partial<FlagCase> = {}): FlagCase => ({
  from,
  of,
  flag,
  ...more,
});
const value = (
  number: number | Quantity,
  interpretation: Concept[],
  ...referenceRange: ReferenceRange[]
): MeasuredValue => ({
  valueQuantity: typeof number === 'number' ? { value: number } : number,
  ...(interpretation.length ? { interpretation } : {}),
  ...(referenceRange.length ? { referenceRange } : {}),
});
const finding = (said: string, interpretation: Concept[], ...referenceRange: ReferenceRange[]): MeasuredValue => ({
  valueCodeableConcept: text(said),
  interpretation,
  referenceRange,
});

const woman: Subject = { sex: 'female', birth: '1980-04-01' };
const man: Subject = { sex: 'male', birth: '1980-04-01' };
const girl: Subject = { sex: 'female', birth: '2019-06-15' };
const WBC = range(4, 11, { u: '10*3/uL' });
const wbc = (number: number, unit = '10*3/uL', comparator = ''): Quantity => quantity(number, unit, comparator);

const INTERPRETATIONS: FlagCase[] = [
  row('v3: critical high', value(88, [code('HH')]), 'critical-high'),
  row('v3: critical low', value(1.9, [code('LL')]), 'critical-low'),
  row('v3: critical abnormal', finding('Blasts seen', [code('AA')]), 'critical'),
  row('v3: AA, and the range tells the side', value(wbc(88), [code('AA')], WBC), 'critical-high'),
  row('v3: significantly high', value(9, [code('HU')]), 'far-high', { said: ['Significantly high'] }),
  row('v3: H>, retired', value(9, [code('H>')]), 'far-high', { said: ['Significantly high'] }),
  row('v3: high', value(9, [code('H')]), 'high', { said: [] }),
  row('v3: low', value(1, [code('L')]), 'low', { said: [] }),
  row('v3: above the threshold', value(1, [code('HX')]), 'high', { said: ['Above the threshold'] }),
  row('v3: abnormal', finding('Turbid', [code('A')]), 'abnormal', { said: [] }),
  row('v3: A, and the range tells the side', value(wbc(12), [code('A')], WBC), 'high'),
  row('v3: normal', value(wbc(5), [code('N')], WBC), undefined, { said: [] }),
  row('v3: POS of an immunity test', finding('Immune', [code('POS')]), undefined, { said: ['Positive'] }),
  row('v3: POS of a blood group', finding('Rh positive', [code('POS')]), undefined, { said: ['Positive'] }),
  row('v3: POS says no more than the value', finding('Positive', [code('POS')]), undefined, { said: [] }),
  row('practice: POS where none is expected', finding('Growth', [code('POS')], { text: 'Negative' }), 'abnormal', {
    said: ['Positive'],
  }),
  row('practice: positive where none is expected', finding('Positive', [], { text: 'Negative' }), 'abnormal'),
  row('practice: detected where none is expected', finding('Detected', [], { text: 'Not detected' }), 'abnormal'),
  row('practice: as expected', finding('Not detected', [], { text: 'Not Detected' }), undefined),
  row('v3: negative', finding('Negative', [code('NEG')], { text: 'Negative' }), undefined, { said: [] }),
  row('v3: detected', finding('B.1.1.7', [code('DET')]), undefined, { said: ['Detected'] }),
  row('v3: reactive', value(12, [code('RR')]), undefined, { said: ['Reactive'] }),
  row('v3: non-reactive', value(0.1, [code('NR')]), undefined, { said: ['Non-reactive'] }),
  row('v3: resistant', finding('>= 32', [code('R')]), 'abnormal', { said: ['Resistant'] }),
  row('v3: susceptible', finding('<= 1', [code('S')]), undefined, { said: ['Susceptible'] }),
  row('v3: equivocal', finding('0.9', [code('E')]), undefined, { said: ['Equivocal'] }),
  row('v3: off the scale is no flag by itself', value(wbc(5), [code('>')], WBC), undefined, {
    said: ['Above what can be measured'],
  }),
  row('v3: worse is a remark, and the range decides', value(wbc(12), [code('W')], WBC), 'high', { said: ['Worse'] }),
  row('FHIR: a code without a system', value(9, [code('H', '')]), 'high'),
  row('practice: a code in lower case', value(9, [code('h', '')]), 'high'),
  row('practice: the gravest of several', value(9, [code('H'), code('HH')]), 'critical-high'),
  row('practice: H says the side, A only that', value(9, [code('A'), code('H')]), 'high'),
  row('practice: words graver than the code', value(88, [{ ...code('H'), text: 'Critical high' }]), 'critical-high'),
  row('practice: words beside the code', value(9, [{ ...code('H'), text: 'Above desirable' }]), 'high', {
    said: ['Above desirable'],
  }),
  row(
    'practice: a local code by its display',
    value(9, [{ coding: [{ system: 'urn:lab', code: '7', display: 'High' }] }]),
    'high',
  ),
  row('practice: a local code of the same letters', value(wbc(5), [code('A', 'urn:lab')], WBC), undefined, {
    said: ['A'],
  }),
  row('practice: an unknown code, outside the range', value(wbc(12), [code('X9', 'urn:lab')], WBC), 'high', {
    said: ['X9'],
  }),
  row('practice: unknown words, outside the range', value(wbc(3), [text('see comment')], WBC), 'low', {
    said: ['see comment'],
  }),
  row('practice: unknown words within the range', value(wbc(5), [text('checked')], WBC), undefined, {
    said: ['checked'],
  }),
  row('practice: N, but outside the range', value(wbc(88), [code('N')], WBC), 'far-high', {
    said: ['Normal'],
    note: 'Called normal',
  }),
  row('practice: H, but below the range', value(wbc(2), [code('H')], WBC), 'high', { note: 'below its range' }),
  row('practice: H by another limit, within the range', value(wbc(9), [code('H')], WBC), 'high'),
  row('a name of JavaScript is no code', value(wbc(5), [code('constructor', '')], WBC), undefined, {
    said: ['constructor'],
  }),
];

const RANGES: FlagCase[] = [
  row('FHIR: without a type', value(wbc(88), [], WBC), 'far-high'),
  row('FHIR: the ends belong to the range', value(wbc(11), [], WBC), undefined),
  row('FHIR: low alone', value(50, [], range(60, undefined)), 'low'),
  row('FHIR: high alone', value(250, [], range(undefined, 200)), 'high'),
  row(
    'FHIR: normal, not therapeutic',
    value(5, [], range(10, 20, typed('therapeutic')), range(0, 6, typed('normal'))),
    undefined,
  ),
  row('FHIR: therapeutic alone', value(5, [], range(10, 20, typed('therapeutic'))), undefined),
  row('FHIR: luteal phase alone', value(1, [], range(5, 20, typed('luteal'))), undefined),
  row(
    'FHIR: the untyped, not the target',
    value(7, [], range(undefined, 6.5, { type: text('Target') }), range(4, 5.6)),
    'high',
  ),
  row('FHIR: normal in words', value(7, [], range(4, 5.6, { type: text('Normal range') })), 'high'),
  row('FHIR: for women', value(12.5, [], range(13, 17, forSex('Male')), range(12, 15, forSex('Female'))), undefined, {
    subject: woman,
  }),
  row('FHIR: for men', value(12.5, [], range(13, 17, forSex('Male')), range(12, 15, forSex('Female'))), 'low', {
    subject: man,
  }),
  row(
    'FHIR: by the codes of SNOMED',
    value(12.5, [], range(13, 17, { appliesTo: [code('248153007', 'http://snomed.info/sct')] })),
    undefined,
    { subject: woman, note: 'for other people' },
  ),
  row(
    'FHIR: sex not known, the ranges differ',
    value(12.5, [], range(13, 17, forSex('Male')), range(12, 15, forSex('Female'))),
    undefined,
    { note: 'Several ranges' },
  ),
  row(
    'practice: below the ranges of both sexes',
    value(6, [], range(13, 17, forSex('M')), range(12, 15, forSex('F'))),
    'far-low',
  ),
  row('FHIR: for the other sex alone', value(12.5, [], range(13, 17, forSex('male'))), undefined, {
    subject: woman,
    note: 'for other people',
  }),
  row(
    'FHIR: for a group that cannot be told',
    value(50, [], range(60, undefined, { appliesTo: [text('Of African descent')] })),
    undefined,
    { subject: woman, note: 'for other people' },
  ),
  row(
    'FHIR: for pregnant women',
    value(11, [], range(12, 15, { appliesTo: [text('Female'), text('Pregnant')] })),
    undefined,
    { subject: woman, note: 'for other people' },
  ),
  row('FHIR: by age, the adult', value(300, [], range(30, 120, years(18)), range(100, 390, years(0, 17))), 'far-high', {
    subject: woman,
    on: '2024-03-05',
  }),
  row('FHIR: by age, the child', value(300, [], range(30, 120, years(18)), range(100, 390, years(0, 17))), undefined, {
    subject: girl,
    on: '2024-03-05',
  }),
  row(
    'FHIR: the age at the time, not today',
    value(300, [], range(30, 120, years(18)), range(100, 390, years(0, 17))),
    undefined,
    { subject: woman, on: '1990-03-05' },
  ),
  row('FHIR: a year of birth is enough far from the edge', value(300, [], range(30, 120, years(18))), 'far-high', {
    subject: { birth: '1980' },
    on: '2024',
  }),
  row('FHIR: a year of birth is not enough at the edge', value(300, [], range(30, 120, years(18))), undefined, {
    subject: { birth: '2006' },
    on: '2024',
    note: 'for other people',
  }),
  row(
    'FHIR: months',
    value(10, [], range(14, 22, { age: { low: quantity(0, 'mo'), high: quantity(1, 'mo') } })),
    'low',
    {
      subject: { birth: '2024-03-01' },
      on: '2024-03-05',
    },
  ),
  row('practice: several fit, and differ', value(5.8, [], range(4, 5.6), range(4, 6)), undefined, { note: 'Several' }),
  row('practice: the same limits twice', value(9, [], range(4, 5.6), range(4, 5.6)), 'far-high'),
  row('practice: inverted', value(7, [], range(11, 4)), undefined, { note: 'wrong way round' }),
  row('practice: inverted beside an upright one', value(20, [], range(11, 4), range(4, 11)), 'far-high', {
    note: 'wrong way round',
  }),
  row(
    'UCUM: the range in another unit of the dimension',
    value(wbc(88), [], range(4, 11, { u: '10*9/L' })),
    'far-high',
  ),
  row('UCUM: Fahrenheit against Celsius', value(quantity(104.2, '[degF]'), [], range(36, 37.5, { u: 'Cel' })), 'high'),
  row(
    'UCUM: amount against mass is not compared',
    value(quantity(100, 'mg/dL'), [], range(3.9, 5.5, { u: 'mmol/L' })),
    undefined,
    { note: 'another unit' },
  ),
  row(
    'practice: both units given',
    value(quantity(7, 'mmol/L'), [], range(70, 99, { u: 'mg/dL' }), range(3.9, 5.5, { u: 'mmol/L' })),
    'high',
  ),
  row('FHIR: a range without a unit', value(quantity(7, 'mmol/L'), [], range(3.9, 5.5)), 'high'),
  row(
    'FHIR: a unit at one end alone',
    value(quantity(250, 'mg/dL'), [], { low: { value: 0 }, high: quantity(2, 'g/L') }),
    'high',
  ),
  row('practice: limits with a unit in the text', value(quantity(9, 'mg/L'), [], { text: '< 5 mg/L' }), 'far-high'),
  row('practice: decimal commas', value(9, [], { text: '4,0 – 5,6' }), 'far-high'),
  row('practice: signs', value(-3, [], { text: '-2 to +2' }), 'low'),
  row('practice: a bound in German', value(9, [], { text: 'kleiner als 5' }), 'far-high'),
  row('practice: a bound in French', value(9, [], { text: 'inférieur à 5' }), 'far-high'),
  row('practice: thousands or decimals cannot be told', value(9, [], { text: '4,000-5,600' }), undefined),
  row('practice: words are no limits', value(9, [], { text: 'see report' }), undefined),
  row('FHIR: an integer', { valueInteger: 12, referenceRange: [range(0, 4)] }, 'far-high'),
  row('FHIR: no number, no flag by range', { valueString: 'cloudy', referenceRange: [range(0, 4)] }, undefined),
  row('FHIR: sampled data', { valueSampledData: { data: '9 9' }, referenceRange: [range(0, 4)] }, undefined),
  row('FHIR: an empty range', value(9, [], {}), undefined),
];

const BOUNDS: FlagCase[] = [
  row('practice: > 60 against ≥ 60', value(quantity(60, '', '>'), [], range(60, undefined)), undefined),
  row('practice: < 5 against 6 at least', value(quantity(5, '', '<'), [], range(6, undefined)), 'low'),
  row('practice: < 5 against 5 at least', value(quantity(5, '', '<'), [], range(5, undefined)), 'low'),
  row('practice: <= 5 against 5 at least', value(quantity(5, '', '<='), [], range(5, undefined)), undefined, {
    note: 'Only a bound',
  }),
  row('practice: < 5 against 10 at most', value(quantity(5, '', '<'), [], range(undefined, 10)), undefined),
  row('practice: > 1000 against 120 at most', value(quantity(1000, '', '>'), [], range(undefined, 120)), 'far-high'),
  row('practice: > 120 against 120 at most', value(quantity(120, '', '>'), [], range(undefined, 120)), 'high'),
  row('practice: >= 120 against 120 at most', value(quantity(120, '', '>='), [], range(undefined, 120)), undefined, {
    note: 'Only a bound',
  }),
  row('practice: an unknown comparator', value(quantity(500, '', 'ad'), [], range(undefined, 120)), undefined, {
    note: 'Only a bound',
  }),
];

export const FLAG_CASES: readonly FlagCase[] = [...INTERPRETATIONS, ...RANGES, ...BOUNDS];
