import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOfOnePatient, userAddress } from './user.ts';

test('the record of a user is found in an absolute or relative claim', () => {
  const address = (fhirUser?: string): string | undefined => userAddress(fhirUser === undefined ? {} : { fhirUser });
  assert.equal(address('https://x.example/fhir/r4/Patient/a-1'), 'Patient/a-1');
  assert.equal(address('Practitioner/p.2'), 'Practitioner/p.2');
  for (const none of [
    undefined,
    '',
    'Patient',
    'Patient/',
    'https://x.example/Device/d',
    'XPatient/a',
    'Patient/a/b',
  ]) {
    assert.equal(address(none), undefined, none);
  }
});

test('a session is of one patient by its user, or by the level of its scopes', () => {
  const rows: [fhirUser: string | undefined, scope: string, one: boolean][] = [
    ['Patient/a', 'patient/Patient.read', true],
    ['Patient/a', 'user/Patient.read', true],
    ['Practitioner/p', 'launch openid patient/*.rs', true],
    ['Practitioner/p', 'patient/*.rs user/Patient.rs', false],
    ['Practitioner/p', 'user/*.read', false],
    ['RelatedPerson/r', 'user/*.read', false],
    [undefined, 'launch/patient patient/Goal.read', true],
    [undefined, 'openid', false],
    [undefined, 'system/*.read', false],
  ];
  for (const [fhirUser, scope, one] of rows) {
    assert.equal(
      isOfOnePatient({ scope, ...(fhirUser === undefined ? {} : { fhirUser }) }),
      one,
      `${fhirUser} ${scope}`,
    );
  }
});
