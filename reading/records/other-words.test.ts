import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BILLING, OTHER, typesOf } from '../fhir/other-types.ts';
import { ENGLISH } from '../language/words.ts';
import { meaningOf } from './meaning.ts';

const meaning = (resourceType: string, more: Record<string, unknown>) =>
  meaningOf(ENGLISH, { resourceType, id: 'a', ...more });

test('what must be left out of a diet is called so', () => {
  const { kind, what, when, value } = meaning('NutritionOrder', {
    dateTime: '2025-06-06',
    oralDiet: { type: [{ text: 'Soft diet' }] },
    excludeFoodModifier: [{ text: 'Nuts' }],
    foodPreferenceModifier: [{ text: 'Dairy free' }],
  });
  assert.deepEqual([kind, what, when], ['Nutrition order', 'Soft diet', '2025-06-06']);
  assert.equal(value, 'Foods to leave out: Nuts; Foods that are preferred: Dairy free');
});

test('a structure that is excluded from a part of the body is called so', () => {
  const structure = (text: string) => [{ structure: { text } }];
  const { value } = meaning('BodyStructure', {
    location: { text: 'Lung' },
    excludedStructure: structure('Upper lobe'),
  });
  assert.equal(value, 'Excluded structure: Upper lobe');
});

test('a value does not repeat what the record is about', () => {
  const { what, value } = meaning('RiskAssessment', {
    condition: { display: 'Fibrillation' },
    prediction: [{ outcome: { text: 'Stroke' }, probabilityDecimal: 0.02, relativeRisk: 3 }],
  });
  assert.deepEqual([what, value], ['Stroke', 'Condition: Fibrillation; Probability: 0.02; Relative risk: 3']);
});

test('a type that nobody knows is said by its usual elements', () => {
  const { kind, what, when, status, value } = meaning('DeviceDispense', {
    status: 'in-progress',
    code: { text: 'Walker' },
    period: { start: '2025-01-01' },
    description: 'By the ward',
  });
  assert.deepEqual(
    [kind, what, when, status, value],
    ['Device dispense', 'Walker', '2025-01-01', 'In progress', 'By the ward'],
  );
});

test('records of every type without a section have a kind in words, and odd ones throw nothing', () => {
  const odd = { code: 7, status: ['x'], date: {}, note: 'text', period: 'x', description: { a: 1 }, category: [null] };
  for (const type of [...typesOf(OTHER), ...typesOf(BILLING), 'constructor', '__proto__', 'toString']) {
    const { kind } = meaning(type, odd);
    assert.match(kind, /^[A-Za-z_ ]+$/, type);
    assert.equal(meaning(type, {}).value, undefined, type);
  }
});

test('an item that was taken off a list does not read like one that is on it', () => {
  const entry = [
    { item: { display: 'Ramipril' } },
    { item: { display: 'Warfarin' }, deleted: true, flag: { text: 'stopped' } },
    { item: {} },
  ];
  const { value } = meaning('List', { title: 'Medications', mode: 'changes', entry });
  assert.equal(value, 'Ramipril, taken off the list: Warfarin (stopped); Mode: changes');
});

test('each lens has all its numbers, and parts of a repeated element stand together', () => {
  const glasses = meaning('VisionPrescription', {
    lensSpecification: [
      { product: { text: 'contact' }, eye: 'right', power: -2.75, cylinder: -0.5, axis: 180 },
      { product: { text: 'contact' }, eye: 'left', power: -1.25, add: 1.75, prism: [{ amount: 0.5, base: 'up' }] },
    ],
  });
  assert.deepEqual(glasses.value?.split(';\n'), [
    'Product: contact, Eye: right, Power: -2.75, Cylinder: -0.5, Axis: 180',
    'Product: contact, Eye: left, Power: -1.25, Add: 1.75, Prism: Amount: 0.5, Base: up',
  ]);
  const risk = meaning('RiskAssessment', {
    prediction: [
      { outcome: { text: 'Stroke' }, probabilityDecimal: 0.2 },
      { outcome: { text: 'Death' }, probabilityDecimal: 0.1 },
    ],
  });
  assert.match(risk.value ?? '', /Stroke, .*0\.2;\n.*Death, .*0\.1/);
});

test('a repeated element that no other words name is told with all its parts', () => {
  const names: [string, Record<string, unknown>, string][] = [
    [
      'Coverage',
      {
        class: [
          { type: { text: 'group' }, value: 'G1' },
          { type: { text: 'plan' }, value: 'P2', name: 'Silver' },
        ],
      },
      'Type: group, Value: G1;\nType: plan, Value: P2, Name: Silver',
    ],
    [
      'NutritionOrder',
      { enteralFormula: { administration: [{ quantity: { value: 100, unit: 'mL' }, rateQuantity: { value: 5 } }] } },
      'Administration: Quantity: 100 mL, Rate quantity: 5',
    ],
    ['Task', { input: [{ type: { text: 'Weight' }, valueString: '70 kg' }] }, 'Input: Type: Weight, Value: 70 kg'],
    ['ClinicalImpression', { ruledOut: [{ item: { text: 'Sepsis' } }] }, 'Ruled out: Item: Sepsis'],
    ['Claim', { item: [{ sequence: 1, productOrService: { text: 'Visit' } }] }, ''],
  ];
  for (const [type, more, says] of names)
    assert.equal(meaning(type, more).value?.replaceAll('\u00a0', ' ') ?? '', says, type);
});
