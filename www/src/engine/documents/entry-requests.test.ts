import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPlainRequests } from './entry-requests.ts';

const PLAIN = { request: { method: 'DELETE', url: 'Condition/c' } };
const FULL_URL = 'https://a.example/fhir/Condition/c';
const at = { lastModified: '2024-01-01T00:00:00Z' };

/** Entries and their rewritten forms; `undefined` if an entry stays as it is. */
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
    assert.equal(withPlainRequests(bundle(entry)), bundle(wanted ?? entry));
  });
}

test('the id in the address of a record is its own where it has none', () => {
  const of = (url: string, resource: object, method = 'PUT'): string =>
    JSON.stringify({ resourceType: 'Bundle', entry: [{ request: { method, url }, resource }] }).replace(
      /:1}/g,
      ':1.0}',
    );
  const goal = { resourceType: 'Goal', value: 1 };
  for (const url of ['Goal/g%201', '/Goal/g 1', `https://a.example/fhir/Goal/g%201/_history/2`]) {
    assert.equal(withPlainRequests(of(url, goal, 'put')), of(url, { id: 'g 1', ...goal }, 'put'));
  }
  for (const [url, resource, method] of [
    ['Goal/g', { id: 'x', ...goal }, 'PUT'],
    ['Goal/g', goal, 'POST'],
    ['Task/g', goal, 'PUT'],
    ['Goal?identifier=s|g', goal, 'PUT'],
    ['Goal', goal, 'PUT'],
  ] as const) {
    assert.equal(withPlainRequests(of(url, resource, method)), of(url, resource, method));
  }
});

test('a text that is no Bundle stays', () => {
  for (const text of ['', 'oops', '{"method":"DELETE"}', '[{"request":{"method":"DELETE","url":"a"}}]']) {
    assert.equal(withPlainRequests(text), text);
  }
});
