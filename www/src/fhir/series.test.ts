import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seriesOf, summary } from './series.ts';
import type { Observation } from './types.ts';

const weight = (id: string, value: number, unit: string, effectiveDateTime: string): Observation => ({
  resourceType: 'Observation',
  id,
  code: { coding: [{ code: 'w' }], text: 'Weight' },
  valueQuantity: { value, unit },
  effectiveDateTime,
});

test('values in different units never share a line, and errors are no points', () => {
  const series = seriesOf([
    weight('b', 80, 'kg', '2021'),
    weight('a', 180, 'lb', '2020'),
    weight('c', 81, 'kg', '2019'),
    { ...weight('d', 999, 'kg', '2022'), status: 'entered-in-error' },
  ]);
  assert.deepEqual(
    series.map(({ unit, points }) => [unit, points.map(({ value }) => value)]),
    [
      ['kg', [81, 80]],
      ['lb', [180]],
    ],
  );
});

test('the components of a panel are series of their own', () => {
  const part = (code: string, value: number): object => ({
    code: { coding: [{ code }], text: code },
    valueQuantity: { value, unit: 'mmHg' },
  });
  const pressure: Observation = {
    resourceType: 'Observation',
    id: 'p',
    effectiveDateTime: '2020',
    component: [part('systolic', 120), part('diastolic', 80)],
  };
  assert.deepEqual(
    seriesOf([pressure]).map(({ name, points }) => [name, points.length]),
    [
      ['systolic', 1],
      ['diastolic', 1],
    ],
  );
});

test('a series is summed up in a sentence', () => {
  const [series] = seriesOf([
    weight('a', 80, 'kg', '2019-03-01'),
    { ...weight('b', 90, 'kg', '2021-03-01'), referenceRange: [{ high: { value: 85, unit: 'kg' } }] },
  ]);
  assert.ok(series);
  assert.equal(
    summary(series).replaceAll('\u00a0', ' '),
    'Weight: 2 results, 2019 to 2021. Latest 90 kg, high. Reference range ≤ 85 kg. 1 of 2 outside the range.',
  );
  assert.equal(summary({ ...series, points: [] }), 'Weight: no numbers.');
});
