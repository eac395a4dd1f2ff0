import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGLISH } from '../language/words.ts';
import { meaningOf } from '../records/meaning.ts';
import { referredTo } from '../records/reasons.ts';
import { factsOf } from './facts.ts';
import { compact, parsed } from './json.ts';
import { namedBy, withNames } from './reference-names.ts';
import { reference } from './text.ts';
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
  assert.equal(who([practitioner], '#2'), 'Record, not named here');
  assert.equal(who([7, null, { id: 7 }, { resourceType: 'Practitioner', id: '1', name: 7 }], '#1'), '7');
  assert.equal(who('x', '#1'), 'Record, not named here');
  const loop: { reference: string; inner?: unknown } = { reference: '#1' };
  loop.inner = { inner: { reference: '#1' } };
  assert.equal(who([practitioner, loop], '#1'), 'Inés Ríos');
});

test('what is in the record of another person, or is no plain fact, is named with words for that', () => {
  const subject = { reference: 'Patient/mum' };
  const visit = { resourceType: 'Encounter' as const, id: 'e', subject: { reference: 'Patient/p' } };
  const records: Resource[] = [
    { resourceType: 'Patient', id: 'mum', ...{ name: [{ text: 'Ana Ríos' }] } },
    { resourceType: 'Condition', id: 'm', ...{ subject, code: { text: 'Eclampsia' } } },
    { resourceType: 'Condition', id: 'p', ...{ subject: visit.subject, code: { text: 'Jaundice' } } },
    { resourceType: 'Procedure', id: 'x', ...{ status: 'not-done', code: { text: 'Biopsy' } } },
  ];
  const find = (address: string) => records.find((one) => `${one.resourceType}/${one.id}` === address);
  const named = (id: string, type = 'Condition') => [
    referredTo(ENGLISH, { reference: `${type}/${id}` }, { find }, visit),
    reference(ENGLISH, namedBy(records)({ ...visit, partOf: { reference: `${type}/${id}` } }).partOf),
  ];
  assert.deepEqual(named('m'), ['Eclampsia (about: Ana Ríos)', 'Eclampsia (about: Ana Ríos)']);
  assert.deepEqual(named('p'), ['Jaundice', 'Jaundice']);
  assert.deepEqual(named('x', 'Procedure'), ['Biopsy (not done)', 'Biopsy (not done)']);
});

test('a reference without a display has the name of its target, whatever the type', () => {
  const records: Record<string, object> = {
    'Practitioner/d': { ...practitioner, id: 'd' },
    'Organization/o': { resourceType: 'Organization', id: 'o', name: 'Ward 7' },
    'PractitionerRole/r': {
      resourceType: 'PractitionerRole',
      id: 'r',
      practitioner: { reference: 'Practitioner/d' },
      organization: { reference: 'Organization/o' },
    },
    'PractitionerRole/alone': { resourceType: 'PractitionerRole', id: 'alone', code: [{ text: 'Midwife' }] },
    'PractitionerRole/loop': { resourceType: 'PractitionerRole', practitioner: { reference: 'PractitionerRole/loop' } },
    'Location/l': { resourceType: 'Location', id: 'l', name: 'Room 3' },
    'Device/v': { resourceType: 'Device', id: 'v', deviceName: [{ name: 'Pump' }] },
    'MedicationRequest/o': {
      ...{ resourceType: 'MedicationRequest', id: 'o', medicationCodeableConcept: { text: 'Amoxicillin' } },
      status: 'active',
    },
    'MedicationRequest/b': { resourceType: 'MedicationRequest', medicationReference: { reference: 'Medication/w' } },
    'Medication/w': { resourceType: 'Medication', id: 'w', code: { text: 'Warfarin' } },
    'DeviceRequest/w': { resourceType: 'DeviceRequest', codeReference: { reference: 'Device/v' } },
    'Consent/c': { resourceType: 'Consent', category: [{ text: 'Do not resuscitate' }] },
    'RelatedPerson/m': { resourceType: 'RelatedPerson', id: 'm', relationship: [{ text: 'Mother' }] },
    'Practitioner/0b1c2d3e-0000-4000-8000-000000000000': { resourceType: 'Practitioner', id: 'x' },
  };
  const named = (to: object): string | undefined => {
    const order: Resource = { resourceType: 'ServiceRequest', id: 's', ...{ requester: to } };
    return meaningOf(
      ENGLISH,
      withNames(order, ({ reference = '' }) => records[reference]),
    ).who;
  };
  const [by, _display] = ['Practitioner/d', { extension: [] }];
  for (const display of ['', ' ']) assert.equal(named({ reference: by, display }), 'Inés Ríos');
  assert.equal(named({ reference: by, _display }), 'Inés Ríos');
  const cases: [string, string][] = [
    ['Practitioner/d', 'Inés Ríos'],
    ['PractitionerRole/r', 'Inés Ríos, Ward 7'],
    ['PractitionerRole/alone', 'Midwife'],
    ['PractitionerRole/loop', 'Practitioner role loop'],
    ['Location/l', 'Room 3'],
    ['Device/v', 'Pump'],
    ['DeviceRequest/w', 'Pump'],
    ['Consent/c', 'Do not resuscitate'],
    ['RelatedPerson/m', 'Mother'],
    ['MedicationRequest/o', 'Amoxicillin'],
    ['MedicationRequest/b', 'Warfarin'],
    ['Practitioner/unknown', 'Practitioner unknown'],
    ['Practitioner/0b1c2d3e-0000-4000-8000-000000000000', 'Practitioner without a name'],
    ['Practitioner/0b1c2d3e-0000-4000-8000-000000000001', 'Practitioner, not named here'],
  ];
  for (const [reference, says] of cases) assert.equal(named({ reference }), says);
  assert.equal(named({ reference: 'Practitioner/d', display: 'Dr. Who' }), 'Dr. Who');
  const uuid = 'urn:uuid:0b1c2d3e-0000-4000-8000-000000000001';
  assert.equal(named({ reference: uuid, type: 'Practitioner' }), 'Practitioner, not named here');
});

test('a record keeps the digits of its numbers beside names, and is the same without any', () => {
  const given = parsed(
    '{"resourceType":"Observation","id":"o","performer":[{"reference":"Practitioner/d"}],' +
      '"valueQuantity":{"value":7.0}}',
  ) as Resource;
  const named = withNames(given, () => practitioner);
  assert.equal(meaningOf(ENGLISH, named).who, 'Inés Ríos');
  assert.equal(compact(named), compact(given));
  assert.match(compact(named), /7\.0/);
  assert.equal(withNames(given), given);
});

test('a reference is named by a record of the same source, and an absolute one by none', () => {
  const name = namedBy([{ resourceType: 'Practitioner', id: 'p', name: [{ text: 'Ada Lind' }] } as Resource]);
  for (const [to, expected] of [
    ['Practitioner/p', 'Ada Lind'],
    ['Practitioner/p/_history/2', 'Ada Lind'],
    ['https://elsewhere.example/Practitioner/p', undefined],
  ]) {
    const { performer } = name({ performer: { reference: to } });
    assert.equal(factsOf(performer).name?.(ENGLISH), expected, to);
  }
});
