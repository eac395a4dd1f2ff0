import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withFacts } from '../../fhir/facts.ts';
import type { MeasuredValue, Observation } from '../../fhir/types.ts';
import { ENGLISH } from '../../language/words.ts';
import { usualMarkText, usualRanges } from './usual-range.ts';
import { AGELESS_LIMITS, BANDS, URGENT, VITAL_SIGNS } from './vital-limits.ts';
import { AGELESS_CASES, VITAL_CASES, type VitalCase } from './vitals.cases.ts';

const vital = (code: string, value: number, unit: string, on = '2026-01-01', more: object = {}): Observation => ({
  resourceType: 'Observation',
  id: 'v',
  code: { coding: [{ code }] },
  effectiveDateTime: on,
  valueQuantity: { value, code: unit },
  ...more,
});
const pressure = (systolic: number, diastolic: number, on = '2026-01-01'): Observation => {
  const part = (code: string, value: number): MeasuredValue => ({
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
const judged = (o: Observation, birth: string | undefined) =>
  usualRanges(ENGLISH, withFacts(o, { subject: () => ({ birth }) }))[0];
const said = (o: Observation, birth: string | undefined) => {
  const found = judged(o, birth);
  return found && [found.text, found.source?.short, found.out];
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
  const ofAnimal = withFacts(heart, { subject: () => ({ birth: '1980-06-01', isAnimal: true }) });
  assert.deepEqual(usualRanges(ENGLISH, ofAnimal), []);
});

test('blood pressure is judged by both numbers', () => {
  assert.deepEqual(said(pressure(119, 79), '1980-01-01'), ['below 120/80', 'ACC/AHA', undefined]);
  assert.deepEqual(said(pressure(119, 80), '1980-01-01'), ['below 120/80', 'ACC/AHA', 'above']);
  assert.deepEqual(said(pressure(120, 70), '2011-01-01'), ['below 120/80', 'AAP', 'above']);
  assert.deepEqual(said(pressure(100, 60), '2018-06-14'), ['97–115 / 57–76', 'PALS', undefined]);
  assert.deepEqual(said(pressure(90, 60), '2018-06-14'), ['97–115 / 57–76', 'PALS', 'below']);
});

function assertCase({ from, code, value, unit, comparator, out, urgent }: VitalCase, birth: string | undefined): void {
  const o = vital(code, value, unit);
  if (comparator && o.valueQuantity) o.valueQuantity.comparator = comparator;
  const found = judged(o, birth);
  assert.equal(found?.out, out, from);
  assert.equal(found?.urgent?.text, urgent, from);
}

test('vital signs are judged in the unit of the record, and what is urgent is so by its source', () => {
  for (const one of VITAL_CASES) assertCase(one, '1980-04-01');
});

test('without an age what is unusual at every age is marked, and else the age is said to be missing', () => {
  for (const one of AGELESS_CASES) assertCase(one, undefined);
  const high = judged(vital('8867-4', 206, '/min'), undefined);
  assert.deepEqual([high?.text, high?.isOfEveryAge, high?.isAgeUnknown], ['60–205', true, true]);
  assert.equal(high && usualMarkText(ENGLISH, high), 'above usual at any age (PALS)');
  const unknown = judged(vital('8867-4', 150, '/min'), undefined);
  assert.deepEqual([unknown?.text, unknown?.source, unknown?.isAgeUnknown], [undefined, undefined, true]);
  assert.equal(unknown && usualMarkText(ENGLISH, unknown), '');
  // Of a child with a year of birth alone, and of a measurement without a date, the age is not known either.
  assert.equal(judged(vital('8867-4', 150, '/min', '2026'), '2020')?.isAgeUnknown, true);
  const undated = vital('8867-4', 150, '/min');
  delete undated.effectiveDateTime;
  assert.equal(judged(undated, '1980-01-01')?.isAgeUnknown, true);
  assert.equal(judged(vital('29463-7', 70, 'kg'), undefined), undefined, 'what has no usual range lacks none');
  assert.deepEqual(said(pressure(190, 80), undefined), ['39–131 / 16–83', 'PALS', 'above']);
});

test('what holds at every age is within no range of an age', () => {
  for (const sign of VITAL_SIGNS) {
    const { limits: every } = AGELESS_LIMITS[sign];
    for (const { from, limits } of BANDS[sign]) {
      const { low = Infinity, high = -Infinity, under = -Infinity } = limits;
      assert.ok((every.low ?? -Infinity) <= low, `${sign} from ${from} months, low`);
      assert.ok((every.high ?? Infinity) >= Math.max(high, under), `${sign} from ${from} months, high`);
    }
  }
  // Without an age nothing is urgent that may be usual at some age.
  for (const { sign, side, limit, from } of URGENT.filter((one) => one.from === undefined)) {
    const { low = -Infinity, high = Infinity } = AGELESS_LIMITS[sign].limits;
    assert.ok(side === 'above' ? limit >= high : limit <= low, `${sign} ${limit} ${from}`);
  }
});

test('at an age without a range of its own, what is unusual at every age and what is urgent is marked', () => {
  assert.deepEqual(said(vital('8867-4', 59, '/min'), '2009-06-01'), ['60–205', 'PALS', 'below']);
  const urgent = judged(vital('8867-4', 140, '/min'), '2009-06-01');
  assert.deepEqual([urgent?.text, urgent?.out, urgent?.urgent?.text], [undefined, undefined, 'urgent: 131 or more']);
  assert.equal(urgent && usualMarkText(ENGLISH, urgent), 'urgent: 131 or more (NEWS2)');
  assert.equal(
    judged(vital('8867-4', 140, '/min'), '2011-06-01')?.urgent,
    undefined,
    'NEWS2 is for 16 years and older',
  );
  assert.deepEqual(said(vital('8310-5', 41, 'Cel'), '2024-06-01'), ['35.5–38', 'PedsCases', 'above']);
});

test('a mark says the range where there is room for it, and what was entered in error has none', () => {
  const fever = judged(vital('8310-5', 104.2, '[degF]'), '1980-04-01');
  assert.equal(fever && usualMarkText(ENGLISH, fever), 'above usual (MedlinePlus)');
  assert.equal(fever && usualMarkText(ENGLISH, fever, true), 'above usual (MedlinePlus, 97.7–99.1)');
  const error = vital('59408-5', 82, '%', '2026-01-01', { status: 'entered-in-error' });
  assert.equal(judged(error, '1980-04-01'), undefined);
});

test('the ends of a usual range are written in the unit of the record', () => {
  assert.equal(said(vital('8310-5', 104.2, '[degF]'), '1980-01-01')?.[0], '97.7–99.1');
  assert.equal(said(vital('8480-6', 15, 'kPa'), '1980-01-01')?.[0], 'below 16');
});

test('each number of a blood pressure can be urgent', () => {
  assert.equal(judged(pressure(185, 100), '1980-01-01')?.urgent?.text, 'urgent: above 180');
  assert.equal(judged(pressure(150, 121), '1980-01-01')?.urgent?.text, 'urgent: above 120');
  assert.equal(judged(pressure(180, 120), '1980-01-01')?.urgent, undefined);
  assert.deepEqual(judged(pressure(84, 50), '1980-01-01')?.urgent?.text, 'urgent: 90 or less');
  assert.equal(judged(pressure(84, 50), '2018-06-14')?.urgent, undefined);
});

test('words that are not known leave the usual range in its place, and so does a target', () => {
  const odd = { interpretation: [{ text: 'checked' }] };
  assert.deepEqual(said(vital('59408-5', 82, '%', '2026-01-01', odd), '1980-01-01'), ['at least 95', 'Mayo', 'below']);
  const target = { referenceRange: [{ type: { coding: [{ code: 'recommended' }] }, low: { value: 88 } }] };
  assert.deepEqual(said(vital('59408-5', 82, '%', '2026-01-01', target), '1980-01-01'), [
    'at least 95',
    'Mayo',
    'below',
  ]);
});

test('a value that the record calls normal is marked where it is unusual, with both', () => {
  const N = { interpretation: [{ coding: [{ code: 'N' }] }] };
  const cases: [string, number, string, string | undefined][] = [
    ['8310-5', 38, 'Cel', 'above usual (MedlinePlus), called normal'],
    ['8480-6', 145, 'mm[Hg]', 'above usual (ACC/AHA), called normal'],
    ['59408-5', 82, '%', 'urgent: below 90 (WHO), called normal'],
    ['8480-6', 90, 'mm[Hg]', 'urgent: 90 or less (NEWS2), called normal'],
    ['8310-5', 37, 'Cel', undefined],
    ['8867-4', 100, '/min', undefined],
  ];
  for (const [code, value, unit, mark] of cases) {
    const found = judged(vital(code, value, unit, '2026-01-01', N), '1980-01-01');
    assert.equal(found && usualMarkText(ENGLISH, found), mark, `${code} ${value}`);
  }
});

test('a saturation with oxygen is low or not judged, never usual', () => {
  const on = (code: string, value: number, unit: string): object => ({
    component: [{ code: { coding: [{ code }] }, valueQuantity: { value, code: unit } }],
  });
  const cases: [number, object, string | undefined][] = [
    [95, on('3150-6', 36, '%'), undefined],
    [98, on('3151-8', 2, 'L/min'), undefined],
    [92, on('3151-8', 2, 'L/min'), 'below usual (Mayo)'],
    [85, on('3150-6', 36, '%'), 'urgent: below 90 (WHO)'],
    [97, on('3150-6', 21, '%'), ''],
    [97, on('3151-8', 0, 'L/min'), ''],
    [97, {}, ''],
  ];
  for (const [value, more, mark] of cases) {
    const found = judged(vital('59408-5', value, '%', '2026-01-01', more), '1980-01-01');
    assert.equal(found && usualMarkText(ENGLISH, found), mark, `${value} ${JSON.stringify(more)}`);
  }
});

test('in a unit that cannot be converted, and for other measurements there is none', () => {
  assert.equal(said(vital('8867-4', 70, '%'), '1980-01-01'), undefined);
  assert.equal(said(vital('8310-5', 60, ''), '1980-01-01'), undefined, 'of no scale');
  assert.equal(said(vital('29463-7', 70, 'kg'), '1980-01-01'), undefined);
  assert.equal(said({ resourceType: 'Observation', id: 'bare' }, '1980-01-01'), undefined);
  // A year of birth is enough for an adult.
  assert.deepEqual(said(vital('8867-4', 70, '/min', '2026'), '1980'), ['60–100', 'MedlinePlus', undefined]);
});

test('of a panel with several vital signs each is judged, and named', () => {
  const part = (code: string, text: string, value: number, unit: string): MeasuredValue => ({
    code: { coding: [{ code }], text },
    valueQuantity: { value, code: unit },
  });
  const panel: Observation = {
    resourceType: 'Observation',
    id: 'panel',
    code: { coding: [{ code: '85353-1' }] },
    effectiveDateTime: '2026-01-01',
    component: [
      part('8867-4', 'Heart rate', 80, '/min'),
      part('59408-5', 'Oxygen saturation', 82, '%'),
      part('8480-6', 'Systolic', 150, 'mm[Hg]'),
      part('8462-4', 'Diastolic', 70, 'mm[Hg]'),
    ],
  };
  const ofPerson = withFacts(panel, { subject: () => ({ birth: '1980-01-01' }) });
  assert.deepEqual(
    usualRanges(ENGLISH, ofPerson).map((one) => [one.name, one.text, usualMarkText(ENGLISH, one)]),
    [
      ['Systolic', 'below 120/80', 'Systolic above usual (ACC/AHA)'],
      ['Heart rate', '60–100', ''],
      ['Oxygen saturation', 'at least 95', 'Oxygen saturation urgent: below 90 (WHO)'],
    ],
  );
});
