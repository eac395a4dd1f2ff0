import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountsIn, differences } from './dose-numbers.ts';

const drug = (name: string, dose = ''): { name: string; texts: string[] } => ({ name, texts: [name, dose] });

test('amounts are compared whatever their unit and their decimal sign', () => {
  const compared = (text: string): string[] =>
    amountsIn(text).map(({ size, unit }) => `${size.toPrecision(6)} ${unit}`);
  assert.deepEqual(compared('0.5 g'), compared('500 mg'));
  assert.deepEqual(compared('0,5 g'), compared('500mg'));
  assert.deepEqual(compared('1,000 mg'), compared('1 g'));
  assert.deepEqual(compared('75 mcg'), compared('75 µg'));
  assert.deepEqual(compared('2 tablets, 3 times, 5 mL, 10 gtt'), []);
});

test('a strength that only the words have is named with its drug', () => {
  const drugs = [drug('Metformin 2G modified-release tablets', '2 tablets a day'), drug('Sertraline 100 mg')];
  assert.deepEqual(differences(['Sertraline, 100 mg, in the morning', 'Metformin 1g modified release'], drugs), [
    { drug: 'Metformin', amounts: ['1g'] },
  ]);
});

test('a drug that no coded record names is named, where other lines name coded ones', () => {
  const drugs = [drug('Sertraline 100 mg')];
  assert.deepEqual(differences(['Sertraline 100 mg', 'Warfarin 3 mg at night'], drugs), [
    { drug: 'Warfarin', amounts: ['3 mg'] },
  ]);
  assert.deepEqual(differences(['Warfarina 3 mg'], drugs), []);
});

test('the same amounts, lines without an amount, and lines of several drugs tell of no difference', () => {
  const drugs = [drug('Ramipril 5 mg', '1 tablet'), drug('Bisoprolol 2.5 mg')];
  assert.deepEqual(
    differences(['RAMIPRIL 5mg', 'Bisoprolol in the morning', 'Ramipril and bisoprolol 9 mg'], drugs),
    [],
  );
  assert.deepEqual(differences([], drugs), []);
});

test('the same strength in another volume, as a sum of its parts, or rounded tells of no difference', () => {
  const drugs = [
    drug('magnesium hydroxide 80 MG/ML Oral Suspension'),
    drug('albuterol 0.83 MG/ML Inhalation Solution'),
    drug('nitrofurantoin, macrocrystals 25 MG / nitrofurantoin, monohydrate 75 MG Oral Capsule'),
    drug('fluticasone propionate 0.05 MG/ACTUAT Nasal Spray'),
  ];
  const lines = [
    'magnesium hydroxide 400 mg/5 mL oral suspension',
    'albuterol sulfate 2.5 mg/3 mL (0.083 %) solution',
    'nitrofurantoin monohydrate/macrocrystals 100 mg capsule',
    'fluticasone propionate 50 mcg/actuation nasal spray',
    'FLUTICASONE 50 MCG',
  ];
  assert.deepEqual(differences(lines, drugs), []);
  assert.deepEqual(differences(['magnesium hydroxide 800 mg/5 mL'], drugs), [
    { drug: 'magnesium', amounts: ['800 mg/5 mL'] },
  ]);
});
