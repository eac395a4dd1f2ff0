import '../testing.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../http/exchange.ts';
import { exchangeOf, sourceOf as testSource } from '../testing.ts';
import type { SearchResult, Source } from './source.ts';
import * as source from './source.ts';

const BASE = 'https://x.example/fhir/r4';

/** Returns a source that answers queries from a table. */
const sourceOf = (answers: Record<string, Exchange>): Source =>
  testSource(async (query) => answers[query] ?? exchangeOf(404));

const page = (resources: unknown[], next?: string): Exchange =>
  exchangeOf(200, {
    resourceType: 'Bundle',
    entry: resources.map((resource) => ({ resource, search: { mode: 'match' } })),
    link: next ? [{ relation: 'next', url: next }] : [],
  });

test('all pages are read; a malformed element is left out, a malformed resource too, and both are named', async () => {
  const next = `${BASE}/Patient?page=2`;
  const found = await source.allPages(
    sourceOf({
      'Patient?name=a': page(
        [
          { resourceType: 'Patient', id: 'a' },
          { resourceType: 'Patient', id: 'b', name: 8 },
          { resourceType: 'Condition', id: 'd', verificationStatus: ['odd'], subject: {} },
        ],
        next,
      ),
      [next]: page([{ resourceType: 'Patient', id: 'c' }]),
    }),
    'Patient?name=a',
  );
  assert.deepEqual(
    found.matches.map(({ id }) => id),
    ['a', 'b', 'c'],
  );
  assert.deepEqual(found.mended, [{ type: 'Patient', id: 'b', lost: ['name'] }]);
  assert.deepEqual(found.malformed, ['entry 3.verificationStatus is not an object']);
  assert.equal(found.exchanges.length, 2);
  assert.equal(found.unread, undefined);
});

test('the pages before one that is not read are kept, and it is said why', async () => {
  const link = 'https://evil.example/fhir/r4/Patient?page=2';
  const asked: string[] = [];
  const of = (answers: Record<string, Exchange>): Source => ({
    ...sourceOf(answers),
    search: (query) => {
      asked.push(query);
      return sourceOf(answers).search(query);
    },
  });
  const ada = { resourceType: 'Patient', id: 'a' };
  const elsewhere = await source.allPages(of({ Patient: page([ada], link) }), 'Patient');
  assert.deepEqual([elsewhere.matches, asked], [[ada], ['Patient']]);
  assert.match(elsewhere.unread?.() ?? '', /leads elsewhere, and was not followed: https:\/\/evil/);

  const next = `${BASE}/Patient?page=2`;
  const refused = await source.allPages(of({ Patient: page([ada], next), [next]: exchangeOf(500, {}) }), 'Patient');
  assert.deepEqual(refused.matches, [ada]);
  assert.match(refused.unread?.() ?? '', /could not be read: HTTP 500/);

  const endless = await source.allPages(of({ Patient: page([ada], next), [next]: page([ada], next) }), 'Patient');
  assert.deepEqual([endless.exchanges.length, endless.matches], [2, [ada]]);
  assert.match(endless.unread?.() ?? '', /leads back to one that was read/);
  const fresh: Source = {
    ...sourceOf({}),
    search: async (query) => page([ada], query === 'Patient' ? next : `${query}1`),
  };
  const others = await source.allPages(fresh, 'Patient');
  assert.deepEqual([others.exchanges.length, others.matches], [200, [ada]], 'each once');
  assert.match(others.unread?.() ?? '', /further pages/);
  // All pages of records in this browser are read.
  let left = 300;
  const own: Source = {
    ...sourceOf({}),
    name: 'files',
    search: async () => page([{ ...ada, id: `p${left}` }], --left > 0 ? `${next}${left}` : undefined),
  };
  const all = await source.allPages(own, 'Patient');
  assert.deepEqual([all.matches.length, all.unread], [300, undefined]);
});

test('odd parts of an answer hide no record, and a count of more than was given is said', async () => {
  const ada = { resourceType: 'Patient', id: 'a' };
  const of = (more: object): Promise<SearchResult> =>
    source.allPages(
      sourceOf({ P: exchangeOf(200, { resourceType: 'Bundle', entry: [{ resource: ada }], ...more }) }),
      'P',
    );
  for (const odd of [{ link: null }, { link: [null, { relation: 'next' }, 3] }, { link: {} }, { total: '7' }]) {
    const found = await of(odd);
    assert.deepEqual([found.matches, found.unread], [[ada], undefined], JSON.stringify(odd));
  }
  const odd = await of({ entry: [null, { resource: ada, search: null }, { resource: ada, search: { mode: 3 } }] });
  assert.deepEqual([odd.matches, odd.malformed.length], [[ada], 1]);
  assert.equal((await of({ total: 1 })).unread, undefined);
  assert.match((await of({ total: 40 })).unread?.() ?? '', /counts 40 records, and gave 1/);
  const included = { entry: [{ resource: ada }, { resource: { ...ada, id: 'b' }, search: { mode: 'include' } }] };
  assert.equal((await of({ ...included, total: 2 })).unread, undefined);
});

test('an OperationOutcome among the entries is no record, whatever its mode; its errors are kept', async () => {
  const outcome = (severity: string): object => ({
    resourceType: 'OperationOutcome',
    issue: [{ severity, code: 'processing', details: { text: `${severity}!` } }],
  });
  const entry = [
    { resource: { resourceType: 'Patient', id: 'a' } },
    { resource: outcome('warning') },
    { resource: outcome('information'), search: { mode: 'match' } },
    { resource: { ...outcome('error'), id: 'o' }, search: { mode: 'include' } },
    { resource: outcome('fatal'), search: { mode: 'outcome' } },
    { resource: { resourceType: 'OperationOutcome', issue: 'odd' } },
  ];
  const found = await source.allPages(sourceOf({ P: exchangeOf(200, { resourceType: 'Bundle', entry }) }), 'P');
  assert.deepEqual([found.matches.length, found.included.length, found.malformed], [1, 0, []]);
  assert.deepEqual(found.errors, ['error!', 'fatal!']);
});

test('a resource of an older FHIR is left out and counted, and not read', async () => {
  const older = { resourceType: 'Goal', id: 'a', status: 'odd' };
  const found = await source.allPages(sourceOf({ A: page([older, { ...older, status: 'achieved' }]) }), 'A');
  assert.deepEqual([found.matches.length, found.malformed, found.older], [1, [], 1]);
  assert.throws(() => source.resourceIn(exchangeOf(200, older)), /older FHIR/);
});

test('a Patient of an older FHIR is read, so that it is known whose a chart is', async () => {
  const dstu2 = { resourceType: 'Patient', id: 'p', name: [{ family: ['de', 'Casa'], given: ['Ada'] }, { text: 'A' }] };
  const found = await source.allPages(sourceOf({ P: page([dstu2]) }), 'P');
  assert.deepEqual([found.older, found.mended], [0, undefined]);
  assert.deepEqual(found.matches, [{ ...dstu2, name: [{ family: 'de Casa', given: ['Ada'] }, { text: 'A' }] }]);
  assert.deepEqual(source.readResult(exchangeOf(200, dstu2)).matches, found.matches);
});

test('a refusal and an answer that is no Bundle are errors', async () => {
  const { allPages, ExchangeError, resourceIn } = source;
  const answers = { refused: exchangeOf(401), odd: exchangeOf(200, { resourceType: 'Patient', id: 'a' }) };
  await assert.rejects(allPages(sourceOf(answers), 'refused'), ExchangeError);
  await assert.rejects(allPages(sourceOf(answers), 'odd'), /the answer\.resourceType is not Bundle/);
  assert.throws(() => resourceIn(exchangeOf(404)), ExchangeError);
  assert.throws(() => resourceIn(exchangeOf(200, 'text')), /the record is not an object/);
});
