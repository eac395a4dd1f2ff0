import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { latestSigns } from './signs.ts';

const sign = (name: string, on: string, code?: string): Observation => ({
  resourceType: 'Observation',
  id: name,
  status: 'final',
  code: { text: name, ...(code ? { coding: [{ system: 'http://loinc.org', code }] } : {}) },
  effectiveDateTime: on,
  valueQuantity: { value: 9 },
});
const names = (...all: Observation[]): string[] => latestSigns(ENGLISH, all).map(({ reading }) => reading.id);

test('where none of the usual signs is recorded, the others are told, the newest first', () => {
  const [pain, girth] = [sign('pain', '2026-01-01', '72514-3'), sign('girth', '2026-02-01')];
  assert.deepEqual(names(pain, girth), ['girth', 'pain']);
  assert.deepEqual(names(pain, girth, sign('pulse', '2020-01-01', '8867-4')), ['pulse']);
  assert.deepEqual(names({ ...pain, status: 'entered-in-error' }), []);
});
