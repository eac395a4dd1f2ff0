import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchResult } from '../../source/source.ts';
import type { SearchState } from '../loading/store.ts';
import { isPartlyWithheld } from './partly-withheld.ts';

const NONE: SearchResult = { matches: [], included: [], malformed: [], older: 0, errors: [], exchanges: [] };

test('a section is withheld in part where its first search is, and another one has found something', () => {
  const withheld: SearchState = { is: 'withheld', why: '' };
  const none: SearchState = { is: 'loaded', found: NONE };
  const some: SearchState = {
    is: 'loaded',
    found: { ...NONE, matches: [{ resourceType: 'MedicationDispense', id: 'd' }] },
  };
  const isPartly = (states: SearchState[], onlyFirstShown = false): boolean =>
    isPartlyWithheld(
      { queries: states.map((_, i) => `${i}`), onlyFirstShown },
      { loadInTime: (query) => states[Number(query)] ?? none },
    );
  assert.equal(isPartly([withheld, some]), true);
  assert.equal(isPartly([withheld, none]), false);
  assert.equal(isPartly([withheld, withheld]), false);
  assert.equal(isPartly([some, withheld]), false);
  assert.equal(isPartly([withheld, some], true), false);
});
