import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SPANISH } from '../../language/spanish.ts';
import { ENGLISH } from '../../language/words.ts';
import { shortName } from './names.ts';

test('a LOINC name is cut before the parts for laboratories', () => {
  for (const [name = '', main, rest] of [
    ['Blood pressure panel with all children optional', 'Blood pressure', ''],
    ['Creatinine [Mass/volume] in Serum or Plasma', 'Creatinine', 'Serum or Plasma'],
    ['Hemoglobin A1c/Hemoglobin.total in Blood', 'Hemoglobin A1c', 'Blood'],
    ['Body mass index (BMI) [Percentile] Per age and sex', 'Body mass index (BMI) percentile', 'Per age and sex'],
    [
      'Glucose [Mass/volume] in Serum or Plasma --1 hour post 50 g glucose PO',
      'Glucose, 1 hour post 50 g glucose PO',
      'Serum or Plasma',
    ],
    ['Total score [MoCA]', 'Total score [MoCA]', ''],
    ['Heart rate', 'Heart rate', ''],
    ['Cholesterol in HDL [Mass/volume] in Serum or Plasma', 'Cholesterol in HDL', 'Serum or Plasma'],
  ]) {
    assert.deepEqual(shortName(ENGLISH, name), { main, rest });
  }
});

test('measurements of the body are named in the language of the page, as vital signs are', () => {
  for (const [name = '', main] of [
    ['Body weight', 'Peso corporal'],
    ['Body height --lying', 'Estatura, lying'],
    ['Body mass index (BMI) [Ratio]', 'Índice de masa corporal (IMC)'],
    ['Body mass index (BMI) [Percentile] Per age and sex', 'Índice de masa corporal (IMC), percentil'],
    ['Head Occipital-frontal circumference', 'Perímetro cefálico occipitofrontal'],
    ['Heart rate', 'Frecuencia cardíaca'],
    ['Creatinine [Mass/volume] in Serum or Plasma', 'Creatinine'],
  ])
    assert.equal(shortName(SPANISH, name).main, main);
});
