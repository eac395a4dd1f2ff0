import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGLISH } from '../language/words.ts';
import { meaningOf } from '../records/meaning.ts';
import { withNames } from './contained-names.ts';
import type { Resource } from './types.ts';

const who = (contained: unknown, reference: string): string | undefined => {
  const order: Resource = { resourceType: 'ServiceRequest', id: 's', ...{ contained, requester: { reference } } };
  return meaningOf(ENGLISH, withNames(order)).who;
};

const practitioner = { resourceType: 'Practitioner', id: '1', name: [{ given: ['Inés'], family: 'Ríos' }] };

test('a reference to what a record contains has its name', () => {
  assert.equal(who([practitioner], '#1'), 'Inés Ríos');
  assert.equal(who([{ ...practitioner, id: '#1' }], '#1'), 'Inés Ríos');
  assert.equal(who([{ resourceType: 'Organization', id: 'o', name: 'Ward 7' }], '#o'), 'Ward 7');
  const role = { resourceType: 'PractitionerRole', id: 'r', practitioner: { reference: '#1' } };
  assert.equal(who([role, practitioner], '#r'), 'Inés Ríos');
  assert.equal(who([{ ...role, practitioner: { display: 'Dr. Who' } }], '#r'), 'Dr. Who');
});

test('a reference to nothing, and odd contained resources, throw nothing', () => {
  assert.equal(who([practitioner], '#2'), 'Record without a name');
  assert.equal(who([7, null, { id: 7 }, { resourceType: 'Practitioner', id: '1', name: 7 }], '#1'), '7');
  assert.equal(who('x', '#1'), 'Record without a name');
  const loop: { reference: string; inner?: unknown } = { reference: '#1' };
  loop.inner = { inner: { reference: '#1' } };
  assert.equal(who([practitioner, loop], '#1'), 'Inés Ríos');
});
