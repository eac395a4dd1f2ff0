import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGLISH } from '../language/words.ts';
import { ageInDays, ageInMonths, childAge, isAdult } from './age.ts';

const spaced = (text: string): string => text.replaceAll('\u00a0', ' ');

test('an age is counted by the calendar', () => {
  assert.equal(ageInDays('2020-02-28', '2020-03-01'), 2);
  assert.equal(ageInMonths('2020-01-31', '2020-02-29'), 0);
  assert.equal(ageInMonths('2020-01-15', '2021-01-15T08:00:00Z'), 12);
  assert.equal(ageInMonths('2020-01-15', '2021-01-14'), 11);
});

test('inexact dates, and those before the birth, give no age', () => {
  for (const [birth, on] of [
    ['2020', '2021-01-01'],
    ['2020-01', '2021-01-01'],
    ['2020-01-01', '2021-01'],
    ['2020-01-02', '2020-01-01'],
    ['not a date', '2020-01-01'],
    [undefined, '2020-01-01'],
    ['2020-01-01', undefined],
  ]) {
    assert.equal(ageInDays(birth, on), undefined);
    assert.equal(ageInMonths(birth, on), undefined);
    assert.equal(childAge(ENGLISH, birth, on), '');
  }
});

test('a child’s age is told in days, months, or years and months', () => {
  assert.equal(childAge(ENGLISH, '2020-01-01', '2020-01-01'), 'birth');
  assert.equal(childAge(ENGLISH, '2020-01-01', '2020-01-02'), '1 day');
  assert.equal(childAge(ENGLISH, '2020-01-01', '2020-01-15'), '14 days');
  assert.equal(spaced(childAge(ENGLISH, '2020-01-01', '2021-12-31')), '23 mo');
  assert.equal(spaced(childAge(ENGLISH, '2020-01-01', '2022-01-01')), '2 y');
  assert.equal(spaced(childAge(ENGLISH, '2018-06-14', '2026-08-11')), '8 y 1 mo');
});

test('a year of birth tells an adult', () => {
  assert.equal(isAdult('2000-06-01', '2018-06-01'), true);
  assert.equal(isAdult('2000-06-01', '2018-05-31'), false);
  assert.equal(isAdult('2000', '2018-12-31'), false);
  assert.equal(isAdult('2000', '2019'), true);
  assert.equal(isAdult(undefined, '2019'), false);
});
