import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../fhir/types.ts';
import { SPANISH } from '../language/spanish.ts';
import { ENGLISH } from '../language/words.ts';
import { changeBetween, compareVisits, reasonOf } from './comparison.ts';
import type { Visit } from './days.ts';
import type { TimelineEvent } from './events.ts';

const observation = (id: string, more: Partial<Observation>): Observation => ({
  resourceType: 'Observation',
  id,
  ...more,
});
const amount = (value: number, unit: string, more = {}): Observation =>
  observation('o', { code: { text: 'Test' }, valueQuantity: { value, unit, ...more } });
const pressure = (systolic: number, diastolic: number): Observation =>
  observation('bp', {
    component: [
      { code: { text: 'Diastolic' }, valueQuantity: { value: diastolic, unit: 'mm[Hg]' } },
      { code: { text: 'Systolic' }, valueQuantity: { value: systolic, unit: 'mm[Hg]' } },
    ].reverse(),
  });

test('changes of numbers keep their digits, and are told in one unit alone', () => {
  assert.equal(changeBetween(ENGLISH, amount(7.1, '%'), amount(8.3, '%')), '+1.2\u00a0%');
  assert.equal(changeBetween(ENGLISH, amount(8, '%', { written: '8.00' }), amount(7.5, '%')), '−0.50\u00a0%');
  assert.equal(changeBetween(ENGLISH, amount(5, 'kg'), amount(5, 'kg')), 'Same');
  assert.equal(changeBetween(ENGLISH, pressure(148, 92), pressure(132, 92)), '−16/±0\u00a0mmHg');
  assert.equal(changeBetween(ENGLISH, amount(5, 'mg/dL'), amount(5, 'mmol/L')), undefined);
  const of = (word: string): Observation => amount(5, `mg/L ${word}`, { code: 'mg/L' });
  assert.equal(changeBetween(ENGLISH, of('FEU'), of('DDU')), undefined);
  assert.equal(changeBetween(ENGLISH, amount(5, 'mg/dL', { comparator: '<' }), amount(9, 'mg/dL')), undefined);
  assert.equal(changeBetween(ENGLISH, amount(5, 'mmHg'), pressure(120, 80)), undefined);
  const modified = { ...amount(9, '%'), modifierExtension: [{ url: 'urn:x/negated', valueBoolean: true }] };
  assert.equal(changeBetween(ENGLISH, amount(5, '%'), modified), undefined);
});

test('changes in Spanish have its words, and the decimals of the country', () => {
  assert.equal(changeBetween(SPANISH, amount(7.1, '%'), amount(8.3, '%')), '+1,2\u00a0%');
  assert.equal(changeBetween(SPANISH, amount(5, 'kg'), amount(5, 'kg')), 'Igual');
});

test('changes of words; nothing where a value is missing', () => {
  const said = (valueString?: string): Observation =>
    observation('s', valueString === undefined ? {} : { valueString });
  assert.equal(changeBetween(ENGLISH, said('Never'), said('Never')), 'Same');
  assert.equal(changeBetween(ENGLISH, said('Never'), said('Daily')), 'Changed');
  assert.equal(changeBetween(ENGLISH, said(), said('Daily')), undefined);
});

const at = (on: string): Pick<TimelineEvent, 'on' | 'at'> => ({ on, at: Date.parse(on) });
const record = (kind: string, name: string, on: string, resource: object = {}): TimelineEvent => ({
  ...at(on),
  kind,
  name,
  status: undefined,
  visit: undefined,
  resource: { resourceType: 'Basic', id: `${name}-${on}`, ...resource },
});
const visit = (on: string, records: TimelineEvent[], encounter: object = {}): Visit => ({
  event: record('Visit', 'Check-up', on, { resourceType: 'Encounter', ...encounter }),
  records,
});
const prescribed = (name: string, on: string, status = 'active'): TimelineEvent =>
  record('Prescription', name, on, { resourceType: 'MedicationRequest', status });

test('two visits are compared earlier to later, whichever was chosen first', () => {
  const [first, second] = ['2023-05-01', '2024-05-01'];
  const earlier = visit(first, [
    record('Problem', 'Asthma', first),
    prescribed('kept', first),
    prescribed('stopped', first, 'stopped'),
    record('Result', 'Weight', first, { ...amount(80, 'kg'), code: { coding: [{ code: '29463-7' }] } }),
  ]);
  const later = visit(second, [
    record('Problem', 'Asthma', second),
    record('Problem', 'Eczema', second),
    prescribed('kept', second),
    prescribed('new', second),
    record('Result', 'Body weight', second, { ...amount(78.5, 'kg'), code: { coding: [{ code: '29463-7' }] } }),
    record('Result', 'Glucose', second, { ...amount(5, 'mmol/L'), code: { coding: [{ code: '2345-7' }] } }),
  ]);
  const compared = compareVisits(ENGLISH, later, earlier);
  assert.deepEqual(compared, compareVisits(ENGLISH, earlier, later));
  assert.equal(compared.earlier, earlier);
  const rows = (of: 'problems' | 'results' | 'medications'): string[] =>
    compared[of].map(({ name, change }) => `${name}: ${change}`);
  assert.deepEqual(rows('problems'), ['Asthma: At both', 'Eczema: Only later']);
  assert.deepEqual(rows('results'), ['Body weight: −1.5\u00a0kg', 'Glucose: Only later']);
  assert.deepEqual(rows('medications'), ['kept: At both', 'new: Only later', 'stopped: Only earlier']);
});

test('the latest of several results of a test at one visit counts', () => {
  const result = (on: string, value: number): TimelineEvent => record('Result', 'Pulse', on, amount(value, '/min'));
  const { results } = compareVisits(
    ENGLISH,
    visit('2023-05-01', [result('2023-05-01T10:00:00Z', 90), result('2023-05-01T09:00:00Z', 110)]),
    visit('2024-05-01', [result('2024-05-01', 80)]),
  );
  assert.deepEqual(
    results.map(({ change }) => change),
    ['−10\u00a0/min'],
  );
});

test('the reason of a visit, by its codes and by the names of records', () => {
  const reasonCode = [{ text: 'Cough' }];
  assert.equal(
    reasonOf(ENGLISH, visit('2020-01-01', [], { reasonCode, reasonReference: [{ display: 'Asthma' }, {}] })),
    'Cough, Asthma',
  );
  assert.equal(reasonOf(ENGLISH, visit('2020-01-01', [])), '');
});
