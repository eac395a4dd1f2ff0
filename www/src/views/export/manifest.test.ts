import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isShaped } from '#reading/shape.ts';
import { filesOf, isOfOrigin, linesOf, type Manifest, manifest, sumOf } from './manifest.ts';

const at = (number: number): string => `https://x.example/fhir/r4/$export-file/a/${number}.ndjson`;
const complete: Manifest = {
  transactionTime: '2026-11-26T08:30:15Z',
  requiresAccessToken: true,
  output: [
    { type: 'Patient', url: at(0), count: 2 },
    { type: 'Observation', url: at(1), count: 3 },
    { type: 'Observation', url: at(2), count: 4 },
  ],
  deleted: [{ type: 'Bundle', url: at(3), count: 1 }],
  error: [{ type: 'OperationOutcome', url: at(4), count: 1 }],
};

test('the files are numbered by type: resources, deletions, errors', () => {
  const files = filesOf(complete);
  assert.deepEqual(
    files.map(({ kind, name, part }) => `${kind} ${name} ${part}`),
    [
      'output Patient-1.ndjson 1',
      'output Observation-1.ndjson 1',
      'output Observation-2.ndjson 2',
      'deleted Bundle-1.ndjson 1',
      'error OperationOutcome-1.ndjson 1',
    ],
  );
  assert.equal(sumOf(files.slice(0, 3)), 9);
});

test('a file without a type has a name, and without a count there is no sum', () => {
  const files = filesOf({ ...complete, output: [{ url: at(0) }], deleted: [] });
  assert.equal(files[0]?.name, 'Resource-1.ndjson');
  assert.equal(sumOf(files), undefined);
  assert.equal(sumOf([]), 0);
});

test('what is no manifest is refused, and what it has besides is let through', () => {
  assert.ok(isShaped(manifest, { ...complete, extension: {} }));
  const { error, ...without } = complete;
  for (const wrong of [without, { ...complete, output: {} }, { ...complete, output: [{ type: 'Patient' }] }, null]) {
    assert.ok(!isShaped(manifest, wrong));
  }
});

test('an address of another origin is seen, and so is one that is none', () => {
  assert.equal(isOfOrigin([{ url: at(1) }, { url: at(2) }], 'https://x.example'), true);
  for (const url of ['https://y.example/1.ndjson', 'http://x.example/1.ndjson', 'https://x.example.org/1', '/1.ndjson'])
    assert.equal(isOfOrigin([{ url: at(1) }, { url }], 'https://x.example'), false, url);
});

test('lines are counted, the last one also without its line break', () => {
  assert.deepEqual(['', '{}\n{}\n{}\n', '{}\n{}'].map(linesOf), [0, 3, 2]);
});
