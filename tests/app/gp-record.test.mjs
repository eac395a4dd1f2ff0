// A general practitioner's record of FHIR STU3, opened as a file: the chart is that of the same record in R4.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { loadFiles } from '../../www/src/engine/load-files.ts';
import { open } from './browser.mjs';
import { gpRecord, PATIENT } from './gp-record.mjs';
import { bundle } from './own-files.mjs';
import { compare } from './second-reading/compare.mjs';
import { factsOf } from './second-reading/facts.mjs';
import { judgeChart, openChart, openFiles, readChart } from './second-reading/page.mjs';
import { byPatient, readFiles } from './second-reading/records.mjs';

const record = gpRecord();
const [older, twins] = [0, 1].map((version) => bundle(...record.map((pair) => pair[version])));

const stage = await open();
after(() => stage.close());

test('each of 1,300 resources of STU3 is given to the engine as its twin of R4', async () => {
  assert.equal(record.length, 1_300);
  let given = [];
  const load = (text) => {
    given = JSON.parse(text).entry.map(({ resource }) => resource);
    return { resources: given.length, refused: [], unserved: {}, unresolved: 0, replaced: [] };
  };
  await loadFiles(
    () => ({ load }),
    [{ name: 'gp.json', file: new Blob([older]) }],
    '',
    () => undefined,
  );
  // R4 has no element for the organization of a requester, which stays in the record.
  const read = given.map(({ meta, onBehalfOf, ...resource }) => resource);
  assert.deepEqual(
    read,
    JSON.parse(twins).entry.map(({ resource }) => resource),
  );
});

test('a record of STU3 with 1,300 resources opens as a chart with all of them and their names', async () => {
  const { page } = await stage.visit('/#/files');
  const file = (text) => [{ name: 'gp.json', bytes: Buffer.from(text) }];
  const opened = async (text) => {
    const report = await openFiles(page, file(text));
    assert.equal(await openChart(page), true);
    const { main, notices, ...parts } = await readChart(page);
    return { report, main, notices, parts };
  };
  const wanted = await opened(twins);
  const { report, main, notices, parts } = await opened(older);
  assert.match(report, /stu3 or dstu2/);
  assert.doesNotMatch(report, /of an older fhir/);
  assert.match(notices, /nothing is missing: 1,180 records of stu3 or dstu2, read as r4/);
  assert.doesNotMatch(main, /without a name|not named|practitioner d\d|organization o\d|medication m\d/);
  assert.deepEqual(parts, wanted.parts);

  const read = readFiles(file(twins));
  const { charts, strays } = byPatient(read);
  const [[patient, records]] = charts;
  assert.equal(patient.resource.id, PATIENT);
  const facts = factsOf(patient, records, read.find);
  assert.ok(facts.length > record.length);
  const { differences } = await judgeChart(page, (chart) =>
    compare(facts, chart, { records, find: read.find, strays }),
  );
  assert.deepEqual(differences, []);
});
