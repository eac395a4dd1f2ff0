import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { converted, dimensionOf, isSameUnit } from './convert.ts';
import { CODE_CASES, SPELLING_CASES } from './units.cases.ts';

interface Ucum {
  convertUnitTo(from: string, value: number, to: string): { status: string; toVal: number | null };
}
const { UcumLhcUtils } = createRequire(import.meta.url)('@lhncbc/ucum-lhc') as {
  UcumLhcUtils: { getInstance(): Ucum };
};

const close = (a: number | undefined, b: number | undefined, says: string): void => {
  if (a === undefined || b === undefined) assert.equal(a, b, says);
  else assert.ok(Math.abs(a - b) <= 1e-4 * Math.max(1, Math.abs(b)), `${says}: ${a}, not ${b}`);
};

test('values are converted within a dimension, and never beyond', () => {
  for (const { from, value, unit, to, is } of [...CODE_CASES, ...SPELLING_CASES]) {
    const says = `${from}: ${value} ${unit} in ${to}`;
    close(converted(value, { unit }, { unit: to }), is, says);
    close(converted(value, { code: unit }, { code: to }), is, says);
    if (is !== undefined) close(converted(is, { unit: to }, { unit }), value, `${says}, and back`);
  }
});

test('between codes of UCUM the values are those of another implementation', () => {
  const ucum = UcumLhcUtils.getInstance();
  for (const { value, unit, to, is } of CODE_CASES) {
    const { status, toVal } = ucum.convertUnitTo(unit, value, to);
    close(status === 'succeeded' ? (toVal ?? undefined) : undefined, is, `${value} ${unit} in ${to}`);
  }
});

test('of ions of a single charge mEq and mmol are the same number', () => {
  const potassium = { coding: [{ code: '2823-3' }] };
  const calcium = { coding: [{ code: '17861-6' }] };
  assert.equal(converted(4.1, { code: 'meq/L' }, { code: 'mmol/L' }, potassium), 4.1);
  assert.equal(converted(4.1, { code: 'meq/L' }, { code: 'mmol/L' }, calcium), undefined);
});

test('the code of a unit goes before its text, and a missing unit is taken to be the same', () => {
  assert.equal(converted(5, { code: 'g/L', unit: 'odd' }, { unit: 'mg/dL' }), 500);
  assert.equal(converted(5, { code: 'mmol/L', unit: 'mg/dL' }, { code: 'mmol/L' }), undefined, 'a contradiction');
  assert.equal(converted(5, { code: 'odd', unit: 'g/L' }, { unit: 'mg/dL' }), 500);
  assert.equal(converted(5, {}, { unit: 'mg/dL' }), 5);
  assert.ok(isSameUnit({ unit: 'beats/minute', code: '/min' }, { code: '/min' }));
  assert.ok(!isSameUnit({ unit: 'mg/L FEU', code: 'mg/L' }, { unit: 'mg/L DDU', code: 'mg/L' }));
  assert.ok(!isSameUnit({ code: '%' }, { code: 'mmol/mol' }));
  assert.equal(dimensionOf({ unit: '10*3/uL' }), 'cells');
  assert.equal(dimensionOf({ unit: 'tablet' }), undefined);
});
