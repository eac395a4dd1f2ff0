import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingBy, Pages } from './undelivered.ts';

const resource = { resourceType: 'Condition', id: 'c' };
const link = (relation: string, url: string) => ({ relation, url });
const searchset = (links: object[], more: object = {}) => ({
  resourceType: 'Bundle',
  type: 'searchset',
  link: links,
  entry: [{ resource }],
  ...more,
});
const BASE = 'https://a.example/fhir';
const SEARCH = `${BASE}/Condition?patient=p`;

/** Returns the parts that documents lack, each in a few words. */
function lacks(...documents: unknown[]): string[] {
  const pages = new Pages();
  const said = documents.flatMap((one, i) => [...pages.note(one, `${i}.json`, 1)]);
  return [...said, ...pages.missing].map(({ type, what, says }) => `${what} ${type} ${says}`.trim());
}

test('a further page that is not among the files is missing, and one that is there is not', () => {
  const first = searchset([link('self', SEARCH), link('next', `${SEARCH}&page=2`)], { total: 40 });
  const second = searchset([link('self', `${SEARCH}&page=2`), link('next', `${BASE}?_getpages=x`)], { total: 40 });
  const last = searchset([link('self', `${SEARCH}&page=3`), link('previous', `${SEARCH}&page=2`)], { total: 40 });
  assert.deepEqual(lacks(first), ['page Condition 40']);
  assert.deepEqual(lacks(second, first), ['page  40']);
  assert.deepEqual(lacks(last, first, searchset([link('next', `${BASE}/Goal?x`)])), ['page Goal']);
  assert.deepEqual(lacks(first, searchset([link('self', `${SEARCH}&page=2`)])), []);
  assert.deepEqual(lacks(searchset([link('next', `${SEARCH}&p=2`)]), last), [], 'a page that names itself otherwise');
});

test('matches that the source counts and did not send are missing', () => {
  assert.deepEqual(lacks(searchset([link('self', SEARCH)], { total: 40 })), ['total Condition 40']);
  assert.deepEqual(lacks(searchset([], { total: 1 })), []);
  const include = { resource, search: { mode: 'include' } };
  assert.deepEqual(lacks(searchset([], { total: 1, entry: [{ resource }, include] })), []);
  assert.deepEqual(lacks(searchset([], { total: 40, type: 'collection' })), [], 'no search');
});

test('answers of a batch that failed are missing, with the words of their outcome', () => {
  const outcome = { resourceType: 'OperationOutcome', issue: [{ severity: 'error', diagnostics: 'No.' }] };
  const entry = [
    { response: { status: '200 OK' } },
    { response: { status: '403 Forbidden', outcome }, request: { url: 'Condition?patient=p' } },
    { response: { status: '500' } },
    { fullUrl: `${BASE}/Condition/c`, response: { status: '410 Gone' } },
    null,
  ];
  assert.deepEqual(lacks({ resourceType: 'Bundle', type: 'batch-response', entry }), [
    'error Condition No.',
    'error  HTTP 500',
  ]);
});

const OUTCOMES: [unknown, string | undefined][] = [
  [{ issue: [{ severity: 'error', details: { text: 'Broken' }, diagnostics: 'x' }] }, 'Broken'],
  [{ issue: [{ severity: 'warning', code: 'incomplete', diagnostics: 'Some are withheld' }] }, 'Some are withheld'],
  [{ issue: [{ severity: 'information', code: 'suppressed' }] }, 'suppressed'],
  [{ issue: [{ severity: 'information', code: 'informational', diagnostics: 'All OK' }] }, undefined],
  [{ issue: [{ severity: 'warning', code: 'processing' }] }, undefined],
  [{ issue: [] }, undefined],
  [{ issue: 'x' }, undefined],
  ['x', undefined],
];
for (const [outcome, wanted] of OUTCOMES) {
  test(`an outcome says ${wanted ?? 'that nothing is missing'}: ${JSON.stringify(outcome)}`, () => {
    assert.equal(missingBy(outcome), wanted);
  });
}

test('odd documents lack nothing', () => {
  for (const odd of [undefined, null, 3, [], { resourceType: 'Bundle' }, searchset([], { link: 'x', entry: {} })]) {
    assert.deepEqual(lacks(odd), []);
  }
});
