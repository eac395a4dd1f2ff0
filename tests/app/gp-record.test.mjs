// A general practitioner's record of FHIR STU3, opened as a file: the chart is that of the same record in R4.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { loadFiles } from '../../www/src/engine/load-files.ts';
import { open } from './browser.mjs';
import { gpRecord, PATIENT } from './gp-record.mjs';
import { bundle } from './own-files.mjs';
import { compare } from './second-reading/compare.mjs';
import { factsOf } from './second-reading/facts.mjs';
import { judgeChart, openChart, openFiles } from './second-reading/page.mjs';
import { readPlaces } from './second-reading/places.mjs';
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

test('a record of STU3 with 1,300 resources opens as a chart with all of them, their meaning and their names', async () => {
  const { person, page } = await stage.visit('/#/files');
  const file = (text) => [{ name: 'gp.json', bytes: Buffer.from(text) }];
  const report = await openFiles(page, file(older));
  assert.match(report, /stu3 or dstu2/);
  assert.doesNotMatch(report, /of an older fhir|unknown type/);
  assert.equal(await openChart(page), true);
  assert.match(await page.locator('.chart-notice').textContent(), /1,\d{3} records of STU3 or DSTU2, read as R4/);
  const read = readFiles(file(twins));
  const { charts, strays } = byPatient(read);
  const [[patient, records]] = charts;
  assert.equal(patient.resource.id, PATIENT);
  const facts = factsOf(patient, records, read.find);
  const { differences } = await judgeChart(page, (chart) =>
    compare(facts, chart, { records, find: read.find, strays }),
  );
  assert.deepEqual(differences, []);
  const said = await page.locator('main').textContent();
  assert.doesNotMatch(said, /without a name|not named|Practitioner d\d|Organization o\d|Medication m\d/);
  const evenly = (n) => Array.from({ length: n }, (_, i) => i / n);
  const places = await readPlaces(page, patient, records, read.find, evenly, { opened: 30, words: 12 });
  assert.deepEqual(places.differences, []);
  await person.close();
});
