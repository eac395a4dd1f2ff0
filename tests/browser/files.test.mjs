// Files in the browser module: files that are loaded one after the other and in pieces have the same answers as a
// single load, and faults have their line numbers.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LOADED_AT } from '../../tools/server/loaded-at.mjs';
import { Chart, initSync, Scopes } from '../../www/pkg/edgechart.js';
import { loadFiles } from '../../www/src/engine/load/load-files.ts';

initSync({ module: readFileSync('www/pkg/edgechart_bg.wasm') });

const BASE = 'https://records.example/fhir/r4';
const types = new Scopes('system/*.read').matrix().map(({ type }) => type);
const everything = { scopes: types.map((type) => `system/${type}.read`).join(' '), patients: 'all' };
const load = async (files, same = []) => {
  const named = files.map(([name, text]) => ({ name, file: new Blob([text]) }));
  const newChart = () => new Chart(BASE, everything);
  const { loader: chart, report, alike } = await loadFiles(newChart, named, LOADED_AT, () => undefined, same);
  const absent = [...new Set(chart.absentPatients().map((one) => one.split(' ')[0]))];
  return { chart, report, alike: alike(absent) };
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

test('whatever requests ask for, the records are shown by the ids in their addresses', async () => {
  const observation = (id, reference) => ({
    request: { method: 'POST', url: 'Observation' },
    resource: { ...{ resourceType: 'Observation', id, status: 'final', code: { text: 'x' } }, subject: { reference } },
  });
  for (const [request, id, expected] of [
    [{ method: 'PUT', url: 'Patient/a' }, undefined, 'a'],
    [{ method: 'PUT', url: 'https://ehr.example/fhir/Patient/a/_history/2' }, undefined, 'a'],
    [{ method: 'PUT', url: 'Patient/a' }, 'b', 'b'],
    [{ method: 'PUT', url: 'Patient?identifier=s|1' }, undefined, '1'],
    [{ method: 'PUT', url: 'Patient?name=x' }, 'b', 'b'],
    [{ method: 'POST', url: 'Patient', ifNoneExist: 'identifier=s|1' }, undefined, '1'],
    [{ method: 'PUT', url: 'Patient/a', ifMatch: 'W/"1"' }, undefined, 'a'],
    [{ method: 'GET', url: 'Patient/a' }, 'a', 'a'],
    [{ method: 'PUT', url: 'Observation/a' }, 'a', 'a'],
  ]) {
    const patient = { fullUrl: 'urn:uuid:1', request, resource: { resourceType: 'Patient', ...(id && { id }) } };
    const entry = [patient, observation('o', 'urn:uuid:1'), observation('p', `Patient/${expected}`)];
    const { chart, report } = await load([
      ['t.json', JSON.stringify({ resourceType: 'Bundle', type: 'batch', entry })],
    ]);
    assert.deepEqual([report.taken, report.faultCount], [3, 0], JSON.stringify(request));
    assert.equal(JSON.parse(chart.search(`Observation?patient=${expected}`)).total, 2, JSON.stringify(request));
  }
});

test('a document of any length is taken, and each line whatever ends it', async () => {
  const data = Buffer.alloc(1_600_000, 'scan').toString('base64');
  const binary = (id) => JSON.stringify({ resourceType: 'Binary', id, data });
  const lined = binary('lined').replace(/[A-Za-z0-9+/]{76}/g, '$&\\r\\n');
  for (const end of ['\n', '\r', '\r\n']) {
    const { chart, report } = await load([['scans.ndjson', `${binary('long')}${end}\ufeff${lined}${end}`]]);
    assert.deepEqual([report.taken, report.faultCount], [2, 0]);
    assert.equal(JSON.parse(chart.read('Binary', 'long')).data, data);
    assert.equal(JSON.parse(chart.read('Binary', 'lined')).data.replace(/\s/g, ''), data);
    const direct = new Chart(BASE, everything);
    assert.equal(direct.load(`${binary('long')}${end}\ufeff${lined}`, LOADED_AT).resources, 2);
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
  // The first line of a piece decides how the engine reads the piece. Some of these damaged lines begin a piece.
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

const condition = (id, patient, more = {}) => ({
  resourceType: 'Condition',
  id,
  subject: { reference: `Patient/${patient}` },
  ...more,
});
const lines = (...resources) => resources.map((one) => JSON.stringify(one)).join('\n');
const remarks = ({ remarks: all }) => all.map(({ kind, type, id, line }) => [kind, type, id, line].join(' '));

test('of a history Bundle the newest versions count, whatever their order, and deletions count', async () => {
  const meta = (version) => ({ versionId: `${version}`, lastUpdated: `2024-0${version}-01T00:00:00Z` });
  const of = (resource, method = 'PUT') => ({ resource, request: { method, url: 'x' }, response: { status: '200' } });
  const gone = (url, lastModified) => ({
    request: { method: 'DELETE', url },
    response: { status: '204', lastModified },
  });
  const entry = [
    of({ resourceType: 'Patient', id: 'p', meta: meta(3), name: [{ family: 'New' }] }),
    of({ resourceType: 'Patient', id: 'p', meta: meta(1), name: [{ family: 'Old' }] }),
    gone('Condition/deleted', '2024-06-01T00:00:00Z'),
    of(condition('deleted', 'p', { meta: meta(1) })),
    of(condition('revived', 'p', { meta: meta(7) })),
    gone('Condition/revived', '2024-06-01T00:00:00Z'),
    of(condition('equal', 'p', { meta: { lastUpdated: '2024-01-01T00:00:00Z', versionId: '10' } })),
    of(condition('equal', 'p', { meta: { lastUpdated: '2024-01-01T00:00:00Z', versionId: '9' }, note: [] })),
    {
      fullUrl: 'https://a.example/fhir/Condition/expired',
      response: { status: '410 Gone', lastModified: '2024-06-01T00:00:00Z' },
    },
    of(condition('expired', 'p', { meta: meta(1) })),
  ];
  for (const order of [entry, entry.toReversed()]) {
    const bundle = { resourceType: 'Bundle', type: 'history', entry: order };
    const { chart, report } = await load([['history.json', JSON.stringify(bundle)]]);
    assert.equal(JSON.parse(chart.read('Patient', 'p')).name[0].family, 'New');
    assert.deepEqual(chart.ids('Condition').toSorted(), ['equal', 'revived']);
    assert.equal(JSON.parse(chart.read('Condition', 'equal')).meta.versionId, '10');
    const { older, deleted } = report.remarkCounts;
    assert.ok(older >= 3 && deleted >= 2, JSON.stringify(report.remarkCounts));
    assert.equal(report.faultCount, 0);
  }
});

test('the newer version counts across files, and what was replaced is told', async () => {
  const at = (year, name) =>
    condition('c', 'p', { meta: { lastUpdated: `${year}-01-01T00:00:00Z` }, code: { text: name } });
  for (const [first, second, told] of [
    ['2024', '2023', 'older Condition c 1'],
    ['2023', '2024', 'changed Condition c 1'],
  ]) {
    const { chart, report } = await load([
      ['a.ndjson', lines(at(first, first))],
      ['b.ndjson', lines(at(second, second))],
    ]);
    assert.equal(JSON.parse(chart.read('Condition', 'c')).code.text, '2024');
    assert.deepEqual(remarks(report), [told]);
  }
  // Loading the same text again replaces nothing.
  const again = await load([
    ['a.ndjson', lines(at('2024', 'x'), at('2024', 'x'))],
    ['b.ndjson', lines(at('2024', 'x'))],
  ]);
  assert.deepEqual(again.report.remarks, []);
});

const person = (family, birthDate, more = {}) => ({
  ...{ resourceType: 'Patient', id: '1', name: [{ family, given: ['Ada'] }], birthDate },
  ...more,
});
const bundleOf = (entry) => JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry }, null, 2);
const bundle = (...all) => bundleOf(all.map((resource) => ({ resource })));
const diagnosis = (id, text, patient = '1') => condition(id, patient, { code: { text } });
/// Returns the texts of each patient's conditions, by the family name, or by the id if there is no Patient.
const charts = (chart) => {
  const absent = chart.absentPatients().map((one) => one.split(' ')[0]);
  return Object.fromEntries(
    [...chart.ids('Patient'), ...absent].map((id) => {
      const name = absent.includes(id) ? id : JSON.parse(chart.read('Patient', id)).name[0].family;
      const entries = JSON.parse(chart.search(`Condition?patient=${id}`)).entry ?? [];
      return [name, entries.map(({ resource }) => resource.code.text).toSorted()];
    }),
  );
};

test('two people of one id in one Bundle are both there, and what is unclear is of neither', async () => {
  const base = 'https://b.example/fhir';
  const urn = 'urn:uuid:0c3151bd-1cbf-4d64-b04d-cd9187a4c6e0';
  const named = (id, reference, text) => ({ ...diagnosis(id, text), subject: { reference } });
  const entry = [
    { fullUrl: urn, resource: person('Alder', '1980-04-01') },
    { fullUrl: `${base}/Patient/1`, resource: person('Birch', '1975-01-09') },
    { resource: named('c', urn, 'Alder by its urn') },
    { fullUrl: `${base}/Condition/c`, resource: named('c', 'Patient/1', 'Birch by its server') },
    { resource: named('d', `${base}/Patient/1`, 'Birch by the address') },
    { resource: named('e', 'Patient/1', 'unclear') },
    { resource: named('f', 'https://c.example/fhir/Patient/1', 'elsewhere') },
  ];
  const { chart, report } = await load([['a.json', bundleOf(entry)]]);
  assert.deepEqual(charts(chart), {
    Alder: ['Alder by its urn'],
    Birch: ['Birch by its server', 'Birch by the address'],
    '1-unclear': ['unclear'],
  });
  assert.deepEqual([report.faultCount, report.areApart], [0, true]);
});

test('of two people of one id in one file of lines, neither has the records', async () => {
  const { chart, alike } = await load([
    ['a.ndjson', lines(person('Alder', '1980-04-01'), diagnosis('c', 'Asthma'), person('Birch', '1975-01-09'))],
  ]);
  assert.deepEqual(charts(chart), { Alder: [], Birch: [], '1-unclear': ['Asthma'] });
  assert.equal(alike.length, 2);
});

test('one id of two servers is two people, and a file that names neither is of neither', async () => {
  const of = (base, family, id) => {
    const entry = (resource) => ({ fullUrl: `${base}/${resource.resourceType}/${resource.id}`, resource });
    return bundleOf([entry(person(family, '1980-04-01')), entry(diagnosis(id, `Of ${family}`))]);
  };
  const [a, b] = ['https://a.example/fhir', 'https://b.example/fhir'];
  const files = [
    ['a.json', of(a, 'Alder', 'a')],
    ['b.json', of(b, 'Birch', 'b')],
    ['c.ndjson', lines(diagnosis('x', 'Unknown'))],
  ];
  const { chart, alike } = await load(files);
  assert.deepEqual(charts(chart), { Alder: ['Of Alder'], Birch: ['Of Birch'], 1: ['Unknown'] });
  // If the user says that they are one person, their records are joined, whatever their servers.
  const [[, kept], [, other]] = alike;
  const joined = await load(files, [{ kept, other }]);
  assert.deepEqual(Object.values(charts(joined.chart)), [['Unknown'], ['Of Alder', 'Of Birch']]);
  assert.equal(joined.chart.ids('Patient').length, 1);
});

test('no record is in the chart of another person of its id, however it names its patient', async () => {
  const urn = 'urn:uuid:0c3151bd-1cbf-4d64-b04d-cd9187a4c6e0';
  const put = (url) => ({ request: { method: 'PUT', url } });
  const of = (family, reference, id = '1') => [
    person(family, family === 'Alder' ? '1980-04-01' : '1975-01-09', { id }),
    { ...diagnosis('c', `of ${family}`), subject: { reference } },
  ];
  const long = 'x'.repeat(62);
  const forms = {
    'an address': (family) => bundle(...of(family, 'Patient/1')),
    'a version': (family) => bundle(...of(family, 'Patient/1/_history/2')),
    'an escaped address': (family) => bundle(...of(family, 'Patient/1')).replace('Patient/1', 'Patient\\/1'),
    'a long id': (family) => bundle(...of(family, `Patient/${long}`, long)),
    'a name of its Bundle': (family) => {
      const [patient, record] = of(family, urn);
      return bundleOf([{ fullUrl: urn, resource: patient }, { resource: record }]);
    },
    'the address of a request': (family) => {
      const [patient, record] = of(family, 'Patient/1');
      return bundleOf([
        { ...put('Patient/1'), resource: patient },
        { ...put('Condition/c'), resource: record },
      ]);
    },
    'an address, on a line': (family) => lines(...of(family, 'Patient/1')),
  };
  const expected = { Alder: ['of Alder'], Birch: ['of Birch'] };
  for (const [name, form] of Object.entries(forms)) {
    const [one, other] = ['Alder', 'Birch'].map(form);
    const { chart, report } = await load([
      ['a.json', one],
      ['b.json', other],
    ]);
    assert.deepEqual([charts(chart), report.areApart], [expected, true], name);
    if (!one.includes('"Bundle"')) continue;
    // Two Bundles in one.
    const both = bundle(JSON.parse(one), JSON.parse(other));
    const { chart: inOne } = await load([['a.json', both]]);
    for (const [family, found] of Object.entries(charts(inOne)).filter(([family]) => Object.hasOwn(expected, family))) {
      assert.ok(
        found.every((text) => text === `of ${family}`),
        `${name}, in one Bundle: ${family} has ${found}`,
      );
    }
  }
});

test('a corrected birth date is another person until somebody says that they are one', async () => {
  const form = (birthDate, day) => person('Alder', birthDate, { meta: { lastUpdated: `2024-01-${day}T00:00:00Z` } });
  const files = [
    ['a.ndjson', lines(form('1980-04-01', '01'), diagnosis('c', 'Asthma'))],
    ['b.ndjson', lines(form('1980-04-10', '09'), diagnosis('c', 'Asthma'), diagnosis('d', 'Bunion'))],
    ['c.ndjson', lines(person('Birch', '1975-01-09', { id: '2' }), diagnosis('e', 'Croup', '2'))],
  ];
  const { chart, report, alike } = await load(files);
  assert.deepEqual([chart.ids('Patient').length, report.areApart], [3, true]);
  const [[kept, other]] = alike;
  const joined = await load(files, [{ kept, other }]);
  // Each file stays a separate source: records in both files appear twice, and no other person's records move.
  assert.deepEqual(charts(joined.chart), { Alder: ['Asthma', 'Asthma', 'Bunion'], Birch: ['Croup'] });
  assert.equal(JSON.parse(joined.chart.read('Patient', kept.patient)).birthDate, '1980-04-10');
});

test('ids that FHIR does not allow are replaced, and references find the records across files', async () => {
  const long = 'p'.repeat(112);
  const { chart, report } = await load([
    [
      'a.ndjson',
      lines(condition('c_1', long), { resourceType: 'Condition', subject: { reference: `Patient/${long}` } }),
    ],
    ['b.json', JSON.stringify({ resourceType: 'Patient', id: long })],
    ['c.ndjson', lines({ ...condition('d', long), id: 47 })],
  ]);
  const [patient] = chart.ids('Patient');
  assert.equal(patient.length, 57);
  assert.equal(JSON.parse(chart.search(`Condition?patient=${patient}`)).total, 3);
  assert.deepEqual([report.faultCount, { ...report.lost }, { ...report.remarkCounts }], [0, {}, { mended: 4 }]);
  assert.deepEqual(chart.texts(patient).trim().split('\n').length, 4);
});

test('two records of one id are both there, and deletions and contained patients are understood', async () => {
  const base = 'https://ehr.example/fhir';
  const of = (reference) => ({ subject: { reference } });
  const order = (id, subject) => ({
    resourceType: 'MedicationRequest',
    id,
    status: 'active',
    intent: 'order',
    ...of(`Patient/${subject}`),
    medicationReference: { reference: 'Medication/1' },
  });
  const drug = (text) => ({ resourceType: 'Medication', id: '1', code: { text } });
  const contained = [{ resourceType: 'Patient', id: 'x', birthDate: '1970-01-01' }];
  const gone = { request: { method: 'delete', url: `${base}/Condition/gone/_history/2` } };
  const { chart, report } = await load([
    ['a.json', bundle({ resourceType: 'Patient', id: 'a' }, drug('Warfarin'), order('1', 'a'))],
    ['b.json', bundle({ resourceType: 'Patient', id: 'b' }, drug('Aspirin'), order('1', 'b'))],
    [
      'c.ndjson',
      lines(
        { resourceType: 'Patient', id: 'a', gender: 'female' },
        { ...condition('far', 'a'), ...of(`${base}/Patient/a`) },
        { ...condition('slash', 'a'), ...of('/Patient/a/') },
        condition('gone', 'a'),
        { ...condition('own', 'a'), contained, ...of('#x') },
        { resourceType: 'Bundle', type: 'history', entry: [gone] },
      ),
    ],
  ]);
  const drugOf = (of) => {
    const patient = chart.ids('Patient').find((id) => id.startsWith(`${of}-`));
    const query = `MedicationRequest?patient=${patient}&_include=MedicationRequest:medication`;
    return JSON.parse(chart.search(query)).entry.map(({ resource }) => resource.code?.text ?? resource.id.slice(0, 1));
  };
  assert.deepEqual(
    [drugOf('a'), drugOf('b')],
    [
      ['1', 'Warfarin'],
      ['1', 'Aspirin'],
    ],
  );
  const found = JSON.parse(chart.search('Condition?patient=a')).entry.map(({ resource }) => resource.id);
  assert.deepEqual(found.toSorted(), ['far', 'slash']);
  const others = chart.ids('Patient').filter((id) => !/^[ab](-|$)/.test(id));
  assert.equal(JSON.parse(chart.search(`Condition?patient=${others}`)).total, 1);
  assert.deepEqual([report.faultCount, report.areApart, report.remarkCounts.deleted], [0, true, 1]);
});
