// The reads and searches of two public benchmarks of FHIR servers, over HTTP, unchanged except for their values. The
// answers match the plain evaluator.
//
//   k6        HealthSamurai/fhir-server-performance-benchmark: k6/searchConfig.js, and the reads of k6/crud.js
//   compare   mock-health/fhir-server-compare: config/queries.yaml
//
// tests/benchmarks.tsv lists them; {a b} stands for a query with each of these words. Most ask for records without a
// patient. A server with several thousand patients refuses such a query, as the third column says. With the token of a
// patient, each query has an answer there.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { BASE, EVERYTHING, found, stage } from '../../tools/server/stage.mjs';
import { indexOf, loadResources } from '../oracle/data.mjs';
import { readRows } from '../oracle/rows.mjs';
import { read, search } from '../oracle/search.mjs';
import { temporaryFolder } from '../server/folder.mjs';
import { inFlight } from '../server/in-flight.mjs';

const PATIENT = 'amara-okafor';
const SYSTEM = { scopes: EVERYTHING };
/// The grant of a patient.
const OWN = { scopes: EVERYTHING.replaceAll('system/', 'patient/'), patient: PATIENT };
/// A resource for the types that the benchmarks read and the sample lacks.
const claim = { id: 'amara-check-up', status: 'active', use: 'claim', patient: { reference: `Patient/${PATIENT}` } };
const folder = temporaryFolder();
const data = ['sample', join(folder, 'claims.ndjson')];
writeFileSync(
  data[1],
  ['Claim', 'ExplanationOfBenefit'].map((resourceType) => JSON.stringify({ resourceType, ...claim })).join('\n'),
);
const server = await stage({ data, index: 'r4' });
after(() => server.close());
const resources = loadResources(data, BASE);
indexOf(resources);

/// Yields a query for each combination of the words in braces.
function* written(text) {
  const [whole, words] = /\{([^}]*)\}/.exec(text) ?? [];
  if (!whole) yield text;
  else for (const word of words.split(' ')) yield* written(text.replace(whole, word));
}

/// Compares an answer with the plain evaluator's result under the grant. Returns whether it has a resource.
async function holds(query, grant, token) {
  const answer = await server.ask(query, { token });
  const label = `${query} ${grant.patient ?? ''}`;
  const [path, text] = query.split('?');
  if (text === undefined) {
    const isOpen = read(resources, grant, path);
    assert.equal(answer.status, isOpen ? 200 : 404, `${label}: ${answer.text}`);
    return isOpen;
  }
  assert.equal(answer.status, 200, `${label}: ${answer.text}`);
  const { ids } = search(resources, grant, query, { base: BASE });
  const parameters = new URLSearchParams(text);
  const page = Number(parameters.get('_count') ?? 50);
  assert.deepEqual(found(answer.body).ids, ids.slice(0, page), label);
  const isLast = answer.body.link.every(({ relation }) => relation !== 'next');
  assert.equal(isLast, ids.length <= page, label);
  if (parameters.get('_total') === 'accurate') assert.equal(answer.body.total, ids.length, label);
  return ids.length > 0;
}

for (const [benchmark, rows] of Map.groupBy(readRows('tests/benchmarks.tsv'), (row) => row.benchmark)) {
  test(`the reads and searches of ${benchmark} are answered`, async (t) => {
    const [token, own] = [server.token(SYSTEM.scopes), server.token(OWN.scopes, { patient: PATIENT })];
    const queries = rows.flatMap((row) => [...written(row.query)].map((query) => ({ row, query })));
    const finding = new Set();
    await inFlight(queries, async ({ row, query }) => {
      const expected = row['without a patient'];
      if (expected === 'found') {
        if (await holds(query, SYSTEM, token)) finding.add(row);
      } else {
        const { status, body } = await server.ask(query, { token });
        assert.deepEqual([status, body.issue?.[0].code], [400, expected], query);
      }
      if (expected !== 'not-supported' && (await holds(query, OWN, own))) finding.add(row);
    });
    t.diagnostic(`${queries.length} queries of ${rows.length} shapes`);
    const without = rows.filter((row) => row['without a patient'] !== 'not-supported' && !finding.has(row));
    assert.deepEqual(
      without.map(({ query }) => query),
      [],
      'to agree that there is nothing proves little',
    );
  });
}

/// Requests of the second benchmark that this server does not support, with the expected refusals.
const REFUSED = {
  'Patient?this-is-not-a-real-param=garbage&_count=1': [400, 'not-supported', /this-is-not-a-real-param/],
  'Patient?_count=5&_revinclude=*': [400, 'not-supported', /_revinclude/],
  'Patient/_history?_count=1': [404, 'not-supported', /history/],
  'ValueSet/$expand?url=http%3A%2F%2Fhl7.org%2Ffhir%2Fus%2Fcore%2FValueSet%2Fus-core-condition-code': [404],
  'CodeSystem/$lookup?system=http%3A%2F%2Floinc.org&code=85354-9': [404],
};

test('what compare asks for and is not offered is refused with a reason', async () => {
  const token = server.token(SYSTEM.scopes);
  for (const [query, [status, code, words]] of Object.entries(REFUSED)) {
    const answer = await server.ask(query, { token });
    assert.equal(answer.status, status, `${query}: ${answer.text}`);
    assert.equal(answer.body.resourceType, 'OperationOutcome', query);
    if (code) assert.equal(answer.body.issue[0].code, code, query);
    if (words) assert.match(answer.text, words, query);
  }
});
