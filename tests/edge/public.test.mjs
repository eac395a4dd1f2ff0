// What is open to everybody: a directory without a token, and nothing else. Filters of scopes by `_profile` and `_tag`.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { edgechart, found, ndjson, ORIGIN, stage } from '../../tools/server/stage.mjs';
import { until } from '../server/until.mjs';

const OPEN = 'http://plans.example/StructureDefinition/directory-practitioner';
const PUBLIC = [
  `system/Practitioner.rs?_profile=${OPEN}`,
  'system/Organization.rs?_tag=http://plans.example/tags|directory',
  'system/Endpoint.rs',
  'system/Basic.rs?code=http://plans.example/items|formulary-item',
];
const directory = { tag: [{ system: 'http://plans.example/tags', code: 'directory' }] };
const claim = { status: 'active', use: 'claim', patient: { reference: 'Patient/a' } };
const tagged = (code) => ({ tag: [{ system: 'http://plans.example/money', code }] });
const item = (id, subject, author) => ({
  resourceType: 'Basic',
  id,
  code: { coding: [{ system: 'http://plans.example/items', code: 'formulary-item' }] },
  subject: { reference: subject },
  author: { reference: author },
});
const RECORDS = [
  { resourceType: 'Patient', id: 'a', generalPractitioner: [{ reference: 'Practitioner/chart' }] },
  { resourceType: 'Practitioner', id: 'listed', meta: { profile: [OPEN] }, name: [{ family: 'Okafor' }] },
  { resourceType: 'Practitioner', id: 'chart', name: [{ family: 'Okafor' }] },
  {
    resourceType: 'Organization',
    id: 'plan',
    meta: directory,
    name: 'Plan',
    partOf: { reference: 'Organization/own' },
  },
  { resourceType: 'Organization', id: 'own', name: 'Plan, internal', endpoint: [{ reference: 'Endpoint/e' }] },
  { resourceType: 'Endpoint', id: 'e', status: 'active' },
  item('item', 'Organization/plan', 'Organization/own'),
  item('of-a', 'Patient/a', 'Organization/own'),
  item('by-a', 'Organization/plan', 'Patient/a'),
  { resourceType: 'ExplanationOfBenefit', id: 'full', meta: tagged('full'), ...claim },
  { resourceType: 'ExplanationOfBenefit', id: 'basis', meta: tagged('basis'), ...claim },
];
let server;

before(async () => {
  server = await stage({ index: 'r4', vars: { PUBLIC: PUBLIC.join('\n') } });
  server.loadText(ndjson(...RECORDS));
});
after(() => server.close());

const ask = (path, headers = {}) => fetch(`${server.url}/fhir/r4/${path}`, { headers });
const idsOf = async (answer) => found(await answer.json());

test('SC15 a stranger reads and searches what is open, and learns of nothing else', async () => {
  for (const [path, ids, included = []] of [
    ['Practitioner?name=okafor', ['Practitioner/listed']],
    ['Practitioner?_id=listed,chart', ['Practitioner/listed']],
    ['Endpoint', ['Endpoint/e']],
    ['Basic?code=formulary-item', ['Basic/item']],
    ['Basic?_id=item,of-a,by-a&_include=Basic:author', ['Basic/item']],
    ['Basic?code=formulary-item&_include=Basic:subject', ['Basic/item'], ['Organization/plan']],
    ['Organization?_include=Organization:partof', ['Organization/plan']],
    ['Endpoint?_has:Organization:endpoint:name=plan', []],
    ['Organization?partof.name=plan', []],
  ]) {
    const answer = await ask(path);
    assert.equal(answer.status, 200, path);
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=60', path);
    assert.deepEqual(await idsOf(answer), { ids, included }, path);
  }
  for (const [path, status] of [
    ['Practitioner/listed', 200],
    ['Practitioner/chart', 404],
    ['Organization/own', 404],
    ['Basic/item', 200],
    ['Basic/of-a', 404],
    ['Basic/by-a', 404],
    ['Basic?patient=a', 401],
    ['Patient/a/Basic', 401],
    ['Organization?_has:Basic:subject:code=formulary-item', 400],
    ['Patient', 401],
    ['Patient/a', 401],
    ['Patient/a/$everything', 401],
    ['Group?_id=g', 401],
    ['Location', 401],
    ['Binary/b', 401],
    ['$export', 401],
    ['Practitioner?nickname=o', 400],
  ]) {
    const answer = await ask(path);
    assert.equal(answer.status, status, path);
    if (status === 401) assert.match(answer.headers.get('www-authenticate'), /^Bearer realm="[^"]*"$/, path);
  }
});

test('a token that is wrong opens nothing, and a valid one opens no less than none', async () => {
  for (const authorization of ['Bearer x', 'Basic YTpi']) {
    assert.equal((await ask('Practitioner/listed', { authorization })).status, 401, authorization);
  }
  const authorization = `Bearer ${server.token('patient/Patient.rs', { patient: 'a' })}`;
  for (const [path, status] of [
    ['Patient/a', 200],
    ['Practitioner/listed', 200],
    ['Practitioner/chart', 404],
    ['Location', 401],
  ]) {
    const answer = await ask(path, { authorization });
    assert.equal(answer.status, status, path);
    assert.equal(answer.headers.get('cache-control'), 'no-store', path);
  }
  const all = { authorization: `Bearer ${server.token('patient/*.rs', { patient: 'a' })}` };
  assert.deepEqual((await idsOf(await ask('Practitioner', all))).ids.toSorted(), [
    'Practitioner/chart',
    'Practitioner/listed',
  ]);
});

test('the log does not say who reads what is open, and says who tries more', async () => {
  const asked = async (path, id) => {
    const answer = await ask(path, { 'x-request-id': id, 'cf-connecting-ip': '192.0.2.77' });
    await answer.text();
    return id;
  };
  await asked('Practitioner?name=okafor', 'open-search');
  await asked('Practitioner?nickname=okafor', 'open-refused');
  const [refused] = await server.audit(await asked('Patient/a', 'closed-read'));
  assert.equal(refused.error, 'no_token');
  assert.ok(!server.messages.some((line) => /open-search|open-refused|okafor|192\.0\.2\.77/.test(line)));
});

test('the directory is published as files that never change and a chain of changes (B5, B6, B7, B8, B9)', async () => {
  const get = async (path, headers) => {
    const answer = await fetch(
      path.startsWith('http') ? path.replace(ORIGIN, server.url) : `${server.url}/fhir/r4/${path}`,
      { headers },
    );
    const { status } = answer;
    return {
      status,
      etag: answer.headers.get('etag'),
      cache: answer.headers.get('cache-control'),
      text: await answer.text(),
    };
  };
  /// Runs the cron trigger until the manifest is another one, and resolves to it.
  const published = (known) =>
    until(async () => {
      await (await server.jobs()).scheduled({ cron: '*/10 * * * *' });
      const { status, etag, cache, text } = await get('$bulk-publish');
      assert.deepEqual([status, cache, etag === known], [200, 'public, max-age=10', false]);
      return { etag, ...JSON.parse(text) };
    });
  assert.equal((await get('$bulk-publish')).status, 404, 'nothing is published yet');
  const first = await published();
  assert.equal(first.requiresAccessToken, false);
  assert.ok(Math.abs(Date.parse(first.transactionTime) - Date.now()) < 120_000);
  const namesIn = async ({ output }) => {
    const texts = await Promise.all(output.map(({ url }) => get(url)));
    assert.ok(texts.every(({ status, cache }) => status === 200 && cache.includes('immutable')));
    const lines = texts.flatMap(({ text }) => text.trim().split('\n')).map((line) => JSON.parse(line));
    return lines.map(({ resourceType, id }) => `${resourceType}/${id}`).sort();
  };
  assert.deepEqual(await namesIn(first), ['Basic/item', 'Endpoint/e', 'Organization/plan', 'Practitioner/listed']);
  assert.equal((await get('$bulk-publish', { 'if-none-match': first.etag })).status, 304);
  const authorization = 'Bearer x';
  for (const path of ['$bulk-publish', first.output[0].url])
    assert.equal((await get(path, { authorization })).status, 401);
  assert.equal((await get(first.output[0].url.replace(/\w+\.ndjson/, 'x.ndjson'))).status, 404);

  const next = ({ link }) => link.find(({ relation }) => relation === 'next').url;
  const page = async (url) => {
    const { status, etag, cache, text } = await get(url);
    assert.deepEqual([status, cache], [200, 'public, max-age=10']);
    return { etag, ...JSON.parse(text) };
  };
  const stub = await page(next(first));
  assert.deepEqual([next(stub), stub.output], ['#pending', undefined]);
  assert.equal((await get(next(first), { 'if-none-match': stub.etag })).status, 304);
  assert.equal((await get(next(first), { authorization })).status, 401);
  assert.equal((await get('$bulk-publish/1.json')).status, 404);

  const load = (resource) => {
    const change = server.write('change.ndjson', resource);
    edgechart('load', change, '--db', server.db, '--base', server.base, '--index', 'r4');
  };
  load({ ...RECORDS[1], name: [{ family: 'Okafor-Lind' }] });
  const second = await published(first.etag);
  const urls = ({ output }) => output.map(({ type, url }) => `${type} ${url}`);
  const isOther = (line) => !urls(first).includes(line);
  assert.deepEqual(
    urls(second)
      .filter(isOther)
      .map((line) => line.split(' ')[0]),
    ['Practitioner'],
  );
  const [old] = first.output.filter(({ type }) => type === 'Practitioner');
  assert.ok(!(await get(old.url)).text.includes('Lind') && (await get(old.url)).status === 200);
  const changes = await page(next(await page(next(first))));
  assert.deepEqual(urls(changes), urls(second).filter(isOther));
  assert.deepEqual([changes.deleted, next(changes)], [[], '#pending']);
  // What a filter no longer finds is deleted.
  load({ ...RECORDS[1], meta: {} });
  await published(second.etag);
  const further = await page(next(await page(next(second))));
  const [bundle] = await Promise.all(further.deleted.map(async ({ url }) => JSON.parse((await get(url)).text)));
  assert.deepEqual(bundle.entry, [{ request: { method: 'DELETE', url: 'Practitioner/listed' } }]);
  assert.deepEqual(next(await page(next(await page(next(first))))), next(await page(next(second))));
  const { rest } = JSON.parse((await get('metadata')).text);
  assert.deepEqual(
    rest[0].operation.map(({ name }) => name),
    ['export', 'bulk-publish'],
  );
});

test('the tag of a resource decides which of two copies of a claim a client gets', async () => {
  for (const code of ['full', 'basis']) {
    const scope = `system/ExplanationOfBenefit.rs?_tag=http://plans.example/money|${code}`;
    const authorization = `Bearer ${server.token(scope)}`;
    const answer = await ask('ExplanationOfBenefit?patient=a', { authorization });
    assert.deepEqual(await idsOf(answer), { ids: [`ExplanationOfBenefit/${code}`], included: [] });
  }
});

test('a store that is not indexed by a filter refuses it', async () => {
  const other = await stage({ data: ['sample'], vars: { PUBLIC: PUBLIC[0] } });
  try {
    const answer = await fetch(`${other.url}/fhir/r4/Practitioner?name=a`);
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /_profile/);
  } finally {
    await other.close();
  }
});
