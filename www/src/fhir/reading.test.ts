import assert from 'node:assert/strict';
import { test } from 'node:test';
import { range, reading, value, when } from './reading.ts';
import type { Measured, Observation } from './types.ts';

const spaced = (text: string | undefined): string | undefined => text?.replaceAll('\u00a0', ' ');
const observation = (elements: Partial<Observation>): Observation => ({
  resourceType: 'Observation',
  id: 'o',
  ...elements,
});

/** Half of a blood pressure, with or without a value. */
const half = (code: string, of?: number): Measured => ({
  code: { coding: [{ code }] },
  ...(of === undefined ? { dataAbsentReason: { text: 'Unknown' } } : { valueQuantity: { value: of, unit: 'mmHg' } }),
});

test('a blood pressure is read as one, and a missing half is seen', () => {
  const pressure = (systolic?: number, diastolic?: number): string | undefined =>
    spaced(reading(observation({ component: [half('8480-6', systolic), half('8462-4', diastolic)] })));
  assert.equal(pressure(148, 92), '148/92 mmHg');
  assert.equal(pressure(90), '90/— mmHg');
  assert.equal(pressure(), 'Not available: unknown');
});

test('a value of any type is read', () => {
  assert.equal(value({ valueBoolean: false }), 'No');
  assert.equal(value({ valueInteger: 0 }), '0');
  assert.equal(value({ valueCodeableConcept: { text: 'Positive' } }), 'Positive');
  assert.equal(spaced(value({ valueRatio: { numerator: { value: 1 }, denominator: { value: 128 } } })), '1 : 128');
  assert.equal(value({ valueString: '' }), '');
  assert.equal(value({}), undefined);
});

test('a range has both its ends, or one, or its text', () => {
  assert.equal(spaced(range({ low: { value: 4, unit: '%' }, high: { value: 5.6, unit: '%' } })), '4–5.6%');
  assert.equal(spaced(range({ high: { value: 200, unit: 'mg/dL' } })), '≤ 200 mg/dL');
  assert.equal(spaced(range({ low: { value: 60 } })), '≥ 60');
  assert.equal(range({ text: 'negative' }), 'negative');
  assert.equal(range(undefined), undefined);
});

test('an observation is dated by its effective time, else by when it was issued', () => {
  assert.equal(when(observation({ effectivePeriod: { start: '2020' }, issued: '2021' })), '2020');
  assert.equal(when(observation({ effectiveTiming: { event: [null, '2020'] }, issued: '2021' })), '2021');
  assert.equal(when(observation({})), undefined);
});
