import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MeasuredValue, Observation } from '../../fhir/types.ts';
import { ENGLISH } from '../../language/words.ts';
import { related } from '../related.ts';
import { READING_CASES } from './reading.cases.ts';
import { absent, hasValue, range, reading, value, when } from './reading.ts';
import { samples } from './sampled.ts';

const spaced = (text: string | undefined): string | undefined => text?.replaceAll('\u00a0', ' ');
const observation = (elements: Partial<Observation>): Observation => ({
  resourceType: 'Observation',
  id: 'o',
  ...elements,
});

/** Half of a blood pressure, with or without a value. */
const half = (code: string, of?: number): MeasuredValue => ({
  code: { coding: [{ code }] },
  ...(of === undefined ? { dataAbsentReason: { text: 'Unknown' } } : { valueQuantity: { value: of, unit: 'mmHg' } }),
});

test('a blood pressure is read as one, and a missing half is seen', () => {
  const pressure = (systolic?: number, diastolic?: number): string | undefined =>
    spaced(reading(ENGLISH, observation({ component: [half('8480-6', systolic), half('8462-4', diastolic)] })));
  assert.equal(pressure(148, 92), '148/92 mmHg');
  assert.equal(pressure(90), '90/— mmHg (Not available: unknown)');
  assert.equal(pressure(), 'Not available: unknown');
});

test('a value of any type is read', () => {
  assert.equal(value(ENGLISH, { valueBoolean: false }), 'No');
  assert.equal(value(ENGLISH, { valueInteger: 0 }), '0');
  assert.equal(value(ENGLISH, { valueCodeableConcept: { text: 'Positive' } }), 'Positive');
  assert.equal(
    spaced(value(ENGLISH, { valueRatio: { numerator: { value: 1 }, denominator: { value: 128 } } })),
    '1 : 128',
  );
  assert.equal(value(ENGLISH, { valueString: ' ' }), undefined, 'a blank says nothing');
  assert.equal(value(ENGLISH, {}), undefined);
});

test('a value that is not drawn or not read is named, also of a component, and is not called none', () => {
  const odd = (elements: object): Observation => ({ resourceType: 'Observation', id: 'o', ...elements });
  assert.equal(
    spaced(reading(ENGLISH, odd({ valueSampledData: { origin: { value: 0 }, period: 10 } }))),
    'Series of 0 points, one every 10 ms',
  );
  assert.match(reading(ENGLISH, odd({ valueSampledData: { data: '1 U L' } })), /1 above what .*, 1 below what/);
  assert.equal(reading(ENGLISH, odd({ valueAttachment: {} })), 'A value of the type Attachment, not shown');
  assert.equal(reading(ENGLISH, odd({ valueTime: '07:40:00' })), '07:40:00');
  assert.equal(spaced(reading(ENGLISH, odd({ valueRange: { high: { value: 2, unit: 'h' } } }))), '≤ 2 hours');
  assert.equal(spaced(reading(ENGLISH, odd({ valueRatio: { numerator: { value: 3, unit: 'mg' } } }))), '3 mg');
  const values = {
    valueSampledData: {},
    valueRatio: { numerator: { value: 1 }, denominator: { value: 40 } },
    valueRange: { low: { value: 4 }, high: { value: 6 } },
    valueTime: '12:00:00',
  };
  const component = Object.entries(values).map(([name, of]) => ({ code: { text: name.slice(5) }, [name]: of }));
  const panel = odd({ component });
  assert.equal(reading(ENGLISH, panel), 'SampledData: Series of 0 points; Ratio: 1 : 40; Range: 4–6; Time: 12:00:00');
  assert.equal(hasValue(panel), true);
  assert.equal(
    reading(ENGLISH, odd({ component: [{ code: { coding: [{ code: '8480-6' }] }, valueRange: values.valueRange }] })),
    'code 8480-6, without a name: 4–6',
  );
  assert.equal(reading(ENGLISH, odd({ valueRatio: {} })), 'No value');
  assert.equal(reading(ENGLISH, odd({})), 'No value');
  assert.equal(hasValue(odd({ component: [{ dataAbsentReason: { text: 'Unknown' } }] })), false);
});

test('a series of numbers is said with its ends, its pace and its limits', () => {
  const data = '10 -20 E 35';
  const origin = { value: 100, unit: 'mV' };
  const of = { origin, period: 4, factor: 2, lowerLimit: -500, upperLimit: 500, data };
  assert.deepEqual(samples(of), [120, 60, undefined, 170]);
  assert.deepEqual(samples({ dimensions: 2, data: '1 9 2 9' }), [1, 2]);
  assert.equal(
    spaced(value(ENGLISH, { valueSampledData: of })),
    'Series of 4 points, one every 4 ms, from 60 to 170 mV, lower limit -500 mV, upper limit 500 mV',
  );
});

test('the reason for an absent value is in words', () => {
  const because = (reason: object): string | undefined => absent(ENGLISH, { dataAbsentReason: reason });
  const coded = (code: string): string | undefined => because({ coding: [{ code }] });
  assert.equal(coded('asked-declined'), 'Not available: asked but declined');
  assert.equal(coded('masked'), 'Not available: held back');
  assert.equal(coded('not-performed'), 'Not available: not performed');
  assert.equal(because({ text: 'Patient asleep' }), 'Not available: patient asleep');
  assert.equal(coded('constructor'), 'Not available: constructor');
  assert.equal(absent(ENGLISH, {}), undefined);
  const url = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason';
  const instead = { extension: [{ url, valueCode: 'not-performed' }] };
  for (const name of ['valueQuantity', 'valueCodeableConcept', '_valueString'])
    assert.equal(absent(ENGLISH, { [name]: instead }), 'Not available: not performed', name);
});

test('a range has both its ends, or one, or its text', () => {
  assert.equal(spaced(range(ENGLISH, { low: { value: 4, unit: '%' }, high: { value: 5.6, unit: '%' } })), '4–5.6%');
  const years = { value: 2, code: 'a' };
  assert.equal(spaced(range(ENGLISH, { low: { value: 6, code: 'mo' }, high: years })), '6 months – 2 years');
  for (const code of ['a', ''])
    assert.equal(spaced(range(ENGLISH, { low: { value: 1, code }, high: years })), '1–2 years');
  assert.equal(spaced(range(ENGLISH, { high: { value: 200, unit: 'mg/dL' } })), '≤ 200 mg/dL');
  assert.equal(spaced(range(ENGLISH, { low: { value: 60 } })), '≥ 60');
  assert.equal(range(ENGLISH, { text: 'negative' }), 'negative');
  assert.equal(range(ENGLISH, undefined), undefined);
});

test('an observation is dated by its effective time, else by when it was issued', () => {
  assert.equal(when(observation({ effectivePeriod: { start: '2020' }, issued: '2021' })), '2020');
  assert.equal(when(observation({ effectiveTiming: { event: [null, '2020'] }, issued: '2021' })), '2021');
  assert.equal(when(observation({ effectiveTiming: { repeat: { boundsPeriod: { start: '2020' } } } })), '2020');
  assert.equal(when(observation({ effectivePeriod: { end: '2020' }, issued: '2021' })), '2020');
  assert.equal(when(observation({})), undefined);
});

test('each value is read with its components, and nothing empty is read as a value', () => {
  for (const { from, of, reads } of READING_CASES)
    assert.equal(spaced(reading(ENGLISH, { resourceType: 'Observation', id: 'o', ...of })), reads, from);
});

test('a panel refers to its parts if the chart has one, and names them otherwise', () => {
  const panel = observation({ hasMember: [{ display: 'Sodium', reference: 'Observation/na' }] });
  const told = (...all: Observation[]) => reading(ENGLISH, related([panel, ...all], () => undefined)[0] ?? panel);
  assert.equal(told({ ...panel, id: 'na', hasMember: [] }), 'See its parts');
  assert.equal(told(), 'Its parts: Sodium');
});
