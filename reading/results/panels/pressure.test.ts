import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newest } from '../../fhir/date.ts';
import type { MeasuredValue, Observation } from '../../fhir/types.ts';
import { ENGLISH } from '../../language/words.ts';
import { latestSigns } from '../signs.ts';
import { reading, when } from '../values/reading.ts';
import { latestPressures } from './pressure.ts';
import { groupsOf } from './test-groups.ts';

const mmHg = (value: number) => ({ value, unit: 'mm[Hg]', code: 'mm[Hg]' });
const coded = (code: string, text = code) => ({ coding: [{ system: 'http://loinc.org', code }], text });
const single = (code: string, value: number, on: string, more: Partial<Observation> = {}): Observation => ({
  resourceType: 'Observation',
  id: `${code} ${on}`,
  status: 'final',
  code: coded(code),
  effectiveDateTime: on,
  valueQuantity: mmHg(value),
  ...more,
});
const systolic = (value: number, on: string): Observation => single('8480-6', value, on);
const diastolic = (value: number, on: string): Observation => single('8462-4', value, on);
const panel = (top: number, bottom: number | undefined, on: string): Observation => ({
  resourceType: 'Observation',
  id: `panel ${on}`,
  status: 'final',
  code: coded('85354-9'),
  effectiveDateTime: on,
  component: [
    { code: coded('8480-6'), valueQuantity: mmHg(top) },
    ...(bottom === undefined ? [] : [{ code: coded('8462-4'), valueQuantity: mmHg(bottom) } satisfies MeasuredValue]),
  ],
});
const latest = (...all: Observation[]): string[] =>
  latestPressures(ENGLISH, newest(all, when)).map((o) =>
    `${reading(ENGLISH, o)}, ${when(o)}`.replaceAll('\u00a0', ' '),
  );

test('systolic and diastolic pressures of one time are one blood pressure', () => {
  const all = [systolic(148, '2024-03-05T08:00:00Z'), diastolic(92, '2024-03-05T08:00:00Z')];
  assert.deepEqual(latest(...all), ['148/92 mmHg, 2024-03-05T08:00:00Z']);
  assert.deepEqual(latest(systolic(148, '2024-03-05T08:00:00Z'), diastolic(92, '2024-03-05T09:00:00+01:00')), [
    '148/92 mmHg, 2024-03-05T08:00:00Z',
  ]);
});

test('a number is not joined with one of a whole pressure, also of the same time', () => {
  for (const all of [
    [systolic(150, '2024-03-05'), panel(190, 110, '2024-03-05')],
    [panel(190, 110, '2024-03-05'), systolic(150, '2024-03-05')],
  ])
    assert.match(latest(...all).join(), /190\/110 mmHg/);
});

test('a pressure without its other number has the reason for it', () => {
  const half = panel(148, undefined, '2024-03-05');
  const why: MeasuredValue = { code: coded('8462-4'), dataAbsentReason: { text: 'Not heard' } };
  assert.deepEqual(latest({ ...half, component: [...(half.component ?? []), why] }), [
    '148/— mmHg (Not available: not heard), 2024-03-05',
  ]);
});

test('pressures of different times stand each with its time, the newer first', () => {
  assert.deepEqual(latest(systolic(148, '2024-03-04'), diastolic(92, '2024-03-05')), [
    '92 mmHg, 2024-03-05',
    '148 mmHg, 2024-03-04',
  ]);
  assert.deepEqual(latest(systolic(148, '2024-03-05T08:00:00Z'), diastolic(92, '2024-03-05')).length, 2);
});

test('what is newest goes before what is complete', () => {
  assert.deepEqual(latest(panel(120, 80, '2020-01-01'), systolic(190, '2024-03-05')), [
    '190 mmHg, 2024-03-05',
    '80 mmHg, 2020-01-01',
  ]);
  assert.deepEqual(latest(panel(120, 80, '2024-03-05'), systolic(190, '2020-01-01')), ['120/80 mmHg, 2024-03-05']);
  assert.deepEqual(latest(panel(190, undefined, '2024-03-05'), panel(120, 80, '2020-01-01')), [
    '190 mmHg, 2024-03-05',
    '80 mmHg, 2020-01-01',
  ]);
  assert.deepEqual(latest(systolic(148, '2024-03-05')), ['148 mmHg, 2024-03-05']);
});

test('all blood pressures are one test, with a line for each number', () => {
  const [group, ...others] = groupsOf(ENGLISH, [
    panel(120, 80, '2020-01-01'),
    systolic(130, '2021-01-01'),
    diastolic(85, '2021-01-01'),
  ]);
  assert.deepEqual(others, []);
  assert.equal(group?.key, '85354-9');
  assert.equal(group?.name, 'Blood pressure');
  assert.deepEqual(
    group?.series.map(({ points }) => points.map(({ value }) => value)),
    [
      [120, 130],
      [80, 85],
    ],
  );
});

test('the latest vital sign is the newest of all its codes that has a value', () => {
  const oxygen = (code: string, value: number | undefined, on: string, status = 'final'): Observation => {
    const { valueQuantity: _, ...rest } = single(code, 0, on, { status });
    return value === undefined ? rest : { ...rest, valueQuantity: { value, unit: '%' } };
  };
  const shown = (...all: Observation[]): string[] =>
    latestSigns(ENGLISH, all).map(({ reading: o }) => reading(ENGLISH, o));
  assert.deepEqual(shown(oxygen('59408-5', 97, '2020-01-01'), oxygen('2708-6', 82, '2024-01-01')), ['82%']);
  assert.deepEqual(shown(oxygen('59408-5', 97, '2024-01-01'), oxygen('2708-6', 82, '2020-01-01')), ['97%']);
  assert.deepEqual(shown(oxygen('2708-6', undefined, '2024-01-01'), oxygen('2708-6', 82, '2020-01-01')), ['82%']);
  assert.deepEqual(shown(oxygen('2708-6', 97, '2024-01-01', 'cancelled'), oxygen('2708-6', 82, '2020-01-01')), ['82%']);
  assert.deepEqual(shown(oxygen('2708-6', 97, '2024-01-01', 'entered-in-error')), []);
});

test('of two pressures of one time the one with a code goes before the one by name', () => {
  const byName: Observation = {
    resourceType: 'Observation',
    id: 'text',
    code: { text: 'Blood pressure' },
    effectiveDateTime: '2024-03-05',
    valueString: '150/95',
  };
  const read = groupsOf(ENGLISH, [byName, panel(162, 97, '2024-03-05')]).flatMap(({ readings }) =>
    readings.map((o) => reading(ENGLISH, o)),
  );
  assert.deepEqual(
    read.map((one) => one.replaceAll('\u00a0', ' ')),
    ['162/97 mmHg'],
  );
});
