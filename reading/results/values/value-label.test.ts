import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valueLabel } from './value-label.ts';

test('a dose, a severity and a reaction are called so, and what has no word of its own is a value', () => {
  assert.equal(valueLabel('MedicationStatement'), 'Dose');
  assert.equal(valueLabel('Condition'), 'Severity and site');
  assert.equal(valueLabel('AllergyIntolerance'), 'Reaction');
  assert.equal(valueLabel('Observation'), 'Value');
  assert.equal(valueLabel('constructor'), 'Value');
});
