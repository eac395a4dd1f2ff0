import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation, Quantity } from '#reading/fhir/types.ts';
import { hasGrowth, measurementsOf } from '#reading/growth/measurements.ts';
import { CDC_STANDARD, curves, percentile, standardFor, WHO_STANDARD } from '#reading/growth/standards.ts';
import { growthTable, sexOf } from '#reading/growth/table.ts';
import { ENGLISH } from '#reading/language/words.ts';
import { endOfChart, growthScale, namedCurves } from './plot-scale.ts';

const BIRTH = '2018-06-14';
const measured = (code: string, on: string, valueQuantity: Quantity, more: Partial<Observation> = {}): Observation => ({
  resourceType: 'Observation',
  id: `${code} ${on}`,
  status: 'final',
  code: { coding: [{ code }] },
  effectiveDateTime: on,
  valueQuantity,
  ...more,
});
const kg = (value: number): Quantity => ({ value, unit: 'kg', code: 'kg' });

test('measurements are converted to the units of the standards, and others have no amount', () => {
  const [weights, lengths] = measurementsOf(
    ENGLISH,
    [
      measured('29463-7', '2020-06-14', { value: 28, unit: 'lb', code: '[lb_av]' }),
      measured('29463-7', '2019-06-14', { value: 9600, unit: 'g' }),
      measured('29463-7', '2021-06-14', { value: 2, unit: 'stone' }),
      measured('29463-7', '2022-06-14', { value: 20, comparator: '>', unit: 'kg' }),
      measured('8306-3', '2019-06-14', { value: 30, unit: 'in', code: '[in_i]' }),
    ],
    BIRTH,
  );
  assert.deepEqual(
    weights?.list.map(({ amount }) => amount?.toFixed(2)),
    ['9.60', '12.70', undefined, undefined],
  );
  assert.equal(lengths?.list[0]?.amount?.toFixed(1), '76.2');
});

test('errors, other tests and the measurements of adults are none of growth', () => {
  const all = [
    measured('29463-7', '2020-01-01', kg(11), { status: 'entered-in-error' }),
    measured('29463-7', '2020-01-01', kg(11), { status: 'cancelled' }),
    measured('8867-4', '2020-01-01', { value: 100, unit: '/min' }),
    measured('29463-7', '2038-06-20', kg(70)),
  ];
  assert.deepEqual(measurementsOf(ENGLISH, all, BIRTH), []);
  assert.equal(hasGrowth(all, BIRTH), false);
});

test('a date that is not exact, one before the birth, and an unknown birth give no age', () => {
  const ages = (birth: string | undefined, on: string) =>
    measurementsOf(ENGLISH, [measured('29463-7', on, kg(11))], birth)[0]?.list.map(({ age, ageText }) => [
      age,
      ageText,
    ]);
  assert.deepEqual(ages(BIRTH, '2020-06'), [[undefined, '']]);
  assert.deepEqual(ages(BIRTH, '2018-06-01'), [[undefined, '']]);
  assert.deepEqual(ages('2018', '2020-06-14'), [[undefined, '']]);
  assert.deepEqual(ages(undefined, '2020-06-14'), [[undefined, '']]);
  assert.deepEqual(ages(BIRTH, '2018-06-14T23:00:00-04:00'), [[0, 'birth']]);
  assert.equal(hasGrowth([measured('29463-7', '2020-06', kg(11))], BIRTH), false);
});

test('the WHO has the first two years, the CDC the others', () => {
  assert.equal(standardFor(0), WHO_STANDARD);
  assert.equal(standardFor(729), WHO_STANDARD);
  assert.equal(standardFor(730), CDC_STANDARD);
});

test('a percentile is that of age and sex', () => {
  const at = (sex: 'male' | 'female', on: string, value: number) => {
    const [one] = measurementsOf(ENGLISH, [measured('29463-7', on, kg(value))], BIRTH);
    const measurement = one?.list[0];
    assert.ok(measurement);
    return percentile('weight', sex, measurement);
  };
  assert.equal(at('male', '2018-06-14', 3.3464)?.toFixed(1), '50.0');
  // The 15th percentile of the WHO for girls of twelve months is 7.9 kg.
  assert.equal(Math.round(at('female', '2019-06-14', 7.9) ?? 0), 15);
  // The 50th percentile of the CDC for boys of ten years is 32 kg.
  assert.equal(Math.round(at('male', '2028-06-14', 31.9) ?? 0), 50);
});

test('a row says why it has no percentile', () => {
  const [heads] = measurementsOf(
    ENGLISH,
    [
      measured('9843-4', '2019-06-14', { value: 46, unit: 'cm' }),
      measured('9843-4', '2023-06-14', { value: 51, unit: 'cm' }),
      measured('9843-4', '2019', { value: 46, unit: 'cm' }),
      measured('9843-4', '2020-01-01', { value: 46, unit: 'spans' }),
    ],
    BIRTH,
  );
  assert.ok(heads);
  assert.deepEqual(
    growthTable(heads, 'male').rows.map(({ percentile: is, why }) => why ?? typeof is),
    [
      'The date is not exact enough',
      'number',
      'The unit or the value is not known',
      'The CDC has no curves after three years',
    ],
  );
});

test('the standards have two sexes', () => {
  assert.deepEqual(['male', 'female'].map(sexOf), ['male', 'female']);
  for (const other of ['other', 'unknown', undefined, '<b>']) assert.equal(sexOf(other), undefined);
});

test('curves reach over the ages of their chart, each above the one before', () => {
  for (const [standard, until] of [
    [WHO_STANDARD, 24],
    [CDC_STANDARD, 120],
  ] as const) {
    const drawn = curves(standard, 'weight', 'female', until);
    for (const [i, { points }] of drawn.entries()) {
      assert.equal(points[0]?.months, standard.from);
      assert.ok((points.at(-1)?.months ?? 0) > until - 3);
      const below = drawn[i - 1];
      if (below) assert.ok(points.every(({ value }, at) => value > (below.points[at]?.value ?? Infinity)));
    }
  }
});

test('a chart ends at eight years, of an older child two years later, and never after twenty', () => {
  assert.equal(endOfChart(24, 3), 24);
  assert.equal(endOfChart(240, 30), 96);
  assert.equal(endOfChart(240, 98), 132);
  assert.equal(endOfChart(240, 239), 240);
});

test('names of curves never cover each other; the median and the outer ones come first', () => {
  const drawn = curves(CDC_STANDARD, 'length', 'male', 240);
  const { y, ages } = growthScale(drawn, [90], { from: 24, until: 240, width: 340, height: 160 });
  const named = namedCurves(drawn, y);
  const heights = named.map((one) => one.y).sort((a, b) => a - b);
  for (const [i, one] of heights.entries()) if (i) assert.ok(one - (heights[i - 1] ?? 0) >= 12);
  assert.ok([50, 3, 97].every((one) => named.some((curve) => curve.percentile === one)));
  assert.ok(named.length < drawn.length);
  assert.equal(ages[0]?.label, '2\u00a0y');
});
