import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Measured, Observation } from '../fhir/types.ts';
import { usualRange } from './usual-ranges.ts';
import { VITAL_CASES } from './vitals.cases.ts';

const vital = (code: string, value: number, unit: string, on = '2026-01-01', more: object = {}): Observation => ({
  resourceType: 'Observation',
  id: 'v',
  code: { coding: [{ code }] },
  effectiveDateTime: on,
  valueQuantity: { value, code: unit },
  ...more,
});
const pressure = (systolic: number, diastolic: number, on = '2026-01-01'): Observation => {
  const part = (code: string, value: number): Measured => ({
    code: { coding: [{ code }] },
    valueQuantity: { value, code: 'mm[Hg]' },
  });
  return {
    resourceType: 'Observation',
    id: 'p',
    code: { coding: [{ code: '85354-9' }] },
    effectiveDateTime: on,
    component: [part('8480-6', systolic), part('8462-4', diastolic)],
  };
};
const said = (o: Observation, birth: string | undefined) => {
  const found = usualRange(o, birth);
  return found && [found.text, found.source.short, found.out];
};

test('the usual heart rate is that of the age at the measurement, with its source', () => {
  const heart = vital('8867-4', 130, '/min');
  assert.deepEqual(said(heart, '2025-12-20'), ['100–205', 'PALS', undefined]);
  assert.deepEqual(said(heart, '2025-08-01'), ['100–190', 'PALS', undefined]);
  assert.deepEqual(said(heart, '2024-06-01'), ['98–140', 'PALS', undefined]);
  assert.deepEqual(said(heart, '2021-06-01'), ['80–120', 'PALS', 'above']);
  assert.deepEqual(said(heart, '2017-06-01'), ['75–118', 'PALS', 'above']);
  assert.deepEqual(said(heart, '2012-06-01'), ['60–100', 'PALS', 'above']);
  assert.equal(said(heart, '2009-06-01'), undefined, 'no source has a range for this age');
  assert.deepEqual(said(heart, '1980-06-01'), ['60–100', 'MedlinePlus', 'above']);
});

test('the edges of a range are inside it', () => {
  assert.equal(said(vital('9279-1', 12, '/min'), '1980-01-01')?.[2], undefined);
  assert.equal(said(vital('9279-1', 18, '/min'), '1980-01-01')?.[2], undefined);
  assert.equal(said(vital('9279-1', 19, '/min'), '1980-01-01')?.[2], 'above');
  assert.equal(said(vital('9279-1', 11, '/min'), '1980-01-01')?.[2], 'below');
  assert.equal(said(vital('59408-5', 95, '%'), '1980-01-01')?.[2], undefined);
  assert.equal(said(vital('59408-5', 94, '%'), '1980-01-01')?.[2], 'below');
});

test('blood pressure is judged by both numbers', () => {
  assert.deepEqual(said(pressure(119, 79), '1980-01-01'), ['below 120/80', 'ACC/AHA', undefined]);
  assert.deepEqual(said(pressure(119, 80), '1980-01-01'), ['below 120/80', 'ACC/AHA', 'above']);
  assert.deepEqual(said(pressure(120, 70), '2011-01-01'), ['below 120/80', 'AAP', 'above']);
  assert.deepEqual(said(pressure(100, 60), '2018-06-14'), ['97–115 / 57–76', 'PALS', undefined]);
  assert.deepEqual(said(pressure(90, 60), '2018-06-14'), ['97–115 / 57–76', 'PALS', 'below']);
});

test('vital signs are judged in the unit of the record, and an emergency is one by its source', () => {
  for (const { from, code, value, unit, comparator, out, emergency } of VITAL_CASES) {
    const o = vital(code, value, unit);
    if (comparator && o.valueQuantity) o.valueQuantity.comparator = comparator;
    const found = usualRange(o, '1980-04-01');
    assert.equal(found?.out, out, from);
    assert.equal(found?.emergency, emergency, from);
  }
});

test('the ends of a usual range are written in the unit of the record', () => {
  assert.equal(said(vital('8310-5', 104.2, '[degF]'), '1980-01-01')?.[0], '97.7–99.1');
  assert.equal(said(vital('8480-6', 15, 'kPa'), '1980-01-01')?.[0], 'below 16');
});

test('both numbers of a blood pressure can be an emergency', () => {
  assert.equal(usualRange(pressure(185, 100), '1980-01-01')?.emergency, 'above 180 is an emergency');
  assert.equal(usualRange(pressure(150, 121), '1980-01-01')?.emergency, 'above 120 is an emergency');
  assert.equal(usualRange(pressure(180, 120), '1980-01-01')?.emergency, undefined);
});

test('words that are not known leave the usual range in its place, and so does a target', () => {
  const odd = { interpretation: [{ text: 'checked' }] };
  assert.deepEqual(said(vital('59408-5', 82, '%', '2026-01-01', odd), '1980-01-01'), ['at least 95', 'WHO', 'below']);
  const target = { referenceRange: [{ type: { coding: [{ code: 'recommended' }] }, low: { value: 88 } }] };
  assert.deepEqual(said(vital('59408-5', 82, '%', '2026-01-01', target), '1980-01-01'), [
    'at least 95',
    'WHO',
    'below',
  ]);
});

test('a range or an interpretation of the record goes before', () => {
  const range = { referenceRange: [{ text: 'own' }] };
  assert.equal(said(vital('8867-4', 70, '/min', '2026-01-01', range), '1980-01-01'), undefined);
  const normal = { interpretation: [{ coding: [{ code: 'N' }] }] };
  assert.equal(said(vital('8867-4', 70, '/min', '2026-01-01', normal), '1980-01-01'), undefined);
});

test('without an age, in a unit that cannot be converted, and for other measurements there is none', () => {
  assert.equal(said(vital('8867-4', 70, '/min'), undefined), undefined);
  assert.equal(said(vital('8867-4', 70, '/min', '2026'), '2020-01-01'), undefined);
  assert.equal(said(vital('8867-4', 70, '%'), '1980-01-01'), undefined);
  assert.equal(said(vital('8310-5', 98.6, ''), '1980-01-01'), undefined);
  assert.equal(said(vital('29463-7', 70, 'kg'), '1980-01-01'), undefined);
  assert.equal(said({ resourceType: 'Observation', id: 'bare' }, '1980-01-01'), undefined);
  // A year of birth is enough for an adult.
  assert.deepEqual(said(vital('8867-4', 70, '/min', '2026'), '1980'), ['60–100', 'MedlinePlus', undefined]);
});
