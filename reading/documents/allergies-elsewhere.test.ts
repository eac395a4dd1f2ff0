import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { allergyDenial, allergyElsewhere, isAllergyElsewhere } from './allergies-elsewhere.ts';

const condition = (code: object, more: object = {}): Resource => ({
  resourceType: 'Condition',
  id: 'c',
  ...{ code, ...more },
});
const observation = (code: string, more: object): Resource => ({
  resourceType: 'Observation',
  id: 'o',
  ...{ code: { text: code }, ...more },
});
const snomed = (code: string, display?: string) => ({ coding: [{ system: 'http://snomed.info/sct', code, display }] });
const said = (text: string) => ({ valueCodeableConcept: { text } });

const part = (text: string, valueBoolean: boolean): Resource =>
  observation('Allergies', { component: [{ code: { text }, valueBoolean }] });

/** A record, and the words for its allergy; nothing for a record without one. */
const CASES: [Resource, string | undefined][] = [
  [condition(snomed('91936005', 'Allergy to penicillin')), 'Allergy to penicillin'],
  [
    condition({ coding: [{ code: '91936005', system: 'http://snomed.info/sct' }] }),
    'code 91936005 (SNOMED CT), without a name',
  ],
  [
    condition({ text: 'Penicillin status', coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'Z88.0' }] }),
    'Penicillin status',
  ],
  [condition({ text: 'Alergia a la penicilina' }), 'Alergia a la penicilina'],
  [condition({ text: 'Penicillinallergie' }), 'Penicillinallergie'],
  [condition({ text: 'ペニシリンアレルギー' }), 'ペニシリンアレルギー'],
  [condition({ text: 'Anaphylaxis due to bee venom' }), 'Anaphylaxis due to bee venom'],
  [condition({ text: 'Shock anafiláctico por marisco' }), 'Shock anafiláctico por marisco'],
  [condition({ text: 'Anaphylactoid purpura' }), undefined],
  [condition({ text: 'No known allergies' }), undefined],
  [condition(snomed('716186003', 'No known allergy')), undefined],
  [condition({ text: 'Family history of allergy' }), undefined],
  [condition({ text: 'Exercise intolerance' }), undefined],
  [condition({ text: 'Asthma' }), undefined],
  [condition({ text: 'Allergy to nuts' }, { verificationStatus: { coding: [{ code: 'refuted' }] } }), undefined],
  [condition({ text: 'Allergy to nuts' }, { clinicalStatus: { coding: [{ code: 'resolved' }] } }), undefined],
  [observation('Allergies', said('Latex')), 'Allergies: Latex'],
  [observation('Allergies', { valueString: 'Penicillin: rash' }), 'Allergies: Penicillin: rash'],
  [observation('Finding', said('Allergy to latex')), 'Finding: Allergy to latex'],
  [observation('Allergy to latex', { valueBoolean: true }), 'Allergy to latex: yes'],
  [observation('Allergy to latex', { valueBoolean: false }), undefined],
  [observation('Allergies', said('None')), undefined],
  [observation('Allergies', said('No known allergies')), undefined],
  [observation('Allergies', { valueString: 'Ninguna' }), undefined],
  ...['N', '0', '-', 'n/a', 'Patient has none', 'Nothing known', 'Nada'].map((text): [Resource, undefined] => [
    observation('Allergies', said(text)),
    undefined,
  ]),
  [observation('Allergies', said('N-acetylcysteine')), 'Allergies: N-acetylcysteine'],
  [part('Penicillin', true), 'Allergies: Penicillin: yes'],
  [part('Penicillin', false), undefined],
  [part('None known', true), undefined],
  ...['Penicillin allergy ruled out', 'Allergy excluded: penicillin', 'Mother allergic to penicillin'].map(
    (text): [Resource, undefined] => [condition({ text }), undefined],
  ),
  [observation('Peanut allergy IgE', { valueQuantity: { value: 12 } }), undefined],
  [
    observation('Peanut allergy IgE', { ...said('Class 3'), category: [{ coding: [{ code: 'laboratory' }] }] }),
    undefined,
  ],
  [{ resourceType: 'Procedure', id: 'p', ...{ code: { text: 'Allergy test' } } }, undefined],
  [{ resourceType: 'Flag', id: 'f', ...{ code: { text: 'Allergy: nuts' } } }, 'Allergy: nuts'],
  [{ resourceType: 'Flag', id: 'f', ...{ category: [{ text: 'Allergy' }], code: { text: 'Nuts' } } }, 'Nuts'],
  [{ resourceType: 'Flag', id: 'f', ...{ status: 'inactive', code: { text: 'Allergy: nuts' } } }, undefined],
];

test('a problem that states that no allergy is known is a denial, and no other statement is', () => {
  const denial = (code: object, more: object = {}) => allergyDenial(ENGLISH, condition(code, more));
  assert.equal(denial(snomed('716186003')), 'No known allergies');
  assert.equal(denial({ text: 'No known allergies' }), 'Recorded as text: “No known allergies”');
  assert.equal(denial(snomed('160245001')), undefined);
  assert.equal(denial({ text: 'Asthma' }), undefined);
  const [refuted, negated] = [{ coding: [{ code: 'refuted' }] }, [{ url: 'urn:x', valueBoolean: true }]];
  assert.equal(denial(snomed('716186003'), { verificationStatus: refuted }), undefined);
  assert.equal(denial(snomed('716186003'), { modifierExtension: negated }), undefined);
});

test('allergies are found in problems, alerts and observations that stand', () => {
  for (const [record, says] of CASES) {
    const found = isAllergyElsewhere(record) ? allergyElsewhere(ENGLISH, record) : undefined;
    assert.equal(found?.toLowerCase(), says?.toLowerCase(), JSON.stringify(record));
  }
});
