// Files in the browser module: loaded one after the other and in pieces, they answer as if they were one load, and
// faults have their lines.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LOADED_AT } from '../../tools/server/loaded-at.mjs';
import { Chart, initSync, Scopes } from '../../www/pkg/edgechart.js';
import { loadFiles } from '../../www/src/engine/load-files.ts';

initSync({ module: readFileSync('www/pkg/edgechart_bg.wasm') });

const BASE = 'https://records.example/fhir/r4';
const types = new Scopes('system/*.read').matrix().map(({ type }) => type);
const everything = { scopes: types.map((type) => `system/${type}.read`).join(' '), patients: 'all' };
const load = async (files) => {
  const chart = new Chart(BASE, everything);
  const named = files.map(([name, text]) => ({ name, file: new Blob([text]) }));
  return { chart, report: await loadFiles(chart, named, LOADED_AT, () => undefined) };
};

const sample = readdirSync('sample')
  .filter((name) => name.endsWith('.ndjson'))
  .map((name) => [name, readFileSync(`sample/${name}`, 'utf8')]);

test('files in any order answer as one load does', async () => {
  const whole = new Chart(BASE, everything);
  whole.load(sample.map(([, text]) => text).join(''), LOADED_AT);
  for (const order of [sample, sample.toReversed()]) {
    const { chart, report } = await load(order);
    assert.deepEqual(report.faults, []);
    assert.deepEqual(chart.counts(), whole.counts());
    for (const type of types) {
      for (const id of whole.ids(type)) assert.equal(chart.read(type, id), whole.read(type, id));
    }
    let compared = 0;
    for (const patient of whole.ids('Patient')) {
      for (const type of ['Observation', 'Condition', 'Provenance', 'CareTeam', 'DiagnosticReport', 'Encounter']) {
        const query = `${type}?patient=${patient}&_count=500`;
        const [one, other] = [whole, chart].map((from) => JSON.parse(from.search(query, LOADED_AT)));
        assert.deepEqual(other.entry, one.entry, query);
        compared += one.entry?.length ?? 0;
      }
    }
    assert.ok(compared > 500, `${compared} entries compared`);
  }
});

test('a full URL is a name in its Bundle, and in no other file', async () => {
  const urn = 'urn:uuid:0c3151bd-1cbf-4d64-b04d-cd9187a4c6e0';
  const bundle = (...entry) => JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry }, null, 2);
  const observation = {
    resourceType: 'Observation',
    id: 'o',
    status: 'final',
    code: { text: 'Pulse' },
    subject: { reference: urn },
  };
  const patient = { fullUrl: urn, resource: { resourceType: 'Patient', id: 'p' } };
  const apart = await load([
    ['1.json', bundle({ resource: observation })],
    ['2.json', bundle(patient)],
  ]);
  assert.deepEqual([apart.report.taken, apart.report.faultCount], [2, 1]);
  assert.match(apart.report.faults[0].why, /belongs to nobody/);
  assert.equal(JSON.parse(apart.chart.search('Observation?patient=p')).total, 0);
  const together = await load([['1.json', bundle(patient, { resource: observation })]]);
  assert.deepEqual([together.report.taken, together.report.faultCount], [2, 0]);
  assert.equal(JSON.parse(together.chart.search('Observation?patient=p')).total, 1);
});

test('the same id of two servers is two people', async () => {
  const of = (base, family) => {
    const entry = (resource) => ({ fullUrl: `${base}/${resource.resourceType}/${resource.id}`, resource });
    const condition = { resourceType: 'Condition', id: `c-${family}`, subject: { reference: 'Patient/1' } };
    const entries = [entry({ resourceType: 'Patient', id: '1', name: [{ family }] }), entry(condition)];
    return JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry: entries });
  };
  const { chart, report } = await load([
    ['a.json', of('https://a.example/fhir', 'Alder')],
    ['b.json', of('https://b.example/fhir', 'Birch')],
  ]);
  assert.equal(report.faultCount, 0);
  const ids = chart.ids('Patient');
  assert.equal(ids.length, 2);
  for (const id of ids) {
    const family = JSON.parse(chart.search(`Patient?_id=${id}`)).entry[0].resource.name[0].family;
    const conditions = JSON.parse(chart.search(`Condition?patient=${id}`)).entry;
    assert.deepEqual(
      conditions.map(({ resource }) => resource.id),
      [`c-${family}`],
    );
  }
});

test('a patient without any searchable value is among the ids', async () => {
  const { chart } = await load([
    ['a.ndjson', '{"resourceType":"Patient","id":"b"}\n{"resourceType":"Patient","id":"a"}'],
  ]);
  assert.deepEqual(chart.ids('Patient').toSorted(), ['a', 'b']);
  assert.deepEqual(chart.ids('Observation'), []);
  assert.deepEqual(chart.ids('Nonsense'), []);
});

test('a damaged line is a fault of its line, wherever the file was cut', async () => {
  const line = (i) => JSON.stringify({ resourceType: 'Patient', id: `p${i}`, name: [{ text: 'x'.repeat(2_000) }] });
  const lines = Array.from({ length: 5_000 }, (_, i) => line(i));
  for (const at of [0, 1, 1_000, 4_999]) lines[at] = `${lines[at].slice(0, 90)}`;
  // The first line of a piece decides how the engine reads it. Among these damaged lines some are the first of one.
  for (let at = 1_800; at < 2_100; at += 1) lines[at] = '{"resourceType":"Patient"';
  const { chart, report } = await load([['all.ndjson', lines.join('\n')]]);
  assert.equal(report.faultCount, 304);
  assert.equal(report.taken, 5_000 - 304);
  assert.deepEqual(
    report.faults.slice(0, 5).map((fault) => fault.line),
    [1, 2, 1_001, 1_801, 1_802],
  );
  assert.equal(chart.counts().Patient, 5_000 - 304);
});
