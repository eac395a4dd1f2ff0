import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '#reading/fhir/types.ts';
import type { SearchResult } from './source.ts';
import { isOfAnother, withoutOthers } from './whose.ts';

/** A record, and whether it belongs to a patient other than `a`. */
const CASES: [object, boolean][] = [
  [{ subject: { reference: 'Patient/a' } }, false],
  [{ patient: { reference: 'https://x.example/fhir/Patient/a/_history/2' } }, false],
  [{ subject: { reference: 'Patient/b' } }, true],
  [{ patient: { reference: 'https://x.example/fhir/Patient/b' } }, true],
  [{ subject: { reference: 'Patient/ab' } }, true],
  [{ subject: { reference: 'Group/b' } }, false],
  [{ subject: { reference: '#b' } }, false],
  [{ subject: { reference: 'urn:uuid:b' } }, false],
  [{ subject: { identifier: { value: 'b' } } }, false],
  [{ subject: { reference: 3 } }, false],
  [{ subject: 'Patient/b' }, false],
  [{}, false],
];
for (const [record, wanted] of CASES) {
  test(`${JSON.stringify(record)} is ${wanted ? '' : 'not '}of another patient`, () => {
    assert.equal(isOfAnother(record, 'a'), wanted);
  });
}

test('records of others are left out of an answer, and counted', () => {
  const of = (id: string) =>
    ({ resourceType: 'Goal', id, subject: { reference: `Patient/${id}` } }) as unknown as Resource;
  const found = { matches: [of('a'), of('b')], included: [of('c')] } as unknown as SearchResult;
  assert.deepEqual(withoutOthers(found, 'a'), { matches: [of('a')], included: [], ofOthers: 2 });
  const own = { matches: [of('a')], included: [] } as unknown as SearchResult;
  assert.equal(withoutOthers(own, 'a'), own);
});
