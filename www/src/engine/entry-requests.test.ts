import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPlainDeletions } from './deletions.ts';

const PLAIN = { request: { method: 'DELETE', url: 'Condition/c' } };
const FULL_URL = 'https://a.example/fhir/Condition/c';
const at = { lastModified: '2024-01-01T00:00:00Z' };

/** Entries, and what they become; nothing where they stay. */
const CASES: [object, object | undefined][] = [
  [PLAIN, undefined],
  [{ ...PLAIN, response: at }, undefined],
  [{ request: { method: 'DELETE', url: FULL_URL } }, PLAIN],
  [{ request: { method: 'delete', url: 'Condition/c' } }, PLAIN],
  [{ request: { method: 'DELETE', url: '/Condition/c' } }, PLAIN],
  [
    { request: { method: 'DELETE', url: 'Condition/c/_history/3' }, response: at },
    { ...PLAIN, response: at },
  ],
  [{ ...PLAIN, resource: null }, PLAIN],
  [{ ...PLAIN, resource: { resourceType: 'Condition', id: 'c' } }, PLAIN],
  [{ fullUrl: FULL_URL, request: { method: 'DELETE' } }, PLAIN],
  [
    { fullUrl: FULL_URL, response: { status: '410 Gone', ...at } },
    { ...PLAIN, response: at },
  ],
  [
    { fullUrl: FULL_URL, response: { status: '410' } },
    { ...PLAIN, response: { lastModified: 'T' } },
  ],
  [{ request: { method: 'DELETE', url: 'Condition?identifier=x' } }, undefined],
  [{ request: { method: 'PUT', url: FULL_URL }, resource: { resourceType: 'Condition', id: 'c' } }, undefined],
  [{ fullUrl: 'urn:uuid:x', response: { status: '410' } }, undefined],
];

for (const [entry, wanted] of CASES) {
  test(`${JSON.stringify(entry)} ${wanted ? 'is a deletion' : 'stays'}`, () => {
    const others = [{ resource: { resourceType: 'Goal', id: 'g', target: [{ detailQuantity: { value: 1 } }] } }];
    const bundle = (...all: object[]): string =>
      JSON.stringify({ resourceType: 'Bundle', timestamp: 'T', entry: [...others, ...all, ...others] }).replace(
        /:1}/g,
        ':1.0}',
      );
    assert.equal(withPlainDeletions(bundle(entry)), bundle(wanted ?? entry));
  });
}

test('a text that is no Bundle stays', () => {
  for (const text of ['', 'oops', '{"method":"DELETE"}', '[{"request":{"method":"DELETE","url":"a"}}]']) {
    assert.equal(withPlainDeletions(text), text);
  }
});
