import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MEDICATION, NO_MEDICATION } from '../fhir/absence.cases.ts';
import type { Resource } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { type DrugRecord, isNoMedication, isNothingKnown, medication } from './medication.ts';

const statement = (elements: object): DrugRecord => ({ resourceType: 'MedicationStatement', id: 's', ...elements });
const named = (elements: object, ...included: object[]): string =>
  medication(ENGLISH, statement(elements), included as Resource[]).replaceAll('\u00a0', ' ');

test('a medication is named by its code, a contained or included resource, its display, or its address', () => {
  const code = { text: 'Insulin glargine' };
  const medicationReference = { reference: 'Medication/a' };
  assert.equal(named({ medicationCodeableConcept: code }), 'Insulin glargine');
  assert.equal(named({ medicationReference }, { resourceType: 'Medication', id: 'a', code }), 'Insulin glargine');
  assert.equal(
    named(
      { medicationReference: { reference: 'https://x.example/fhir/Medication/a/_history/2' } },
      { resourceType: 'Medication', id: 'a', code },
    ),
    'Insulin glargine',
  );
  const contained = [{ resourceType: 'Medication', id: 'm', code }];
  assert.equal(named({ medicationReference: { reference: '#m' }, contained }), 'Insulin glargine');
  const signed = [{ resourceType: 'Medication', id: '#m', code }];
  assert.equal(named({ medicationReference: { reference: '#m' }, contained: signed }), 'Insulin glargine');
  assert.equal(named({ medicationReference: { ...medicationReference, display: 'Lantus' } }), 'Lantus');
  assert.equal(named({ medicationReference }), 'Medication not named (Medication/a)');
  const byIdentifier = (system: string) => ({ medicationReference: { identifier: { system, value: '4711' } } });
  const known = { resourceType: 'Medication', id: 'i', code, identifier: [{ system: 'urn:a', value: '4711' }] };
  assert.equal(named(byIdentifier('urn:a'), known), 'Insulin glargine');
  assert.equal(named(byIdentifier('urn:b'), known), 'Medication not named (4711)');
  assert.equal(
    named({ medicationReference: {} }, { resourceType: 'Medication', id: '', code }),
    'Medication not named',
  );
  assert.equal(named({}), 'Medication not named');
  const kit = { resourceType: 'Medication', id: 'a', ingredient: [{ itemReference: { reference: 'Medication/b' } }] };
  assert.equal(named({ medicationReference }, kit, { resourceType: 'Medication', id: 'b', code }), 'Insulin glargine');
  assert.equal(
    named({ medicationReference }, { resourceType: 'Medication', id: 'a', code, status: 'entered-in-error' }),
    'Insulin glargine (this medication was entered in error)',
  );
  const modifierExtension = [{ url: 'urn:x/negated', valueBoolean: true }];
  const changed = { resourceType: 'Medication', id: 'm', code, modifierExtension };
  for (const reference of ['#m', 'Medication/m'])
    assert.equal(
      named({ medicationReference: { reference }, contained: [changed] }, changed),
      'Insulin glargine (changed by something not understood: negated: true)',
    );
});

test('a medication in the form of R5 is named by its concept or its reference', () => {
  assert.equal(named({ medication: { concept: { text: 'Metformin' } } }), 'Metformin');
  const resource = { resourceType: 'Medication', id: 'a', code: { text: 'Lantus' } };
  assert.equal(named({ medication: { reference: { reference: 'Medication/a' } } }, resource), 'Lantus');
  assert.equal(named({ medication: { reference: { display: 'Aspirin' } } }), 'Aspirin');
  for (const medication of ['x', null, [], { concept: 'x' }, { reference: 1 }])
    assert.equal(named({ medication }), 'Medication not named');
});

test('no medication is said by a code, or by a whole text in a language of the app', () => {
  const of = (text: string): boolean => isNoMedication(statement({ medicationCodeableConcept: { text } }));
  assert.deepEqual([...NO_MEDICATION, ...MEDICATION].filter(of), NO_MEDICATION);
  assert.equal(isNothingKnown(statement({ medicationCodeableConcept: { text: 'Unknown medications' } })), true);
  assert.equal(isNothingKnown(statement({ medicationCodeableConcept: { text: 'No current medications' } })), false);
  const coded = (text: string) => isNoMedication(statement({ medicationCodeableConcept: { text, coding: NONE } }));
  const NONE = [{ code: 'no-known-medications', display: 'Sin medicación (IPS)' }];
  assert.deepEqual(['Aspirin', 'Nil', 'sin medicación (IPS)'].map(coded), [false, true, true], 'a text beside a code');
});

test('form and strength stand behind the name that does not say them', () => {
  const of = (elements: object): string =>
    named({ medicationReference: { reference: 'Medication/a' } }, { resourceType: 'Medication', id: 'a', ...elements });
  const strength = (value: number, unit: string, of: object = { value: 1, unit: 'tablet' }): object => ({
    strength: { numerator: { value, unit }, denominator: of },
  });
  const form = { text: 'Tablet' };
  assert.equal(
    of({ code: { text: 'Metformin' }, form, ingredient: [strength(500, 'mg')] }),
    'Metformin (Tablet, 500 mg/tablet)',
  );
  assert.equal(
    of({ code: { text: 'Metformin 500 mg tablet' }, form, ingredient: [strength(500, 'mg')] }),
    'Metformin 500 mg tablet',
  );
  assert.equal(
    of({ code: { text: 'Amoxicillin' }, ingredient: [strength(250, 'mg', { value: 5, unit: 'mL' })] }),
    'Amoxicillin (250 mg/5 mL)',
  );
  assert.equal(
    of({ code: { text: 'Amlodipine 10 mg' }, ingredient: [strength(1, 'mg')] }),
    'Amlodipine 10 mg (1 mg/tablet)',
    'a part of a number is not the number',
  );
  const part = (text: string, value: number): object => ({
    itemCodeableConcept: { text },
    ...strength(value, 'mg', {}),
  });
  assert.equal(
    of({ code: { text: 'Co-amoxiclav' }, ingredient: [part('amoxicillin', 500), part('clavulanate', 125)] }),
    'Co-amoxiclav (amoxicillin 500 mg, clavulanate 125 mg)',
  );
  assert.equal(
    of({ ingredient: [part('amoxicillin', 500), part('clavulanate', 125)] }),
    'amoxicillin + clavulanate (amoxicillin 500 mg, clavulanate 125 mg)',
  );
  for (const odd of [null, 'x', 7, [], {}, [null], [{ strength: 'x' }]]) {
    assert.equal(of({ code: { text: 'A' }, form: odd, ingredient: odd }), 'A');
  }
});

test('a record that stands for no medication is none', () => {
  const none = (code: string): boolean =>
    isNoMedication(statement({ medicationCodeableConcept: { coding: [{ code }] } }));
  assert.deepEqual(['no-known-medications', 'no-medication-info', '787481004', '11289'].map(none), [
    true,
    true,
    true,
    false,
  ]);
  assert.equal(isNoMedication(statement({ medicationCodeableConcept: { text: 'no-known-medications' } })), false);
});

test('an ingredient without an effect does not name a medication, and one that is contained does', () => {
  const contained = [
    {
      resourceType: 'Medication',
      id: 'm',
      ingredient: [
        { itemReference: { reference: '#s' }, strength: { numerator: { value: 40, unit: 'mg' } } },
        { itemCodeableConcept: { text: 'Lactose' }, isActive: false },
      ],
    },
    { resourceType: 'Substance', id: 's', code: { text: 'Furosemide' } },
  ];
  assert.equal(named({ medicationReference: { reference: '#m' }, contained }), 'Furosemide (40 mg)');
  assert.equal(named({ medicationReference: { reference: '#gone' }, contained }), 'Medication not named (#gone)');
});

test('of several names of a drug one with a strength stands for that of the substance alone', () => {
  const of = (text: string | undefined, ...displays: (string | undefined)[]): string =>
    named({
      medicationCodeableConcept: {
        ...(text ? { text } : {}),
        coding: displays.map((display) => ({ code: '1', ...(display ? { display } : {}) })),
      },
    });
  assert.equal(
    of(undefined, undefined, 'insulin glargine', 'Lantus', '3 ML insulin glargine 100 UNT/ML Pen Injector'),
    '3 ML insulin glargine 100 UNT/ML Pen Injector',
  );
  assert.equal(of(undefined, 'warfarin', 'warfarin sodium 5 MG Oral Tablet'), 'warfarin sodium 5 MG Oral Tablet');
  assert.equal(of(undefined, 'Metformin 500 mg', 'metformin 1000 MG'), 'Metformin 500 mg');
  assert.equal(of(undefined, 'Vitamin B12', 'Cobalamin'), 'Vitamin B12');
  assert.equal(of('Insulin', 'insulin glargine 100 UNT/ML'), 'Insulin');
});
