// The cost of an answer grows neither with the number of patients nor with the length of one patient's record.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BASE, budget, cost, found, isOfRows, ndjson, populate, stage } from '../../tools/server/stage.mjs';
import { loadResources } from '../oracle/data.mjs';
import { instantiate, readRows } from '../oracle/rows.mjs';
import { inFlight } from '../server/in-flight.mjs';

const SCOPES = 'system/*.read system/MedicationDispense.read system/Coverage.read';

test('1,000 patients cost no more rows than 100', async (t) => {
  const vars = { FRESH_SECONDS: '0' };
  const hundred = await stage({ data: [populate(100)], vars, bare: true });
  t.after(hundred.close);
  const thousand = await stage({ data: [populate(1000)], vars, bare: true });
  t.after(thousand.close);

  const resources = loadResources([populate(100)]);
  const [small, large] = [hundred, thousand].map((server) => ({ server, token: server.token(SCOPES) }));
  const queries = readRows()
    .filter(({ source, query }) => source === 'spec' && query.includes('?'))
    .flatMap((row) => [...instantiate(row, resources, { base: BASE, perPatient: 1 })]);
  // Read the values that an isolate reads once, which are the format and the indexed parameters, before the comparison.
  for (const { server, token } of [small, large]) await server.ask('PractitionerRole?specialty=nothing', { token });
  await inFlight(queries, async (query) => {
    const [few, many] = await Promise.all([small, large].map(({ server, token }) => server.ask(query, { token })));
    assert.equal(many.status, 200, `${query}: ${many.text}`);
    assert.deepEqual(found(many.body), found(few.body), query);
    // If the isolate has the chart, it reads only the version.
    const most = isOfRows(query) ? cost(few).rows : budget(1, query).rows;
    assert.ok(cost(many).rows <= most, `${query}: ${cost(many).rows} rows, and ${cost(few).rows} with a tenth`);
  });
  t.diagnostic(`${queries.length} queries cost the same`);
});

/// Yields a patient with `count` observations: two categories, ten codes, and every hundredth over a Period of a week.
function* record(count) {
  yield { resourceType: 'Patient', id: 'long' };
  for (let k = 0; k < count; k += 1) {
    const day = new Date(Date.UTC(2000, 0, 1) + k * 86_400_000).toISOString();
    const week = new Date(Date.UTC(2000, 0, 8) + k * 86_400_000).toISOString();
    yield {
      resourceType: 'Observation',
      id: `o${k}`,
      status: k % 50 === 0 ? 'preliminary' : 'final',
      subject: { reference: 'Patient/long' },
      category: [
        {
          coding: [
            {
              system: 'http://terminology.hl7.org/CodeSystem/observation-category',
              code: k % 3 === 0 ? 'vital-signs' : 'laboratory',
            },
          ],
        },
      ],
      code: { coding: [{ system: 'http://loinc.org', code: `c${k % 10}` }] },
      ...(k % 100 === 7 ? { effectivePeriod: { start: day, end: week } } : { effectiveDateTime: day }),
    };
  }
}

test('a page out of 10,000 observations stays in the budget', async (t) => {
  const server = await stage({ vars: { FRESH_SECONDS: '0' }, bare: true });
  t.after(server.close);
  server.loadText(ndjson(...record(10_000)));
  const token = server.token('patient/*.read', { patient: 'long' });
  // The isolate keeps the newest eight pages after the first search, and other pages after an answer needed them.
  const pageOf = (id) => Math.floor(Number(/\d+$/.exec(id)) / 64);
  const read = new Set(Array.from({ length: 8 }, (_, k) => Math.floor(9_999 / 64) - k));
  let ofChart = 9;
  for (const [query, entries] of [
    ['category=laboratory', 50],
    ['category=laboratory&_sort=-date&_count=10', 10],
    ['_sort=-date&_count=1', 1],
    ['category=laboratory&date=ge2010-01-01&date=lt2020-01-01', 50],
    ['category=laboratory&date=ge2027-05-01', undefined],
    ['category=laboratory&date=lt2000-02-01', 20],
    ['category=vital-signs&date=2013-07-04', undefined],
    ['category=laboratory,vital-signs&date=ge2010-01-01', 50],
    ['code=c1,c2,c3,c4,c5&date=le2011-01-01', 50],
    ['code=c1,c2,c3,c4,c5,c6,c7,c8,c9,nothing', 50],
    ['category=laboratory&status=preliminary', 50],
    ['category=laboratory&status=registered,preliminary,amended,corrected,cancelled,entered-in-error,unknown', 50],
    ['category=survey&status=final', 0],
    ['_count=1000000', 200],
  ]) {
    const answer = await server.ask(`Observation?${query}`, { token });
    const { ids } = found(answer.body);
    if (entries !== undefined) assert.equal(ids.length, entries, query);
    const { rows, trips } = cost(answer);
    // Matches on other pages need another trip, which costs a row for the compartment and a row for each page.
    const others = new Set(ids.map(pageOf).filter((page) => !read.has(page)));
    for (const page of others) read.add(page);
    const ofPages = others.size > 0 ? 1 + others.size : 0;
    assert.deepEqual({ rows, trips }, { rows: ofChart + ofPages, trips: others.size > 0 ? 2 : 1 }, query);
    ofChart = 2;
    t.diagnostic(`${String(rows).padStart(4)} rows for ${String(ids.length).padStart(3)} entries: ${query}`);
  }
  // The longest list that is accepted, with a date.
  const longest = `Observation?code=c1,${Array.from({ length: 124 }, (_, k) => `none${k}`)}&date=ge2010-01-01`;
  const answer = await server.ask(longest, { token });
  assert.equal(found(answer.body).ids.length, 50);
  const others = new Set(
    found(answer.body)
      .ids.map(pageOf)
      .filter((page) => !read.has(page)),
  );
  assert.equal(cost(answer).rows, 2 + (others.size > 0 ? 1 + others.size : 0));
});

test('a chain over 1,000 conditions stays in the budget', async (t) => {
  /// Returns a record. Each query asks for one of its own, which no isolate has cached.
  const recordOf = (patient) => {
    const subject = { reference: `Patient/${patient}` };
    const visits = Array.from({ length: 10 }, (_, k) => ({
      resourceType: 'Encounter',
      id: `${patient}-e${k}`,
      status: k % 2 === 0 ? 'finished' : 'planned',
      subject,
    }));
    const conditions = Array.from({ length: 1_000 }, (_, k) => ({
      resourceType: 'Condition',
      id: `${patient}-c${k}`,
      subject,
      encounter: { reference: `Encounter/${patient}-e${k % 10}` },
      recordedDate: new Date(Date.UTC(2000, 0, 1) + k * 86_400_000).toISOString(),
    }));
    return [{ resourceType: 'Patient', id: patient, gender: 'female' }, ...visits, ...conditions];
  };
  const queries = [
    ['Condition?encounter.status=finished', 50, 10],
    ['Condition?encounter.patient.gender=female', 50, 10],
    ['Condition?encounter._has:Condition:encounter:_id=p2-c7&_count=20', 20, 10],
    ['Encounter?_has:Condition:encounter:_id=p3-c7,p3-c8', 2, 10],
    ['Encounter?status=finished&_has:Condition:encounter:patient.gender=female', 5, 10],
  ];
  const all = queries.flatMap((_, at) => recordOf(`p${at}`));
  const server = await stage({ vars: { FRESH_SECONDS: '0' }, bare: true });
  t.after(server.close);
  server.loadText(ndjson(...all));
  for (const [at, [query, entries, most]] of queries.entries()) {
    const answer = await server.ask(query, { token: server.token('patient/*.read', { patient: `p${at}` }) });
    assert.equal(found(answer.body).ids.length, entries, query);
    const { rows, trips } = cost(answer);
    assert.equal(trips, 1, query);
    assert.ok(rows <= most, `${query}: ${rows} rows`);
    t.diagnostic(`${String(rows).padStart(4)} rows for ${String(entries).padStart(3)} entries: ${query}`);
  }
});
