import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SPANISH } from '../language/spanish.ts';
import { ENGLISH } from '../language/words.ts';
import { type ElementLine, elementTree, MAX_LINES } from './element-tree.ts';
import { parsed } from './json.ts';

const flat = (lines: ElementLine[]): unknown[] =>
  lines.map(({ label, values, groups }) => [label, ...values, ...groups.map(flat)]);
const tree = (resource: { resourceType: string } & Record<string, unknown>, words = ENGLISH): unknown[] =>
  flat(elementTree(words, { id: 'a', ...resource }).lines);

const ALLERGY = {
  resourceType: 'AllergyIntolerance',
  meta: { versionId: '1' },
  text: { div: '<div/>' },
  patient: { reference: 'Patient/a' },
  code: { text: 'Latex' },
  criticality: 'high',
  onsetAge: { value: 7, unit: 'years' },
  reaction: [{ id: 'r', manifestation: [{ text: 'Hives' }], severity: 'severe', _severity: { id: 'x' } }],
};

test('elements have labels of their type, and groups their own lines', () => {
  assert.deepEqual(tree(ALLERGY), [
    ['Allergen', 'Latex'],
    ['Criticality', 'high'],
    ['Onset', '7\u00a0years'],
    [
      'Reaction',
      [
        ['Manifestation', 'Hives'],
        ['Severity', 'severe'],
      ],
    ],
  ]);
  assert.deepEqual(tree(ALLERGY, SPANISH)[0], ['Alérgeno', 'Latex']);
  const verificationStatus = { coding: [{ code: 'unconfirmed', display: 'Unconfirmed' }] };
  assert.deepEqual(tree({ resourceType: 'Condition', verificationStatus }, SPANISH), [['Certeza', 'sin confirmar']]);
  assert.deepEqual(tree({ resourceType: 'Encounter', class: { code: 'EMER' } }), [['Setting', 'Emergency']]);
  const participant = [{ type: [{ text: 'Attender' }] }];
  assert.deepEqual(tree({ resourceType: 'Encounter', participant }), [['Taking part', [['Type', 'Attender']]]]);
  const repeat = { frequency: 2, period: 1, periodUnit: 'd', when: ['PC'], boundsPeriod: { start: '2026-01-02' } };
  assert.deepEqual(tree({ resourceType: 'ServiceRequest', occurrenceTiming: { repeat } }), [
    ['When it is to be done', '2 times a day, after meals, from 2\u00a0Jan\u00a02026'],
  ]);
  const risk = parsed('{"resourceType":"RiskAssessment","prediction":[{"probabilityDecimal":1.50E-2}]}');
  assert.deepEqual(tree(risk as never, SPANISH), [
    ['Predicción', [['Probabilidad', JSON.rawJSON ? '0,0150' : '0,015']]],
  ]);
  const nutrient = [{ modifier: { text: 'Sodium' } }];
  assert.deepEqual(tree({ resourceType: 'NutritionOrder', oralDiet: { nutrient } }), [
    ['Diet', [['Nutrient', [['Modifier', 'Sodium']]]]],
  ]);
  const lifecycle = {
    resourceType: 'Foo',
    clinicalStatus: { coding: [{ code: 'active' }] },
    phase: { coding: [{ code: 'planned' }] },
  };
  assert.deepEqual(tree(lifecycle, SPANISH), [
    ['Estado clínico', 'activo'],
    ['Phase', 'planificado'],
  ]);
});

test('an element that has no label, and an extension, are in the words of their names', () => {
  const resource = {
    resourceType: 'Foo',
    someOddName: 'An odd thing',
    constructor: 'Odder',
    extension: [
      { url: 'http://x.example/procedure-laterality', valueCodeableConcept: { text: 'Left' } },
      { url: 'http://x.example/nested', extension: [{ url: 'part', valueString: 'A part' }] },
    ],
  };
  assert.deepEqual(tree(resource), [
    ['Some odd name', 'An odd thing'],
    ['Constructor', 'Odder'],
    ['Procedure laterality', 'Left'],
    ['Nested', [['Part', 'A part']]],
  ]);
});

test('a record without an end is cut, and what is odd leaves no line', () => {
  const { lines, isCut } = elementTree(ENGLISH, {
    resourceType: 'List',
    id: 'a',
    ...{ entry: Array.from({ length: 1_000 }, (_, i) => ({ item: { display: `Item ${i}` } })) },
  });
  assert.equal(isCut, true);
  assert.equal(lines[0]?.groups.length, MAX_LINES);
  const deep = (depth: number): unknown => (depth === 0 ? 'x' : { part: deep(depth - 1), other: [] });
  assert.deepEqual(tree({ resourceType: 'Foo', odd: null, empty: {}, list: [null, [], {}], deep: deep(40) }), []);
  const isCutAt = (depth: number): boolean =>
    elementTree(ENGLISH, { resourceType: 'Foo', id: 'a', ...{ deep: deep(depth) } }).isCut;
  assert.deepEqual([5, 6].map(isCutAt), [false, true], 'what is deeper than is read is said to be there');
});
