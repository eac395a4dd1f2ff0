import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoadedFiles } from '../../engine/types.ts';
import { heldText, repeatedText, typeWords } from './words.ts';

const report = (taken: number, counts: Record<string, number>): LoadedFiles => ({
  taken,
  counts,
  faults: [],
  faultCount: 0,
  unserved: {},
});

test('a type is said in words', () => {
  assert.equal(typeWords('AllergyIntolerance'), 'Allergy intolerance');
  assert.equal(typeWords('Patient'), 'Patient');
  assert.equal(typeWords('ExplanationOfBenefit'), 'Explanation of benefit');
  assert.equal(typeWords(''), 'Without a type');
});

test('what is held is said with its patients', () => {
  assert.equal(heldText(report(3, { Patient: 1, Observation: 1_200 })), '1,201 resources of 1 patient');
  assert.equal(heldText(report(1, { Observation: 1 })), '1 resource of no known patient');
});

test('resources that came again are counted', () => {
  assert.equal(repeatedText(report(2, { Patient: 2 })), undefined);
  assert.equal(repeatedText(report(3, { Patient: 2 })), '1 resource was replaced or deleted by a later one.');
  assert.equal(repeatedText(report(9, { Patient: 2 })), '7 resources were replaced or deleted by later ones.');
});
