import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Immunization } from '../fhir/types.ts';
import { SPANISH } from '../language/spanish.ts';
import { ENGLISH } from '../language/words.ts';
import { immunizationDose } from './immunization-dose.ts';

const measles = { text: 'measles' };

test('the dose of an immunization is its number in its series, and its amount', () => {
  const cases: [elements: object, en: string | undefined, es: string | undefined][] = [
    [{}, undefined, undefined],
    [{ protocolApplied: [{ doseNumberPositiveInt: 2 }] }, 'dose 2', 'dosis 2'],
    [{ protocolApplied: [{ doseNumberPositiveInt: 2, seriesDosesPositiveInt: 3 }] }, 'dose 2 of 3', 'dosis 2 de 3'],
    [{ protocolApplied: [{ doseNumberString: '2', seriesDosesString: '3' }] }, 'dose 2 of 3', 'dosis 2 de 3'],
    [{ protocolApplied: [{ doseStatus: { text: 'Does not count' } }] }, 'dose Does not count', 'dosis Does not count'],
    [{ protocolApplied: [{ doseNumber: '2', seriesDoses: '3' }] }, 'dose 2 of 3', 'dosis 2 de 3'],
    [
      { protocolApplied: [{ seriesDosesPositiveInt: 3 }] },
      'dose number not recorded, of 3',
      'dosis número no registrado, de 3',
    ],
    [
      { protocolApplied: [{ doseNumberPositiveInt: 1, series: 'Childhood', targetDisease: [measles] }] },
      'dose 1, Childhood, against measles',
      'dosis 1, Childhood, contra measles',
    ],
    [{ protocolApplied: [{ doseNumberPositiveInt: 1 }, { doseNumberPositiveInt: 3 }] }, 'dose 1; 3', 'dosis 1; 3'],
    [{ doseQuantity: { value: 0.5, unit: 'mL' } }, '0.5 mL', '0,5 mL'],
    [
      { isSubpotent: true, subpotentReason: [{ text: 'Cold chain break' }] },
      'Why it may not protect: Cold chain break',
      'Por qué puede no proteger: Cold chain break',
    ],
    [{ doseQuantity: { value: 0.5 } }, '0.5 (unit not recorded)', '0,5 (unidad no registrada)'],
    [
      { doseQuantity: { value: 0.5, code: 'mL' }, protocolApplied: [{ doseNumberString: 'booster' }] },
      'dose booster, 0.5 mL',
      'dosis booster, 0,5 mL',
    ],
  ];
  for (const [elements, en, es] of cases) {
    const immunization = { resourceType: 'Immunization', id: 'i', ...elements } as Immunization;
    assert.equal(immunizationDose(ENGLISH, immunization)?.replaceAll('\u00a0', ' '), en);
    assert.equal(immunizationDose(SPANISH, immunization)?.replaceAll('\u00a0', ' '), es);
  }
});
