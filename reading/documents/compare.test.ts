import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CodedEntry, remarks } from './compare.ts';

const entry = (name: string, isCurrent: boolean | undefined, lacks = false): CodedEntry => ({ name, isCurrent, lacks });

test('a dose that only the words have is told with its words', () => {
  const lines = ['03/07/2024, SALBUTAMOL INHALER HFA, 2, PUFF, INH, Q6H PRN wheezing, Active', 'Ramipril 5 mg, Active'];
  const drugs = [entry('Salbutamol 0.1 mg/actuat inhaler', true, true), entry('Ramipril 5 mg tablet', true, true)];
  assert.deepEqual(remarks(lines, drugs, 'dose'), [
    {
      kind: 'dose',
      name: 'Salbutamol 0.1 mg/actuat inhaler',
      words: '2, PUFF, INH, Q6H PRN wheezing, Active',
    },
  ]);
  assert.deepEqual(remarks(lines, [entry('Salbutamol', true)], 'dose'), []);
});

test('a status is compared in each language, and only where the lines of an entry agree', () => {
  const of = (line: string, isCurrent: boolean | undefined): string[] =>
    remarks([line], [entry('Clarithromycin 500 mg', isCurrent)], 'dose').map(({ kind }) => kind);
  assert.deepEqual(of('Clarithromycin 500 mg, Active', false), ['active']);
  assert.deepEqual(of('Clarithromycin 500 mg, activo', false), ['active']);
  assert.deepEqual(of('Clarithromycin 500 mg, completed', true), ['over']);
  assert.deepEqual(of('Clarithromycin 500 mg, abgesetzt', true), ['over']);
  assert.deepEqual(of('Clarithromycin 500 mg, Arrêté', true), ['over']);
  for (const [line, is] of [
    ['Clarithromycin 500 mg, Active', true],
    ['Clarithromycin 500 mg, Active', undefined],
    ['Clarithromycin 500 mg, activity pain', false],
    ['Clarithromycin 500 mg, Active, Stopped', false],
  ] as const)
    assert.deepEqual(of(line, is), [], line);
  const both = [entry('Trazodone 100 mg', false), entry('Trazodone 150 mg', true)];
  assert.deepEqual(remarks(['Trazodone 100 mg, active'], both, 'dose'), []);
});

test('a reaction that only the words have is told, and the status of an allergy', () => {
  const lines = ['Penicillin G, Hives, Moderate', 'Codeine, Shortness of breath, Moderate, Active', 'Aspirin, Active'];
  const allergies = [entry('Penicillin G', true, true), entry('Codeine', false), entry('Aspirin', false, true)];
  assert.deepEqual(
    remarks(lines, allergies, 'reaction').map(({ kind, name, words }) => [kind, name, words]),
    [
      ['reaction', 'Penicillin G', 'Hives, Moderate'],
      ['active', 'Codeine', ''],
      ['active', 'Aspirin', ''],
    ],
  );
});

test('a kind, a degree and what is missing are no reaction', () => {
  const codeine = [entry('Codeine', true, true)];
  for (const rest of [
    'medication, Not available, 12/08/2025, RxNorm',
    'Not Available, Not Available',
    'Moderate, Active',
  ])
    assert.deepEqual(remarks([`Codeine, ${rest}`], codeine, 'reaction'), [], rest);
});
