import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayBeWrapped, unwrapped } from './wrapped.ts';

const P = { resourceType: 'Patient', id: 'p', contained: [{ resourceType: 'Organization', id: 'o' }] };
const C = { resourceType: 'Condition', id: 'c', note: [{ text: '"}]{ \\" {"resourceType":"x"}' }] };
const bundle = { resourceType: 'Bundle', entry: [{ resource: C }] };

/** Returns the resources of a document that wraps them, written compactly and with indentation. */
function resourcesIn(document: unknown): unknown[] | undefined {
  const [short, long] = [0, 2].map((indent) => {
    const text = JSON.stringify(document, null, indent);
    const made = unwrapped(text);
    if (made === undefined) return undefined;
    assert.ok(mayBeWrapped(text));
    assert.equal(unwrapped(made), undefined, 'it is a Bundle now');
    return JSON.parse(made).entry.map(({ resource }: { resource: unknown }) => resource);
  });
  assert.deepEqual(short, long);
  return short;
}

test('lists, Parameters and objects of resources are Bundles of them', () => {
  assert.deepEqual(resourcesIn([P, C]), [P, C]);
  assert.deepEqual(resourcesIn([bundle]), [bundle]);
  assert.deepEqual(resourcesIn({ patient: P, conditions: [C, C], more: { deep: [[C]] } }), [P, C, C, C]);
  const parameter = [{ name: 'a', resource: P }, { name: 'b', part: [{ resource: C }] }, { valueString: 'x' }];
  assert.deepEqual(resourcesIn({ resourceType: 'Parameters', parameter }), [P, C]);
  assert.deepEqual(resourcesIn({ parameter, resourceType: 'Parameters' }), [P, C]);
  assert.deepEqual(resourcesIn({ entry: [{ resource: P }] }), [P], 'a Bundle that does not say so');
});

test('a resource is none of them, wherever its type stands, and neither is what has no resource', () => {
  const { resourceType, ...rest } = C;
  for (const one of [P, C, bundle, { ...rest, resourceType }, {}, [], [1, 'a'], { a: { b: 1 } }]) {
    assert.equal(resourcesIn(one), undefined, JSON.stringify(one));
  }
  assert.equal(resourcesIn({ id: 'p', contained: [C] }), undefined, 'what is contained is no record');
  for (const text of ['', '[', `[${JSON.stringify(P)}`, ']]', `[${JSON.stringify(P)}][]`, 'oops']) {
    assert.equal(unwrapped(text), undefined, text);
  }
});

test('the text of each resource stays as it is', () => {
  const text = '[ {"resourceType":"Observation","valueQuantity":{"value":1.0}} ]';
  assert.match(unwrapped(text) ?? '', /"value":1\.0\}/);
});

test('a line that begins as a resource is not looked at further', () => {
  assert.equal(mayBeWrapped('{"resourceType":"Patient"}\n\n{ "resourceType" : "Bundle"}\noops\n'), false);
  assert.equal(mayBeWrapped('{"resourceType":"Patient"}\n [{"resourceType":"Patient"}]'), true);
});
