import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FLAGS, type Flag, flag } from './flag.ts';
import type { Concept } from './types.ts';

const interpreted = (code: string): Concept[] => [{ coding: [{ code }] }];

test('a flag is the laboratory’s; only without one the range decides, and never across units', () => {
  const referenceRange = [{ low: { value: 4, code: '%' }, high: { value: 5.6, code: '%' } }];
  const percent = (value: number): { value: number; code: string } => ({ value, code: '%' });
  const normal = interpreted('N');
  assert.equal(flag({ valueQuantity: percent(9), interpretation: normal, referenceRange }), undefined);
  assert.equal(flag({ valueQuantity: percent(8), referenceRange }), 'high');
  assert.equal(flag({ valueQuantity: percent(3), referenceRange }), 'low');
  assert.equal(flag({ valueQuantity: { value: 75, code: 'mmol/mol' }, referenceRange }), undefined);
  assert.equal(flag({ valueQuantity: { value: 5 }, interpretation: interpreted('HH') }), 'critical-high');
  assert.equal(flag({ valueString: 'cloudy' }), undefined);
});

test('far outside the range is told from slightly outside: by the laboratory, or by the distance', () => {
  const cases: [value: number, low: number | undefined, high: number | undefined, code: string, flag?: Flag][] = [
    [5.7, 4, 5.6, '', 'high'],
    [8.4, 4, 5.6, '', 'high'],
    [8.5, 4, 5.6, '', 'far-high'],
    [8.5, 4, 5.6, 'H', 'far-high'],
    [8.5, 4, 5.6, 'HH', 'critical-high'],
    [8.5, 4, 5.6, 'N'],
    [5.7, 4, 5.6, 'HU', 'far-high'],
    [53, 60, undefined, 'L', 'low'],
    [39, 60, undefined, 'L', 'far-low'],
    [39, 60, undefined, 'LL', 'critical-low'],
    [164, 136, 145, '', 'far-high'],
    [2.3, 3.5, 5.1, '', 'far-low'],
    [1, undefined, 0, '', 'high'],
    [9, undefined, undefined, 'H', 'high'],
  ];
  for (const [value, low, high, code, expected] of cases) {
    const found = flag({
      valueQuantity: { value },
      referenceRange: [
        {
          ...(low === undefined ? {} : { low: { value: low } }),
          ...(high === undefined ? {} : { high: { value: high } }),
        },
      ],
      ...(code ? { interpretation: interpreted(code) } : {}),
    });
    assert.equal(found, expected, `${value} in ${low}–${high}, ${code}`);
  }
});

test('each flag has a sign and a word', () => {
  const shown = ([one]: [Flag]): string => `${FLAGS[one].sign} ${FLAGS[one].says}`;
  assert.equal(shown(['high']), '▲ High');
  assert.equal(shown(['far-high']), '▲▲ Far above');
  assert.equal(shown(['critical-high']), '▲▲ Critically high');
});
