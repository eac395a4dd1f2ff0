import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsed } from '../fhir/json.ts';
import type { Resource } from '../fhir/types.ts';
import { meaningOf } from '../records/meaning.ts';
import { briefDecimal, plainDecimal } from './decimal.ts';
import { spanish } from './es/catalogue.ts';
import { ENGLISH, Words } from './words.ts';

const spaced = (text: string | undefined): string => (text ?? '').replaceAll('\u00a0', ' ');

const PLAIN: [string, string][] = [
  ['5E-1', '0.5'],
  ['5.0e-1', '0.50'],
  ['3.0E+1', '30'],
  ['7.5E+1', '75'],
  ['1.6E2', '160'],
  ['1E0', '1'],
  ['1.25e-3', '0.00125'],
  ['-1.25E1', '-12.5'],
  ['1e-7', '0.0000001'],
  ['6.02E23', '602000000000000000000000'],
  ['0E0', '0'],
  ['0.5E1', '5'],
  ['0.05E1', '0.5'],
  ['7.20', '7.20'],
  ['x', 'x'],
];
const BRIEF: [string, string][] = [
  ['0.5590041358494067', '0.559'],
  ['132.7577147718523', '133'],
  ['74.74174271971901', '74.7'],
  ['-74.74174271971901', '-74.7'],
  ['1234.56789', '1235'],
  ['0.0000123456', '0.0000123'],
  ['1.23456E-8', '0.0000000123'],
  ['7.412', '7.412'],
  ['102.45', '102.45'],
  ['250000', '250000'],
  ['7.20', '7.20'],
  ['5E-1', '0.5'],
];

test('a number has no exponent, and the digits with which it was written', () => {
  for (const [written, says] of PLAIN) assert.equal(plainDecimal(written), says);
  const mexican = new Words({ language: 'es', locale: 'es-ES', catalogue: spanish });
  assert.equal(mexican.decimal('5.0E-1'), '0,50');
  assert.equal(ENGLISH.decimal('3.0E+1'), '30');
});

test('a number that a program computed has three digits where there is little room', () => {
  for (const [written, says] of BRIEF) assert.equal(briefDecimal(written), says);
  assert.equal(ENGLISH.brief.decimal('0.5590041358494067'), '0.559');
  assert.equal(ENGLISH.brief, ENGLISH.brief);
  assert.equal(ENGLISH.brief.brief, ENGLISH.brief);
  assert.equal(ENGLISH.decimal('0.5590041358494067'), '0.5590041358494067');
});

test('doses, supplies, ranges and ratios of a record have no exponents', () => {
  const record = (type: string, members: string) =>
    spaced(meaningOf(ENGLISH, parsed(`{"resourceType":"${type}","id":"x",${members}}`) as Resource).value);
  const dose = '"doseAndRate":[{"doseQuantity":{"value":5E-1,"unit":"tablet"}}]';
  assert.match(record('MedicationRequest', `"dosageInstruction":[{${dose}}]`), /^0\.5 tablets?$/);
  assert.match(record('Immunization', '"doseQuantity":{"value":5.0e-1,"unit":"mL"}'), /0\.50 mL/);
  assert.match(record('MedicationDispense', '"quantity":{"value":3.0E+1,"unit":"tablet"}'), /^30 tablets/);
  const ends = '"low":{"value":1E+1,"unit":"/HPF"},"high":{"value":2.0E+1,"unit":"/HPF"}';
  assert.match(record('Observation', `"valueRange":{${ends}}`), /10–20 \/HPF/);
  const parts = '"numerator":{"value":1E0},"denominator":{"value":1.6E+2}';
  assert.equal(record('Observation', `"valueRatio":{${parts}}`), '1 : 160');
});
