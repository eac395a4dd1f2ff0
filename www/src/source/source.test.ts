import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Exchange, Source } from './source.ts';

const BASE = 'https://x.example/fhir/r4';

// The module knows its server from the page's address.
let source: typeof import('./source.ts');
before(async () => {
  Object.assign(globalThis, { location: new URL('https://x.example/') });
  source = await import('./source.ts');
});

const exchangeOf = (status: number, body: unknown): Exchange => ({
  where: 'edge',
  method: 'GET',
  url: BASE,
  headers: {},
  at: new Date(0),
  status,
  answerHeaders: {},
  text: '',
  body,
  ms: 0,
  bytes: 0,
});

/** A source that answers queries by a table. */
const sourceOf = (answers: Record<string, Exchange>): Source => ({
  name: 'session',
  grant: undefined,
  key: 'test',
  search: async (query) => answers[query] ?? exchangeOf(404, undefined),
  read: async () => exchangeOf(404, undefined),
});

const page = (resources: unknown[], next?: string): Exchange =>
  exchangeOf(200, {
    resourceType: 'Bundle',
    entry: resources.map((resource) => ({ resource, search: { mode: 'match' } })),
    link: next ? [{ relation: 'next', url: next }] : [],
  });

test('all pages are read; a malformed resource is left out and named', async () => {
  const next = `${BASE}/Patient?page=2`;
  const found = await source.allPages(
    sourceOf({
      'Patient?name=a': page(
        [
          { resourceType: 'Patient', id: 'a' },
          { resourceType: 'Patient', id: 'b', name: 'B' },
        ],
        next,
      ),
      [next]: page([{ resourceType: 'Patient', id: 'c' }]),
    }),
    'Patient?name=a',
  );
  assert.deepEqual(
    found.matches.map(({ id }) => id),
    ['a', 'c'],
  );
  assert.deepEqual(found.malformed, ['entry 2.name is not a list']);
  assert.equal(found.exchanges.length, 2);
  assert.equal(found.more, false);
});

test('a link that leads elsewhere is not followed', async () => {
  const elsewhere = sourceOf({ Patient: page([], 'https://evil.example/fhir/r4/Patient?page=2') });
  await assert.rejects(source.allPages(elsewhere, 'Patient'), /leads elsewhere/);
});

test('a refusal and an answer that is no Bundle are errors', async () => {
  const { allPages, ExchangeError, resourceIn } = source;
  const answers = { refused: exchangeOf(401, undefined), odd: exchangeOf(200, { resourceType: 'Patient', id: 'a' }) };
  await assert.rejects(allPages(sourceOf(answers), 'refused'), ExchangeError);
  await assert.rejects(allPages(sourceOf(answers), 'odd'), /the answer\.resourceType is not Bundle/);
  assert.throws(() => resourceIn(exchangeOf(404, undefined)), ExchangeError);
  assert.throws(() => resourceIn(exchangeOf(200, 'text')), /the record is not an object/);
});
