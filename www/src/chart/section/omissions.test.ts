import '../../testing.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abilitiesOf } from '../../source/abilities.ts';
import { SECTIONS } from '../sections.ts';
import * as omissions from './omissions.ts';

const none = { counts: {}, lost: {}, unserved: {}, older: {}, nobodys: {}, absent: {}, undelivered: {} };
/** Returns the omissions of each section that has some. */
const said = (origin: Parameters<typeof omissions.originOmissions>[0]): Record<string, string[]> =>
  Object.fromEntries(
    SECTIONS.map((section) => [section.id, omissions.originOmissions(origin, section)] as const).filter(
      ([, says]) => says.length > 0,
    ),
  );

test('each other type belongs to sections that there are, and is searched by none', () => {
  for (const [type, ids] of Object.entries(omissions.OTHER_TYPES)) {
    for (const id of ids)
      assert.ok(
        SECTIONS.some((section) => section.id === id),
        `${type}: ${id}`,
      );
    const searching = SECTIONS.filter((section) => omissions.belongsTo(type, { ...section, id: '' }));
    assert.deepEqual(searching, [], type);
  }
});

test('where nothing is left out, nothing is said', () => {
  assert.deepEqual(said({}), {});
  assert.deepEqual(said({ files: { ...none, unserved: { Claim: 3, constructor: 1, '': 2 } } }), {});
});

test('types that are not shown are said in the section where they belong', () => {
  const counts = { MedicationUsage: 1_000, Condition: 3, Claim: 4 };
  assert.deepEqual(said({ files: { ...none, counts, unserved: { ImagingSelection: 1 } } }), {
    medications: ['Your files have records of types that are not shown: Medication usage\u00a0(1,000).'],
    reports: ['Your files have records of types that are not shown: Imaging selection\u00a0(1).'],
  });
});

test('records of an older FHIR are said where the same of R4 would be', () => {
  const files = { ...none, unserved: { Order: 1 }, older: { Condition: 2 }, nobodys: { Condition: 3 } };
  assert.deepEqual(said({ files }), {
    orders: ['Your files have records of an older FHIR (DSTU2 or STU3), which cannot be shown: Order\u00a0(1).'],
    problems: [
      'Your files have records of an older FHIR (DSTU2 or STU3), which cannot be shown: Condition\u00a0(2).',
      'Your files have records that name no patient, and are in no chart: Condition\u00a0(1).',
    ],
  });
});

test('a part of a file that was not taken may belong to any section, and is said in none of them by itself', () => {
  for (const files of [
    { ...none, lost: { '': 2 } },
    { ...none, undelivered: { '': 1 } },
  ]) {
    assert.deepEqual(said({ files }), {});
    assert.equal(omissions.hasUntyped({ files }), true);
  }
  assert.equal(omissions.hasUntyped({ files: { ...none, lost: { Condition: 2 }, undelivered: { Goal: 1 } } }), false);
  assert.equal(omissions.hasUntyped({}), false);
});

test('a part whose type is known belongs to the sections of the type alone', () => {
  assert.deepEqual(said({ files: { ...none, lost: { Condition: 1, Claim: 2, Foo: 1 } } }), {
    problems: ['Parts of your files could not be taken, and may belong here: 1.'],
    other: ['Parts of your files could not be taken, and may belong here: 2.'],
  });
});

test('what the source of files did not deliver is said where it may belong', () => {
  const says = (n: number): string[] => [
    `Your files lack parts that their source did not deliver, and that may belong here: ${n}.`,
  ];
  assert.deepEqual(said({ files: { ...none, undelivered: { Condition: 2 } } }), { problems: says(2) });
  assert.deepEqual(said({ files: { ...none, undelivered: { '': 1, Condition: 2 } } }), { problems: says(2) });
});

test('of another server, its types that are not shown and its older FHIR are said', () => {
  const of = (fhirVersion: string, ...types: string[]): Record<string, string[]> =>
    said({ abilities: abilitiesOf({ fhirVersion, rest: [{ resource: types.map((type) => ({ type })) }] }) });
  assert.deepEqual(of('4.0.1', 'Patient', 'Claim'), {});
  assert.deepEqual(of('4.3.0', 'MedicationUsage'), {
    medications: ['This server may have records of types that are not shown: Medication usage.'],
  });
  for (const version of ['1.0.2', '3.0.1']) {
    const all = of(version, 'Condition');
    assert.equal(Object.keys(all).length, SECTIONS.length);
    assert.match(all.problems?.[0] ?? '', new RegExp(`speaks FHIR ${version}\\.`));
  }
});

test('a type of no list is said where its name tells that it belongs', () => {
  const unserved = {
    MedicationPrescription: 1,
    AdverseReaction: 1,
    Foo: 1,
    MedicinalProductDefinition: 1,
    LabResult: 2,
  };
  const says = said({ files: { ...none, unserved } });
  assert.deepEqual(Object.keys(says).sort(), ['allergies', 'labs', 'medications']);
  assert.match(says.medications?.[0] ?? '', /Medication prescription\u00a0\(1\)/);
});
