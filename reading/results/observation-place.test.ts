import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../fhir/types.ts';
import { isSocial, placeOf } from './observation-place.ts';
import { PLACE_CASES } from './places.cases.ts';

const observation = (of: Partial<Observation>): Observation => ({ resourceType: 'Observation', id: 'o', ...of });

test('each observation has one place, by its category, its code, or what a laboratory alone measures', () => {
  for (const { from, of, place } of PLACE_CASES) assert.equal(placeOf(observation(of)), place, from);
});

test('smoking and pregnancy are of the social history, whatever their category', () => {
  const coded = (code: string, category?: string): Observation =>
    observation({
      code: { coding: [{ system: 'http://loinc.org', code }] },
      ...(category ? { category: [{ coding: [{ code: category }] }] } : {}),
    });
  assert.ok(isSocial(coded('72166-2')));
  assert.ok(isSocial(coded('82810-3', 'social-history')));
  assert.ok(!isSocial(coded('72166-2', 'survey')), 'a survey stays one');
  assert.ok(!isSocial(coded('6690-2')));
});
