import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currentRoute } from '../routes.ts';
import { searchUrl } from './link.ts';

test('a link gives back the query as it was', () => {
  for (const query of [
    'Observation?patient=amara-okafor&code=http://loinc.org|4548-4&date=ge2026-01-01T00:00:00+01:00',
    'Patient?name=O’Brien%26sons',
    'Patient?name=a?b#c',
    '',
  ]) {
    const { pathname, hash } = new URL(searchUrl('https://x.example', query));
    const route = currentRoute({ pathname, hash });
    assert.deepEqual([route.name, route.query.get('q')], ['search', query]);
  }
});
