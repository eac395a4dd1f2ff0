import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGLISH } from '../language/words.ts';
import { printedUnit, printedUnitOf } from './units.ts';

const spaced = (text: string): string => text.replaceAll('\u00a0', ' ');

test('units are printed as people write them', () => {
  const printed: Record<string, string> = {
    'mm[Hg]': 'mmHg',
    mmHg: 'mmHg',
    'beats/minute': 'beats/min',
    '{beats}/min': 'beats/min',
    '/min': '/min',
    Cel: '°C',
    '[degF]': '°F',
    'kg/m2': 'kg/m²',
    'g/cm2': 'g/cm²',
    '10*3/uL': '×10³/µL',
    '10*6/uL': '×10⁶/µL',
    '10*12/L': '×10¹²/L',
    'ug/dL': 'µg/dL',
    'umol/L': 'µmol/L',
    'u[IU]/mL': 'µIU/mL',
    'm[IU]/L': 'mIU/L',
    '[iU]/L': 'IU/L',
    'U/L': 'U/L',
    'mL/min/{1.73_m2}': 'mL/min/1.73 m²',
    'mL/min/1.73m2': 'mL/min/1.73 m²',
    '{score}': '',
    '{ScoreOf}': '',
    '{#}': '',
    'mg/g{creat}': 'mg/g',
    'ug/mL{FEU}': 'µg/mL FEU',
    '{puff}': 'puff',
    '{copies}/mL': 'copies/mL',
    '{#}/uL': '/µL',
    '/{HPF}': '/HPF',
    'ug/{g_creat}': 'µg/g creat',
    'mEq/L': 'mEq/L',
    '%': '%',
    unspecified: 'unspecified',
  };
  assert.equal(printedUnitOf(ENGLISH, { unit: 'µg/mL', code: 'ug/mL{FEU}' }), 'µg/mL FEU');
  assert.equal(printedUnitOf(ENGLISH, { unit: 'FEU µg/mL', code: 'ug/mL{FEU}' }), 'FEU µg/mL');
  for (const odd of ['{', '/{']) assert.ok(printedUnit(ENGLISH, odd.repeat(20_000)).length > 0, odd);
  for (const [unit, text] of Object.entries(printed)) assert.equal(spaced(printedUnit(ENGLISH, unit)), text, unit);
});

test('units of counted things are in singular or plural', () => {
  assert.equal(printedUnit(ENGLISH, 'tablet', 1), 'tablet');
  assert.equal(printedUnit(ENGLISH, 'tablet', 90), 'tablets');
  assert.equal(printedUnit(ENGLISH, '{tbl}', 2), 'tablets');
  assert.equal(printedUnit(ENGLISH, 'd', 1), 'day');
  assert.equal(printedUnit(ENGLISH, 'd', 30), 'days');
  assert.equal(printedUnit(ENGLISH, 'h', 1), 'hour');
  assert.equal(printedUnit(ENGLISH, 'patch', 2), 'patches');
});
