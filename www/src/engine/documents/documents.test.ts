import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locate } from '../locate.ts';
import { documentsOf, lineOf, resourcesIn } from './documents.ts';
import { ParsedPiece } from './parsed-piece.ts';

const inner = { resourceType: 'Bundle', entry: [{ resource: { resourceType: 'Condition', id: 'c' } }] };
const bundle = {
  resourceType: 'Bundle',
  entry: [
    { fullUrl: 'https://a/Patient/p', resource: { resourceType: 'Patient', id: 'p' } },
    { request: { method: 'DELETE', url: 'Goal/g' } },
    { resource: inner },
    null,
    { response: {} },
    { resource: 'odd' },
  ],
};

test('the resources of a document have the places that the engine names', () => {
  const found = [...resourcesIn(bundle)].map(({ type, id, place, fullUrl }) => [type, id, place, fullUrl]);
  assert.deepEqual(found, [
    ['Patient', 'p', 'Bundle.entry[0]', 'https://a/Patient/p'],
    ['Goal', 'g', 'Bundle.entry[1]', ''],
    ['Condition', 'c', 'Bundle.entry[2].resource.entry[0]', ''],
  ]);
  const piece = new ParsedPiece({ text: JSON.stringify(bundle), before: 0, byLine: false });
  assert.equal(piece.at({ place: 'Bundle.entry[2].resource.entry[0]' })?.id, 'c');
  assert.equal(piece.at({ place: 'Bundle.entry[9]' }), undefined);
  for (const odd of [null, 7, [], { resourceType: 'Bundle' }, { resourceType: 'Bundle', entry: {} }]) {
    assert.deepEqual([...resourcesIn(odd)], []);
  }
  const deep = Array.from({ length: 100 }).reduce<object>((all) => ({ ...bundle, entry: [{ resource: all }] }), inner);
  assert.deepEqual([...resourcesIn(deep)], []);
});

test('the line of a resource is that of its document, or of its id in a document of several lines', () => {
  const [, second] = documentsOf({ text: '{}\n{"id":"x"}', before: 10, byLine: true });
  assert.deepEqual([second?.text, second && lineOf(second, { id: 'x', place: '' })], ['{"id":"x"}', 12]);
  const document = { text: JSON.stringify(bundle, null, 1), before: 0 };
  const line = lineOf(document, { id: 'c', place: 'Bundle.entry[2].resource.entry[0]' });
  assert.match(document.text.split('\n')[line - 1] ?? '', /"id": "c"/);
});

test('records are found again in their files', async () => {
  const files = [
    { name: 'a.ndjson', file: new Blob(['oops\n', JSON.stringify({ resourceType: 'Goal', id: 'a b' }), '\n']) },
    { name: 'b.xml', file: new Blob(['<x/>']) },
    { name: 'c.json', file: new Blob([JSON.stringify(bundle)]) },
  ];
  const [goal, condition] = await locate(files, ['Condition/c', 'Goal/a-b-9d3b1c3a7a0ee4a5', 'Patient/none']).then(
    (found) => [found.find(({ file }) => file === 'a.ndjson'), found.find(({ file }) => file === 'c.json')],
  );
  assert.equal(goal, undefined, 'another id');
  assert.deepEqual(condition, {
    address: 'Condition/c',
    file: 'c.json',
    line: 1,
    place: 'Bundle.entry[2].resource.entry[0]',
  });
  const { legalId } = await import('./ids.ts');
  const [found] = await locate(files, [`Goal/${legalId('a b')}`]);
  assert.deepEqual([found?.file, found?.line], ['a.ndjson', 2]);
});
