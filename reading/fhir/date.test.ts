import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGLISH } from '../language/words.ts';
import { age, clockDate, date, instant, newest, period } from './date.ts';

const spaced = (text: string | undefined): string | undefined => text?.replaceAll('\u00a0', ' ');

test('a date is as exact as it was written, in the zone that it was written in', () => {
  for (const [written, shown] of [
    ['2019', '2019'],
    ['2019-05', 'May 2019'],
    ['2019-05-14', '14 May 2019'],
    ['2019-05-14T23:40:00-05:00', '14 May 2019, 23:40'],
    ['2019-05-14T07:40:00.123Z', '14 May 2019, 07:40'],
    ['2019-05-14T07:40', '14 May 2019, 07:40'],
    ['not a date', 'not a date'],
    [undefined, ''],
  ]) {
    assert.equal(spaced(clockDate(ENGLISH, written)), shown);
  }
});

test('a month is written out, or short; none beyond December, and no day beyond its month, is made up', () => {
  assert.equal(spaced(date(ENGLISH, '2020-09-03')), '3 September 2020');
  assert.equal(spaced(date(ENGLISH, '2020-09-03', { short: true })), '3 Sept 2020');
  assert.equal(date(ENGLISH, '2020-02-31'), '2020-02-31');
  assert.equal(date(ENGLISH, '2020-13-03'), '2020');
});

test('a period has both its ends, or one of them', () => {
  assert.equal(spaced(period(ENGLISH, { start: '2019-05', end: '2020' })), 'May 2019 – 2020');
  assert.equal(period(ENGLISH, { start: '2019', end: '2019' }), '2019');
  assert.equal(period(ENGLISH, { start: '2019' }), 'since 2019');
  assert.equal(period(ENGLISH, { end: '2020' }), 'until 2020');
  assert.equal(period(ENGLISH, undefined), '');
});

test('an instant is where a partial date begins, in UTC where no zone is written', () => {
  assert.equal(instant('2019'), Date.UTC(2019, 0, 1));
  assert.equal(instant('2019-05-14T07:40'), Date.UTC(2019, 4, 14, 7, 40));
  for (const zone of ['+02:00', '+0200'])
    assert.equal(instant(`2019-05-14T07:40:00${zone}`), Date.UTC(2019, 4, 14, 5, 40));
  assert.equal(instant('2016-12-31T23:59:60Z'), Date.UTC(2017, 0, 1), 'a leap second');
  assert.equal(instant('2019-99-99'), undefined);
  assert.equal(instant('0001-01-01'), undefined, 'no date in a database');
  assert.equal(instant('nonsense'), undefined);
  assert.equal(instant(undefined), undefined);
});

test('partial dates sort by where they begin, and items without a date come last', () => {
  const dates = ['2019', undefined, '2019-05-02', '2020-01-01T00:00:00+14:00', '2019-05', '2031-01-01', 'nonsense'];
  const sorted = newest(
    dates.map((on) => ({ on })),
    ({ on }) => on,
  ).map(({ on }) => on);
  assert.deepEqual(sorted, [
    '2031-01-01',
    '2020-01-01T00:00:00+14:00',
    '2019-05-02',
    '2019-05',
    '2019',
    undefined,
    'nonsense',
  ]);
});

test('an age is in years, of the young in months or days, and about so where the birth date is only a year', () => {
  const on = new Date('2026-11-21T12:00:00Z');
  for (const [born, old] of [
    ['1964-08-19', '62 y'],
    ['1964-11-22', '61 y'],
    ['2026-05-27', '5 mo'],
    ['2024-11-21', '2 y'],
    ['2024-11-22', '23 mo'],
    ['2023-11-20', '3 y'],
    ['2026-11-19', '2 d'],
    ['1980', 'about 46 y'],
    ['2030-01-01', undefined],
    [undefined, undefined],
  ]) {
    assert.equal(spaced(age(ENGLISH, born, on)), old, born);
  }
});
