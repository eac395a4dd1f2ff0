import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUnclaimed } from '#reading/fhir/unclaimed.ts';
import { withUnknownPatient } from './claim.ts';

const claimed = (resource: object): unknown => {
  const text = withUnknownPatient(JSON.stringify(resource));
  return text === undefined ? undefined : JSON.parse(text);
};

test('a record that names no patient gets one, with a mark, and keeps all that it has', () => {
  const text = '{"resourceType":"Observation","id":"o","meta":{"tag":[{"code":"x"}]},"valueQuantity":{"value":7.0}}';
  const found = withUnknownPatient(text) ?? '';
  assert.match(found, /"value":7\.0/);
  const resource = JSON.parse(found);
  assert.deepEqual(resource.subject, { reference: 'Patient/unknown' });
  assert.deepEqual(resource.meta.tag, [{ code: 'x' }, { code: 'names-no-patient' }]);
  assert.equal(isUnclaimed(resource), true);
  assert.deepEqual(claimed({ resourceType: 'Immunization', id: 'i', meta: 7 }), {
    resourceType: 'Immunization',
    id: 'i',
    meta: { tag: [{ code: 'names-no-patient' }] },
    patient: { reference: 'Patient/unknown' },
  });
});

test('a record that says something of its subject, or that need not be of a patient, stays as it is', () => {
  assert.equal(claimed({ resourceType: 'Observation', id: 'o', subject: { display: 'Eve' } }), undefined);
  assert.equal(claimed({ resourceType: 'Device', id: 'd' }), undefined);
  assert.equal(claimed({ resourceType: 'constructor', id: 'd' }), undefined);
  assert.equal(withUnknownPatient('[]'), undefined);
  assert.equal(withUnknownPatient('oops'), undefined);
});

test('the mark is found in odd records too, and others have none', () => {
  const of = (meta: unknown): boolean => isUnclaimed({ meta } as never);
  for (const meta of [undefined, 7, {}, { tag: {} }, { tag: [7, { code: 'names-no-patient', system: 'x' }] }]) {
    assert.equal(of(meta), false);
  }
  assert.equal(of({ tag: [{ code: 'names-no-patient' }] }), true);
});
