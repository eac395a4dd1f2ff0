import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGLISH } from '../language/words.ts';
import { valueText } from './element-text.ts';
import {
  addressOf,
  byUse,
  codingWords,
  concept,
  hasCode,
  isEnteredInError,
  issuesOf,
  issueText,
  nameOf,
  quantity,
  reference,
  references,
  testCode,
} from './text.ts';
import type { Concept } from './types.ts';

const spaced = (text: string | undefined): string | undefined => text?.replaceAll('\u00a0', ' ');

test('a quantity has its comparator and its unit, and is nothing where there is none', () => {
  assert.equal(spaced(quantity(ENGLISH, { value: 60, comparator: '<', unit: 'mL/min' })), '< 60 mL/min');
  assert.equal(spaced(quantity(ENGLISH, { value: 97, unit: '%' })), '97%');
  assert.equal(quantity(ENGLISH, { value: 3 }), '3');
  assert.equal(spaced(quantity(ENGLISH, { value: 126, code: 'mm[Hg]' })), '126 mmHg');
  assert.equal(quantity(ENGLISH, undefined), undefined);
});

test('a record is in error by its status, or by that of its document', () => {
  for (const element of ['status', 'docStatus', 'lifecycleStatus'])
    assert.ok(isEnteredInError({ resourceType: 'DocumentReference', id: 'd', [element]: 'entered-in-error' }), element);
  assert.ok(!isEnteredInError({ resourceType: 'DocumentReference', id: 'd', ...{ docStatus: 'final' } }));
});

test('a concept is its text, else a display, else a code; a very long one is cut', () => {
  assert.equal(concept(ENGLISH, { text: 'Asthma', coding: [{ display: 'Asthma (disorder)' }] }), 'Asthma');
  assert.equal(concept(ENGLISH, { coding: [{ code: 'a' }, { code: 'b', display: 'B' }] }), 'B');
  assert.equal(concept(ENGLISH, { coding: [{ code: 'a' }] }), 'a');
  assert.equal(
    concept(ENGLISH, { coding: [{ system: 'http://www.nlm.nih.gov/research/umls/rxnorm', code: '1191' }] }),
    'code 1191 (RxNorm), without a name',
  );
  // A number in place of a word would read as a measured value.
  const bare = (code: string, system?: string) =>
    concept(ENGLISH, { coding: [{ code, ...(system ? { system } : {}) }] });
  const result = 'http://www.saude.gov.br/fhir/r4/CodeSystem/BRResultadoQualitativoExame';
  assert.equal(bare('3', result), 'code 3 (BRResultadoQualitativoExame), without a name');
  assert.equal(bare('0007843', 'http://purl.obolibrary.org/obo/mondo.owl'), 'code 0007843 (mondo.owl), without a name');
  assert.equal(bare('105271807', 'urn:oid:1.2.392.200119.4.403.1'), 'code 105271807, without a name');
  assert.equal(bare('3'), 'code 3, without a name');
  assert.equal(bare('SGHEM', result), 'SGHEM');
  assert.equal(bare('A+'), 'A+');
  assert.equal(bare('stage-2', result), 'stage-2');
  assert.equal(bare('1', 'http://terminology.hl7.org/CodeSystem/v2-0001'), '1');
  assert.equal(concept(ENGLISH, undefined), undefined);
  assert.equal(concept(ENGLISH, { text: 'x'.repeat(1000) })?.length, 401);
});

test('a code is looked for in every coding', () => {
  assert.equal(hasCode({ coding: [{ code: 'a' }, { code: 'b' }] }, 'b', 'c'), true);
  assert.equal(hasCode({ coding: [{}] }, 'b'), false);
  assert.equal(hasCode(undefined, 'b'), false);
});

test('one code of two systems is two tests, unless it is of LOINC or without a system', () => {
  const of = (...systems: string[]) => testCode({ coding: systems.map((system) => ({ system, code: '100' })) });
  assert.notEqual(of('urn:lab-a'), of('urn:lab-b'));
  for (const system of ['http://loinc.org', 'urn:oid:2.16.840.1.113883.6.1', '']) assert.equal(of(system), '100');
  assert.equal(of('urn:lab-a', 'http://loinc.org'), '100');
});

test('a reference with a UUID and no name is told by its type', () => {
  const id = '5f3c2a1b-0d4e-4f6a-8b7c-9d0e1f2a3b4c';
  assert.equal(reference(ENGLISH, { reference: `Practitioner/${id}` }), 'Practitioner, not named here');
  assert.equal(reference(ENGLISH, { reference: `https://x.example/fhir/CareTeam/${id}` }), 'Care team, not named here');
  assert.equal(reference(ENGLISH, { reference: `urn:uuid:${id}` }), 'Record, not named here');
  assert.equal(reference(ENGLISH, { reference: `Practitioner/${id}`, display: 'Dr. Lindholm' }), 'Dr. Lindholm');
  assert.equal(reference(ENGLISH, { reference: 'Practitioner/grace-lindholm' }), 'Practitioner grace-lindholm');
  assert.equal(reference(ENGLISH, { reference: 'https://x.example/fhir/CareTeam/7/_history/2' }), 'Care team 7');
  assert.equal(reference(ENGLISH, { reference: '#7' }), 'Record, not named here');
  assert.equal(references(ENGLISH, [{ display: 'A' }, {}, { display: 'B' }]), 'A, B');
});

test('a name is the official one, else one that is not old; parts that are null are left out', () => {
  assert.equal(nameOf([{ use: 'old', text: 'Before' }, { text: 'Now' }]), 'Now');
  assert.equal(nameOf([{ text: 'Now' }, { use: 'official', given: ['Ada', null], family: 'King' }]), 'Ada King');
  assert.equal(nameOf([{}]), undefined);
  const past = { period: { end: '2000' } };
  for (const worse of [past, { use: 'nickname' }, { use: 'maiden' }, { use: 'official', text: '' }])
    assert.equal(
      nameOf([
        { text: 'Bunny', ...worse },
        { use: 'usual', text: 'Ann' },
      ]),
      'Ann',
    );
  assert.equal(nameOf([{ text: 'Only', ...past }]), 'Only');
  const scripted = (text: string, valueCode: string, use = 'official') => ({
    ...{ use, text },
    extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/iso21090-EN-representation', valueCode }],
  });
  const [kana, kanji, letters] = [scripted('ヤマダ', 'SYL'), scripted('山田', 'IDE'), scripted('Yamada', 'ABC')];
  assert.equal(nameOf([kana, kanji]), '山田 (ヤマダ)');
  assert.equal(nameOf([letters, kana, kanji]), '山田 (ヤマダ, Yamada)');
  assert.equal(nameOf([kana, { use: 'official', text: '山田' }]), 'ヤマダ');
  assert.equal(nameOf([{ use: 'official', text: '山田' }, kana]), '山田 (ヤマダ)');
  assert.equal(nameOf([scripted('旧', 'IDE', 'old'), kana]), 'ヤマダ');
  assert.equal(nameOf([kana]), 'ヤマダ');
  assert.equal(nameOf(undefined), undefined);
});

test('of numbers and addresses, those in use come first, and an old one is called so', () => {
  const [old, ended, later, temporary, plainly] = [
    { value: '1', use: 'old' },
    { value: '2', period: { end: '2020' } },
    { value: '3', period: { start: '9999' } },
    { value: '4', use: 'temp' },
    { value: '5', period: { start: '2020', end: '9999' } },
  ];
  const order = byUse([old, ended, later, temporary, plainly]).map(({ value }) => value);
  assert.deepEqual(order, ['5', '3', '4', '1', '2']);
  const says = (value: object): string | undefined => valueText(ENGLISH, value);
  assert.deepEqual([old, ended, temporary, plainly].map(says), ['1 (old)', '2 (old)', '4 (temporary)', '5']);
  assert.equal(says({ use: 'maiden', family: 'King' }), 'King (maiden)');
  assert.equal(says({ use: 'billing', city: 'Springfield' }), 'Springfield (billing)');
  assert.equal(says({ system: 'phone', use: 'old', value: '555' }), '555 (old)');
});

test('an address is one line', () => {
  const address = { line: ['1 Main St', null], city: 'Springfield', state: 'IL', postalCode: '62701' };
  assert.equal(addressOf(address), '1 Main St, Springfield, IL 62701');
  assert.equal(addressOf({}), undefined);
});

test('issues are read of an OperationOutcome alone', () => {
  const body = { resourceType: 'OperationOutcome', issue: [{ details: { text: 'No.' } }, { diagnostics: 'Really.' }] };
  assert.equal(issueText(body), 'No. Really.');
  assert.deepEqual(issuesOf({ resourceType: 'Patient', issue: [{}] }), []);
  assert.deepEqual(issuesOf({ resourceType: 'OperationOutcome', issue: 'none' }), []);
  assert.deepEqual(issuesOf(undefined), []);
});

test('what a program wrote of its objects is no text: the name in it is, or a coding beside it', () => {
  const dump = (name: string) =>
    `code=None original_text=ED(value=None) translation=[CD(code='194828000', display_name=${name}, qualifier=None)]`;
  const rows: [Concept, string | undefined][] = [
    [{ text: dump("'Angina (disorder)'") }, 'Angina (disorder)'],
    [{ text: dump('None') }, 'Unreadable text in the file'],
    [{ text: dump('None'), coding: [{ display: 'Angina' }] }, 'Angina'],
    [{ text: dump('None'), coding: [{ system: 'urn:x', code: 'A1' }] }, 'code A1, without a name'],
    [{ text: "value='34' unit='a' null_flavor=None original_text=None" }, 'Unreadable text in the file'],
    [{ text: '[object Object]' }, 'Unreadable text in the file'],
    [{ text: 'org.example.Code@1f2e3d4c' }, 'Unreadable text in the file'],
    [{ text: 'Allergies=None, as of today' }, 'Allergies=None, as of today'],
    [{ text: 'None' }, 'None'],
    [{ text: '' }, undefined],
  ];
  for (const [of, expected] of rows) assert.equal(concept(ENGLISH, of), expected, of.text);
});

test('routes of the NCI Thesaurus, statements and classes of visits are named without a display', () => {
  const named = (system: string, code: string) => concept(ENGLISH, { coding: [{ system, code }] });
  const ncit = ['http://ncimeta.nci.nih.gov', 'http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl'];
  for (const system of [...ncit, 'urn:oid:2.16.840.1.113883.3.26.1.1']) {
    assert.equal(named(system, 'C38288'), 'Oral');
    assert.equal(named(system, 'C38299'), 'Subcutaneous');
    assert.match(named(system, 'C99999') ?? '', /^code C99999.*, without a name$/);
  }
  const actCode = 'http://terminology.hl7.org/CodeSystem/v3-ActCode';
  assert.equal(named(actCode, 'ASSERTION'), 'Statement');
  assert.equal(named('urn:other', 'C38288'), 'code C38288, without a name');
  assert.equal(codingWords(ENGLISH, { system: actCode, code: 'AMB' }), 'Ambulatory');
  assert.equal(codingWords(ENGLISH, { system: actCode, code: 'constructor' }), 'constructor');
});
