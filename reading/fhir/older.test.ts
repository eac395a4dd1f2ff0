import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isOlder, isOlderType } from './older.ts';

test('a resource of DSTU2 or STU3 is known by its type, by elements that R4 has otherwise, and by its profile', () => {
  const text = { text: 'Penicillin' };
  const active = { coding: [{ code: 'active' }] };
  const to = { reference: 'Patient/a' };
  const older: [string, object][] = [
    ['MedicationOrder', {}],
    ['DiagnosticOrder', {}],
    ['ProcedureRequest', {}],
    ['AllergyIntolerance', { substance: text, patient: to }],
    ['AllergyIntolerance', { code: text, clinicalStatus: 'active' }],
    ['AllergyIntolerance', { code: text, assertedDate: '2016' }],
    ['Condition', { code: text, patient: to }],
    ['Condition', { code: text, subject: to, clinicalStatus: 'active' }],
    ['Condition', { code: text, subject: to, dateRecorded: '2014' }],
    ['Immunization', { vaccineCode: text, notGiven: true }],
    ['Immunization', { vaccineCode: text, date: '2014' }],
    ['MedicationRequest', { requester: { agent: to } }],
    ['Procedure', { notPerformed: true }],
    ['MedicationStatement', { subject: to, taken: 'n' }],
    ['MedicationStatement', { patient: to, wasNotTaken: true }],
    ['MedicationAdministration', { subject: to, notGiven: true }],
    ['Goal', { status: 'in-progress' }],
    ['Encounter', { class: 'inpatient' }],
    ['Patient', { name: [{ family: ['Okafor'] }] }],
    ['CareTeam', { participant: [{}, { role: text }] }],
    ['MedicationStatement', { subject: to, taken: 'n' }],
    ['MedicationStatement', { patient: to, wasNotTaken: true }],
    ['MedicationAdministration', { subject: to, notGiven: true }],
    ['AdverseEvent', { subject: to, category: 'AE' }],
    ['Appointment', { reason: [text] }],
    ['ClinicalImpression', { patient: to }],
    ['Communication', { notDone: true }],
    ['Consent', { except: [] }],
    ['DeviceUseStatement', { subject: to, whenUsed: {} }],
    ['FamilyMemberHistory', { patient: to, notDone: true }],
    ['Flag', { subject: to, category: text }],
    ['ImagingStudy', { patient: to }],
    [
      'Observation',
      { meta: { profile: ['http://fhir.org/guides/argonaut/StructureDefinition/argo-observationresults'] } },
    ],
    ['Observation', { meta: { profile: ['https://fhir.nhs.uk/STU3/StructureDefinition/CareConnect-Observation-1'] } }],
  ];
  for (const [resourceType, members] of older) {
    assert.equal(isOlder({ resourceType, id: 'x', ...members }), true, `${resourceType} ${JSON.stringify(members)}`);
  }
  const current: [string, object][] = [
    ['AllergyIntolerance', { code: text, substance: text, clinicalStatus: active, recordedDate: '2016' }],
    ['Condition', { subject: to, patient: to, clinicalStatus: active, category: [text] }],
    ['Immunization', { occurrenceDateTime: '2014', date: '2014' }],
    ['Goal', { lifecycleStatus: 'active', status: 'active' }],
    ['Encounter', { class: { code: 'IMP' } }],
    ['Patient', { name: [{ family: 'Okafor' }], animal: null }],
    ['Observation', { meta: { profile: ['http://hl7.org/fhir/us/core/StructureDefinition/us-core-observation-lab'] } }],
    ['constructor', { status: 'x' }],
    ['MedicationStatement', {}],
    ['MedicationStatement', { subject: to, status: 'not-taken' }],
    ['MedicationAdministration', { subject: to, status: 'not-done' }],
    ['Flag', { subject: to, category: [text] }],
    ['ImagingStudy', { subject: to }],
    ['FamilyMemberHistory', { patient: to }],
  ];
  for (const [resourceType, members] of current) {
    assert.equal(isOlder({ resourceType, id: 'x', ...members }), false, `${resourceType} ${JSON.stringify(members)}`);
  }
  for (const odd of [undefined, null, 'Condition', [], { resourceType: 7 }]) assert.equal(isOlder(odd), false);
  assert.equal(isOlderType('constructor'), false);
});

test('nothing of the sample is of an older FHIR', () => {
  for (const name of readdirSync('sample').filter((one) => one.endsWith('.ndjson'))) {
    const lines = readFileSync(`sample/${name}`, 'utf8').split('\n').filter(Boolean);
    assert.deepEqual(
      lines.filter((line) => isOlder(JSON.parse(line))),
      [],
      name,
    );
  }
});
