import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourcesIn } from '../documents/documents.ts';
import { entrySpans } from './entry-spans.ts';

test('entries are found in the text, also in Bundles in Bundles, whatever their strings have', () => {
  const tricky = {
    resourceType: 'Condition',
    id: 'c',
    note: [{ text: '"}]},{ \\" \\\\' }],
    entry: [{ a: [1, 2] }, []],
  };
  const inner = { resourceType: 'Bundle', entry: [{ resource: tricky }, { resource: { resourceType: 'Goal' } }] };
  const bundle = {
    resourceType: 'Bundle',
    link: [{ relation: 'self', entry: [{}] }],
    entry: [{ fullUrl: 'urn:x', resource: tricky }, { resource: inner }, 7, { request: { method: 'DELETE' } }],
  };
  for (const indent of [0, 2]) {
    const text = JSON.stringify(bundle, null, indent);
    const spans = entrySpans(text);
    const placed = [...resourcesIn(bundle)].filter(({ place }) => place !== '');
    assert.ok(placed.length >= 3);
    for (const { place, resource } of placed) {
      const [start, end] = spans.get(place) ?? [0, 0];
      const entry = JSON.parse(text.slice(start, end));
      assert.deepEqual(entry.resource ?? entry.request, resource, place);
    }
    const [start, end] = spans.get('Bundle.entry[3]') ?? [0, 0];
    assert.deepEqual(JSON.parse(text.slice(start, end)), { request: { method: 'DELETE' } });
  }
});

test('a text that breaks off, and one that is no object, have the spans that are whole', () => {
  assert.deepEqual([...entrySpans('{"entry":[{"a":1},{"b":"')], [['Bundle.entry[0]', [10, 17]]]);
  for (const text of ['', '7', '"a', '[{"entry":[{}]}]', '}}]']) assert.equal(entrySpans(text).size, 0, text);
});
