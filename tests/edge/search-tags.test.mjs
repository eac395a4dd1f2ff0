// Tags of searches over HTTP, and 304: what confirms an answer, at what cost, and what a tag never confirms. The test
// in tests/replicas.rs has random changes of data, grants, access lists and scopes.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { cost, ndjson, stage } from '../../tools/server/stage.mjs';

const practitioner = (id, family) => ({ resourceType: 'Practitioner', id, name: [{ family }] });
const observation = (id, category, text = 'x') => ({
  resourceType: 'Observation',
  id,
  meta: { versionId: '1', lastUpdated: '2024-01-01T00:00:00Z' },
  status: 'final',
  code: { text },
  category: [{ coding: [{ code: category }] }],
  subject: { reference: 'Patient/a' },
  performer: [{ reference: 'Practitioner/p' }],
});
const data = [
  ...['a', 'b'].map((id) => ({ resourceType: 'Patient', id })),
  ...['p', 'q'].map((id) => practitioner(id, 'First')),
  observation('o', 'laboratory'),
  observation('v', 'vital-signs'),
];

const ask = (path, tag, { token: bearer = token, headers = {}, ...init } = {}) =>
  server.ask(path, { token: bearer, headers: { ...(tag ? { 'if-none-match': tag } : {}), ...headers }, ...init });
const tagOf = ({ headers }) => headers.get('etag');
const headersOf = ({ headers }) =>
  Object.fromEntries([...headers].filter(([name]) => !/^(content-|date|etag|server-timing|transfer|x-req)/.test(name)));

const server = await stage({ index: 'r4', vars: { FRESH_SECONDS: '0' } });
server.loadText(ndjson(...data));
const token = server.token('patient/*.rs', { patient: 'a' });
const laboratory = server.token('patient/Observation.rs?category=laboratory', { patient: 'a' });
after(() => server.close());

test('an answer that the client has is confirmed by the version of its record, or by its entries', async () => {
  const { body } = await ask('Observation?_count=1');
  const next = body.link.find(({ relation }) => relation === 'next').url;
  for (const [path, byVersion] of [
    ['Observation?category=laboratory&_count=1', true],
    ['Observation?_revinclude=Provenance:target', true],
    ['Observation/$lastn?category=laboratory', true],
    ['Patient/a/Observation', true],
    ['Patient/a/*?_type=Observation', true],
    ['Patient/a/$everything?_type=Patient,Observation', true],
    [next, true],
    ['Patient/a/$everything'],
    ['Condition'],
    ['Observation?_summary=count'],
    ['Observation?_include=Observation:performer'],
    ['Observation?performer:Practitioner.name=First'],
    ['Practitioner?name=First'],
  ]) {
    const headers = { prefer: 'handling=lenient' };
    const whole = await ask(path, undefined, { headers });
    for (const method of ['GET', 'HEAD']) {
      const known = await ask(path, `"x", ${tagOf(whole)}`, { method, headers });
      assert.deepEqual([known.status, known.text], [304, ''], path);
      assert.deepEqual(headersOf(known), headersOf(whole), path);
      const { rows, trips } = cost(known);
      assert.ok(!byVersion || (rows <= 2 && trips === 1), `${path}: ${rows} rows in ${trips} trips`);
      const lines = await Promise.all([whole, known].map((one) => server.audit(one.headers.get('x-request-id'))));
      assert.deepEqual(lines[1][0].patients, lines[0][0].patients, path);
    }
  }
});

test('nm01 a tag confirms nothing but its own answer', async () => {
  const path = 'Observation?category=laboratory&_count=1';
  const tag = tagOf(await ask(path));
  for (const [what, asked, sent, init] of [
    ['another count', 'Observation?category=laboratory&_count=2', tag],
    ['other elements', `${path}&_elements=code`, tag],
    ['another handling', path, tag, { headers: { prefer: 'handling=strict' } }],
    ['fewer scopes', path, tag, { token: laboratory }],
    ['another client', path, tag, { token: server.token('patient/*.rs', { patient: 'a', client: 'other' }) }],
    ['another patient', path, tag, { token: server.token('patient/*.rs', { patient: 'b' }) }],
    ['anything', path, '*'],
    ['an edited tag', path, tag.replace(/"./, (begin) => (begin === '"A' ? '"B' : '"A'))],
  ]) {
    assert.equal((await ask(asked, sent, init)).status, 200, what);
  }
  assert.equal((await ask(path, tag.slice(2))).status, 304, 'a strong tag');
  assert.equal((await server.ask(path, { headers: { 'if-none-match': tag } })).status, 401, 'no token');
  assert.equal((await ask('Observation?foo=1', tag)).status, 400);
  const near = await ask('Observation?date=ap2026-11-28');
  assert.deepEqual([near.status, tagOf(near)], [200, null], 'an answer that depends on the time');
  for (const headers of [{ 'if-none-match': tag }, { 'if-none-match': '*' }]) {
    const posted = await ask('Observation/_search', undefined, { method: 'POST', headers });
    assert.deepEqual([posted.status, tagOf(posted)], [200, null]);
  }
});

test('nm02 a change of what a token does not open is confirmed, and no tag tells of it', async () => {
  const tags = [tagOf(await ask('Observation', undefined, { token: laboratory }))];
  for (let count = 0; count < 100; count += 1) {
    if (count === 50) server.loadText(ndjson(observation('v2', 'vital-signs')));
    const known = await ask('Observation', tags.at(-1), { token: laboratory });
    assert.equal(known.status, 304);
    assert.match(tagOf(known), /^W\/"[\w-]{43}"$/);
    tags.push(tagOf(known));
  }
  assert.equal(new Set(tags).size, tags.length);
});

test('what changes an answer is not confirmed, and what does not is', async () => {
  const deletion = { request: { method: 'DELETE', url: 'Observation/o' } };
  const included = 'Observation?_id=o&_include=Observation:performer';
  for (const [what, path, change, status] of [
    ['another practitioner', included, practitioner('q', 'Renamed'), 304],
    ['an included practitioner', included, practitioner('p', 'Renamed'), 200],
    ['a text whose version stays', 'Observation?_id=o', observation('o', 'laboratory', 'y'), 200],
    ['the same text', 'Observation?_id=o', observation('o', 'laboratory', 'y'), 304],
    ['a match behind the page', 'Observation?_count=1&_total=accurate', observation('z', 'survey'), 200],
    ['a removal', 'Observation?_id=o', { resourceType: 'Bundle', type: 'transaction', entry: [deletion] }, 200],
  ]) {
    const tag = tagOf(await ask(path));
    server.loadText(ndjson(change));
    assert.equal((await ask(path, tag)).status, status, what);
  }
});
