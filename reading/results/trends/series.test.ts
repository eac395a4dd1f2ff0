import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../../fhir/types.ts';
import { ENGLISH } from '../../language/words.ts';
import { seriesOf, summary } from './series.ts';

const spaced = (text: string | undefined): string | undefined => text?.replaceAll('\u00a0', ' ');

const weight = (id: string, value: number, unit: string, effectiveDateTime: string): Observation => ({
  resourceType: 'Observation',
  id,
  code: { coding: [{ code: 'w' }], text: 'Weight' },
  valueQuantity: { value, unit },
  effectiveDateTime,
});

const drawn = (...observations: Observation[]): [string, number[]][] =>
  seriesOf(ENGLISH, observations).map(({ unit, points }) => [unit, points.map(({ value }) => value)]);

test('values in other units are converted to that of the latest, and errors are no points', () => {
  const all = [
    weight('b', 80, 'kg', '2021'),
    weight('a', 180, 'lb', '2020'),
    weight('c', 81, 'kg', '2019'),
    { ...weight('d', 999, 'kg', '2022'), status: 'entered-in-error' },
    ...['cancelled', 'Canceled', 'Entered in error'].map((status) => ({ ...weight('e', 999, 'kg', '2022'), status })),
    { ...weight('f', 999, 'kg', '2022'), ...{ modifierExtension: [{ url: 'urn:negated', valueBoolean: true }] } },
  ];
  assert.deepEqual(drawn(...all), [['kg', [81, 81.65, 80]]]);
  const [, pound] = seriesOf(ENGLISH, all)[0]?.points ?? [];
  assert.equal(spaced(pound?.text), '180 lb');
  assert.equal(spaced(pound?.convertedText), '81.65 kg');
});

test('values that cannot be converted never share a line', () => {
  assert.deepEqual(drawn(weight('a', 90, 'mg/dL', '2020'), weight('b', 5, 'mmol/L', '2021')), [
    ['mmol/L', [5]],
    ['mg/dL', [90]],
  ]);
  assert.deepEqual(drawn(weight('a', 90, 'stones', '2020'), weight('b', 5, 'kg', '2021')), [
    ['kg', [5]],
    ['stones', [90]],
  ]);
});

test('a value without a unit shares no line with one that has a unit', () => {
  const bare: Observation = { ...weight('a', 90, '', '2020'), valueQuantity: { value: 90 } };
  assert.deepEqual(drawn(bare, weight('b', 5, 'kg', '2021')), [
    ['kg', [5]],
    ['', [90]],
  ]);
});

test('the range is converted with the values, and a therapeutic one is not drawn', () => {
  const limits = (type: object, ...observations: Observation[]): unknown => {
    const [first] = seriesOf(
      ENGLISH,
      observations.map((o) => ({ ...o, referenceRange: [{ high: { value: 200, unit: 'lb' }, ...type }] })),
    );
    return first && [first.low, first.high && Math.round(first.high * 10) / 10];
  };
  assert.deepEqual(limits({}, weight('a', 80, 'kg', '2021')), [undefined, 90.7]);
  assert.deepEqual(limits({ type: { coding: [{ code: 'therapeutic' }] } }, weight('a', 80, 'kg', '2021')), [
    undefined,
    undefined,
  ]);
});

test('a bound and a preliminary value are told in the sentence and in the points', () => {
  const bound: Observation = {
    ...weight('a', 5, 'kg', '2020'),
    valueQuantity: { value: 5, unit: 'kg', comparator: '<' },
  };
  const [series] = seriesOf(ENGLISH, [bound, { ...weight('b', 6, 'kg', '2021'), status: 'preliminary' }]);
  assert.deepEqual(
    series?.points.map(({ isBound, isPreliminary }) => [isBound, isPreliminary]),
    [
      [true, false],
      [false, true],
    ],
  );
  assert.match(series ? summary(ENGLISH, series) : '', /1 is only a bound\. 1 is preliminary\.$/);
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
    seriesOf(ENGLISH, [pressure]).map(({ name, points }) => [name, points.length]),
    [
      ['systolic', 1],
      ['diastolic', 1],
    ],
  );
});

test('a series is summed up in a sentence', () => {
  const [series] = seriesOf(ENGLISH, [
    weight('a', 80, 'kg', '2019-03-01'),
    { ...weight('b', 90, 'kg', '2021-03-01'), referenceRange: [{ high: { value: 85, unit: 'kg' } }] },
  ]);
  assert.ok(series);
  assert.equal(
    summary(ENGLISH, series).replaceAll('\u00a0', ' '),
    'Weight: 2 results, 2019 to 2021. Latest 90 kg, high. Reference range ≤ 85 kg. 1 of 2 outside the range.',
  );
  assert.equal(summary(ENGLISH, { ...series, points: [] }), 'Weight: no numbers.');
});
