import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGLISH } from '../../language/words.ts';
import type { Point, Series } from './series.ts';
import { changeText, momentText, seriesCsv } from './trend-text.ts';

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

test('points are written as CSV', () => {
  const [header, first] = seriesCsv(ENGLISH, [series]).split('\r\n');
  assert.equal(header, 'date,value,unit,flag,id');
  assert.equal(first, '1970-01-01,1.25,"mg",,0');
  const bound: Point = { ...point(0, 0.1), isBound: true, recorded: { value: 100, comparator: '<', unit: 'ug' } };
  assert.equal(seriesCsv(ENGLISH, [{ ...series, points: [bound] }]).split('\r\n')[1], '1970-01-01,<100,"µg",,0');
});
