import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatQuery, parseQuery } from './query.ts';

test('a query is taken apart and written again as it was', () => {
  for (const text of ['Observation?patient=a&code=x|y,z&date=ge2020', 'Patient', 'Patient?_id=', 'A?x=y=z']) {
    assert.equal(formatQuery(parseQuery(text)), text);
  }
});

test('an ampersand in a value is encoded', () => {
  assert.equal(formatQuery({ type: 'Patient', parameters: [{ name: 'name', value: 'a&b' }] }), 'Patient?name=a%26b');
});
