import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choiceOf, isRecordsFile } from './choice.ts';

test('in folders, files of records are known by their names', () => {
  for (const name of ['a.json', 'Patient.ndjson', 'x.NDJSON.gz', 'b.jsonl', 'all.gz', 'c.fhir.json']) {
    assert.equal(isRecordsFile(name), true, name);
  }
  for (const name of ['.DS_Store', '._a.json', 'scan.pdf', 'readme', 'json', 'a.json.bak']) {
    assert.equal(isRecordsFile(name), false, name);
  }
});

test('a file that was chosen itself is read, other files of a folder are counted, and all are in order', () => {
  const file = new Blob([]);
  const choice = choiceOf([
    { name: 'export/p10.ndjson', file, isOfFolder: true },
    { name: 'export/p2.ndjson', file, isOfFolder: true },
    { name: 'export/cover.png', file, isOfFolder: true },
    { name: 'download', file, isOfFolder: false },
  ]);
  assert.deepEqual(
    choice.files.map(({ name }) => name),
    ['download', 'export/p2.ndjson', 'export/p10.ndjson'],
  );
  assert.equal(choice.leftOut, 1);
});
