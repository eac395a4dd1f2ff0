import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../../fhir/types.ts';
import { ENGLISH } from '../../language/words.ts';
import type { Point, Series } from './series.ts';
import { changeText, momentText, resultsCsv } from './trend-text.ts';

const DAY = 86_400_000;
const point = (days: number, value: number, flag?: Point['flag']): Point => ({
  on: new Date(days * DAY).toISOString().slice(0, 10),
  at: days * DAY,
  value,
  text: `${value} mg`,
  flag,
  isBound: false,
  isPreliminary: false,
  recorded: { value, unit: 'mg' },
  source: { resourceType: 'Observation', id: String(days) },
});
const series: Series = {
  key: 'k',
  name: 'Test',
  unit: 'mg',
  points: [point(0, 1.25), point(30, 1.5, 'high'), point(100, 1), point(800, 1.25)],
  low: undefined,
  high: undefined,
  limits: undefined,
};
const spaced = (text: string): string => text.replaceAll('\u00a0', ' ');

test('a moment has its values with their flags, and its date', () => {
  assert.equal(spaced(momentText(ENGLISH, [series], 30 * DAY)), '1.5 mg (high), 31 Jan 1970');
});

test('a moment says that a value was converted, and that it may still change', () => {
  const one: Point = { ...point(30, 1.5), text: '1500 µg', convertedText: '1.5 mg', isPreliminary: true };
  assert.equal(
    spaced(momentText(ENGLISH, [{ ...series, points: [one] }], 30 * DAY)),
    '1500 µg (1.5 mg, preliminary), 31 Jan 1970',
  );
});

test('a difference keeps the digits of the values, and is told in days, months or years', () => {
  assert.equal(spaced(changeText(ENGLISH, [series], 30 * DAY, 0)), '+0.25 mg in 30 days');
  assert.equal(spaced(changeText(ENGLISH, [series], 100 * DAY, 0)), '−0.25 mg in 3 months');
  assert.equal(spaced(changeText(ENGLISH, [series], 800 * DAY, 0)), '±0.00 mg in 2.2 years');
});

test('all results are written as CSV, with their status and range, and none as a formula', () => {
  const csv = (of: Partial<Observation>): string | undefined =>
    resultsCsv(ENGLISH, [{ resourceType: 'Observation', id: '0', code: { text: 'Test' }, ...of }]).split('\r\n')[1];
  assert.equal(resultsCsv(ENGLISH, []), 'date,name,value,unit,flag,range,status,id');
  const range = { referenceRange: [{ high: { value: 1, unit: 'mg' } }], status: 'corrected' };
  assert.equal(
    csv({ ...range, effectiveDateTime: '1970-01-01', valueQuantity: { value: 1.25, written: '1.250', unit: 'mg' } }),
    '"1970-01-01","Test",1.250,"mg","high","≤\u00a01\u00a0mg","corrected",0',
  );
  assert.equal(csv({ valueQuantity: { value: 100, comparator: '<', unit: 'ug' } }), ',"Test",<100,"µg",,,,0');
  assert.equal(csv({ valueQuantity: { value: -2, unit: '=1+1' } }), ',"Test",-2,"\'=1+1",,,,0');
  assert.equal(csv({ valueInteger: 2, status: 'entered-in-error' }), ',"Test",2,,,,"entered in error",0');
  assert.equal(csv({ valueString: 'hemolysed' }), ',"Test","hemolysed",,,,,0');
});
