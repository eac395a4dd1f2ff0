import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DiagnosticReport, Observation } from '../../fhir/types.ts';
import { ENGLISH } from '../../language/words.ts';
import { panelsOf } from './panels.ts';

const result = (id: string, code: string, effectiveDateTime: string): Observation => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  code: { coding: [{ code, display: `Test ${code}` }] },
  valueQuantity: { value: 1, unit: 'mg/dL' },
  effectiveDateTime,
});
const report = (id: string, code: string, name: string, on: string, ...results: string[]): DiagnosticReport => ({
  resourceType: 'DiagnosticReport',
  id,
  status: 'final',
  code: { coding: [{ code, display: name }] },
  effectiveDateTime: on,
  result: results.map((one) => ({ reference: `Observation/${one}` })),
});
const read = (observations: Observation[], reports: DiagnosticReport[] = []): [string, string[]][] => {
  const { panels, others } = panelsOf(ENGLISH, observations, reports);
  return [
    ...panels.map(({ name, tests }): [string, string[]] => [name, tests.map(({ key }) => key)]),
    ['others', others.map(({ key }) => key)],
  ];
};

test('the results of a report are a panel, in its order, and its tests stay together over time', () => {
  const all = [
    result('a1', 'A', '2024-01-01'),
    result('b1', 'B', '2024-01-01'),
    result('a2', 'A', '2025-01-01'),
    result('b2', 'B', '2025-01-01'),
    result('a3', 'A', '2026-01-01'),
    result('z', 'Z', '2026-02-01'),
  ];
  const reports = [
    report('r1', 'P', 'Iron panel', '2024-01-01', 'a1', 'b1'),
    report('r2', 'P', 'Iron panel', '2025-01-01', 'b2', 'a2', 'gone'),
  ];
  assert.deepEqual(read(all, reports), [
    ['Iron', ['B', 'A']],
    ['others', ['Z']],
  ]);
});

test('an observation with members is the heading of its panel, and no test', () => {
  const panel: Observation = {
    resourceType: 'Observation',
    id: 'p',
    code: { text: 'Thyroid' },
    effectiveDateTime: '2024-01-01',
    hasMember: [{ reference: 'https://example.org/fhir/Observation/a' }, { reference: 'Observation/b' }],
  };
  const members = [result('a', 'A', '2024-01-01'), result('b', 'B', '2024-01-01')];
  assert.deepEqual(read([panel, ...members]), [
    ['Thyroid', ['A', 'B']],
    ['others', []],
  ]);
  // Without its members it is shown for itself.
  assert.deepEqual(read([panel]), [['others', ['Thyroid']]]);
});

test('an observation without a value is the heading of its only member, unless a report has that', () => {
  const panel: Observation = {
    resourceType: 'Observation',
    id: 'p',
    code: { text: 'Thyroid' },
    effectiveDateTime: '2025-01-01',
    hasMember: [{ reference: 'Observation/a' }],
  };
  const [a, b] = [result('a', 'A', '2024-01-01'), result('b', 'B', '2024-01-01')];
  assert.deepEqual(read([panel, a, b]), [
    ['Thyroid', ['A']],
    ['others', ['B']],
  ]);
  const [, others] = read([panel, a, b], [report('r', 'P', 'Iron', '2024-01-01', 'a', 'b')]);
  assert.deepEqual(others, ['others', []]);
});

test('tests in no panel are put together by their LOINC codes; a lonely one stays alone', () => {
  const all = [
    result('k', '2823-3', '2024-01-01'),
    result('na', '2951-2', '2024-01-01'),
    result('alt', '1742-6', '2024-01-01'),
    result('hb', '718-7', '2024-03-01'),
  ];
  assert.deepEqual(read(all), [
    ['Comprehensive metabolic panel', ['2951-2', '2823-3', '1742-6']],
    ['others', ['718-7']],
  ]);
  assert.deepEqual(read(all.slice(0, 2)), [
    ['Basic metabolic panel', ['2951-2', '2823-3']],
    ['others', []],
  ]);
});

test('versions of a panel are one, and tests of it that no report lists join it', () => {
  const all = [
    result('na1', '2951-2', '2024-01-01'),
    result('k1', '2823-3', '2024-01-01'),
    result('na2', '2951-2', '2025-01-01'),
    result('k2', '2823-3', '2025-01-01'),
    result('ca', '17861-6', '2025-06-01'),
  ];
  const reports = [
    report('r1', '24320-4', 'Basic metabolic 1998 panel', '2024-01-01', 'na1', 'k1'),
    report('r2', '51990-0', 'Basic metabolic panel - Blood', '2025-01-01', 'na2', 'k2'),
  ];
  assert.deepEqual(read(all, reports), [
    ['Basic metabolic panel', ['2951-2', '2823-3', '17861-6']],
    ['others', []],
  ]);
});

test('neither a report nor a result that was entered in error makes a panel', () => {
  const all = [result('a', 'A', '2024-01-01'), result('b', 'B', '2024-01-01')];
  const wrong = { ...report('r', 'P', 'Wrong', '2024-01-01', 'a', 'b'), status: 'entered-in-error' };
  assert.deepEqual(read(all, [wrong]), [['others', ['A', 'B']]]);
  const b: Observation = { ...result('b', 'B', '2024-01-01'), status: 'entered-in-error' };
  const right = report('r', 'P', 'Right', '2024-01-01', 'a', 'b');
  assert.deepEqual(read([result('a', 'A', '2024-01-01'), b], [right]), [['others', ['A', 'B']]]);
});

test('a report on one test, records without codes, and empty lists are no panels', () => {
  const bare: Observation = { resourceType: 'Observation', id: 'bare' };
  const all = [result('a', 'A', '2024-01-01'), bare];
  assert.deepEqual(read(all, [report('r', 'P', 'Single', '2024-01-01', 'a')]), [['others', ['A', 'bare']]]);
  assert.deepEqual(read([], [{ resourceType: 'DiagnosticReport', id: 'r' }]), [['others', []]]);
});
