import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGLISH } from '../language/words.ts';
import { CDC } from './cdc.ts';
import {
  type Lms,
  lmsAt,
  type Measure,
  percentileOf,
  percentileText,
  type Sex,
  type Table,
  valueAt,
  zScore,
} from './lms.ts';
import { WHO } from './who.ts';

const lms = (table: Table, sex: Sex, age: number): Lms => {
  const found = lmsAt(table, sex, age);
  assert.ok(found);
  return found;
};
const near = (actual: number, expected: number, by: number, about: string): void =>
  assert.ok(Math.abs(actual - expected) <= by, `${about}: ${actual}, expected ${expected}`);
const MONTH = 30.4375;

test('the tables of the WHO have the published medians and percentiles', () => {
  // Values of the published tables by month: weight in kg, length and head circumference in cm.
  const medians: [Measure, Sex, number, number][] = [
    ['weight', 'male', 0, 3.3464],
    ['weight', 'male', 1, 4.4709],
    ['weight', 'male', 6, 7.934],
    ['weight', 'male', 12, 9.6479],
    ['weight', 'male', 24, 12.1515],
    ['weight', 'female', 0, 3.2322],
    ['weight', 'female', 6, 7.297],
    ['weight', 'female', 12, 8.9481],
    ['length', 'male', 0, 49.8842],
    ['length', 'male', 12, 75.7488],
    ['length', 'female', 0, 49.1477],
    ['length', 'female', 12, 74.015],
    ['head', 'male', 0, 34.4618],
    ['head', 'female', 12, 44.8965],
  ];
  for (const [measure, sex, months, median] of medians) {
    const { m } = lms(WHO[measure], sex, Math.min(730, months * MONTH));
    near(m / median, 1, 0.002, `${measure} of ${sex} at ${months} months`);
  }
  const newborn = lms(WHO.weight, 'male', 0);
  assert.deepEqual(newborn, { l: 0.3487, m: 3.3464, s: 0.14602 });
  near(valueAt(newborn, -1.8808), 2.5, 0.05, 'the 3rd percentile of a boy at birth');
  near(valueAt(newborn, 1.8808), 4.3, 0.05, 'the 97th percentile of a boy at birth');
});

test('the tables of the CDC have the published medians and percentiles', () => {
  const medians: [Measure, Sex, number, number][] = [
    ['length', 'male', 24, 86.4522],
    ['length', 'male', 240, 176.8492],
    ['length', 'female', 240, 163.3383],
    ['weight', 'male', 24, 12.6708],
    ['weight', 'male', 240, 70.5976],
    ['weight', 'female', 240, 58.219],
    ['bmi', 'male', 24, 16.575],
    ['bmi', 'female', 24, 16.4234],
    ['head', 'male', 36, 49.6839],
  ];
  for (const [measure, sex, months, median] of medians) {
    near(lms(CDC[measure], sex, months).m / median, 1, 0.0005, `${measure} of ${sex} at ${months} months`);
  }
  near(valueAt(lms(CDC.bmi, 'female', 120.5), 1.64485), 23, 0.1, 'the 95th percentile of the BMI of a girl of ten');
});

test('between the ages of a table the parameters are interpolated, and outside it there are none', () => {
  const table: Table = {
    ages: [0, 10],
    male: { l: [1, 2], m: [10, 20], s: [0.1, 0.2] },
    female: { l: [1, 1], m: [1, 1], s: [1, 1] },
  };
  assert.deepEqual(lmsAt(table, 'male', 0), { l: 1, m: 10, s: 0.1 });
  assert.deepEqual(lmsAt(table, 'male', 5), { l: 1.5, m: 15, s: 0.15000000000000002 });
  assert.deepEqual(lmsAt(table, 'male', 10), { l: 2, m: 20, s: 0.2 });
  assert.equal(lmsAt(table, 'male', -1), undefined);
  assert.equal(lmsAt(table, 'male', 10.1), undefined);
});

test('every table has the same number of ages and parameters, and its ages ascend', () => {
  for (const standard of [WHO, CDC]) {
    for (const { ages, male, female } of Object.values(standard)) {
      for (const list of [male.l, male.m, male.s, female.l, female.m, female.s]) assert.equal(list.length, ages.length);
      assert.deepEqual(
        ages,
        ages.toSorted((a, b) => a - b),
      );
    }
  }
});

test('a z-score and its value are each other’s inverse, also without skewness', () => {
  for (const one of [
    { l: 0.3487, m: 3.3464, s: 0.14602 },
    { l: 0, m: 10, s: 0.1 },
    { l: -1.5, m: 16, s: 0.08 },
  ]) {
    for (const z of [-2, 0, 1.5]) near(zScore(one, valueAt(one, z)), z, 1e-9, `l ${one.l}`);
  }
});

test('percentiles are those of the normal distribution', () => {
  near(percentileOf(0), 50, 1e-4, '0');
  near(percentileOf(1.6448536), 95, 1e-4, '95');
  near(percentileOf(-1.8807936), 3, 1e-4, '3');
  near(percentileOf(-40), 0, 1e-9, 'far below');
});

test('a percentile in words has its ordinal, and no false precision at the ends', () => {
  const text = new Map([
    [1, '1st'],
    [2.4, '2nd'],
    [3, '3rd'],
    [11, '11th'],
    [12, '12th'],
    [13, '13th'],
    [21.6, '22nd'],
    [50, '50th'],
    [0.31, '0.3rd'],
    [99.4, '99.4th'],
  ]);
  for (const [value, said] of text) assert.equal(percentileText(ENGLISH, value), `${said} percentile`);
  assert.equal(percentileText(ENGLISH, 0.01), 'below the 0.1st percentile');
  assert.equal(percentileText(ENGLISH, 99.99), 'above the 99.9th percentile');
});
