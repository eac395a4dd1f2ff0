import assert from 'node:assert/strict';
import { test } from 'node:test';
import { containedIn, isInside } from '../fhir/contained.ts';
import type { Resource } from '../fhir/types.ts';
import { SPANISH } from '../language/spanish.ts';
import { ENGLISH } from '../language/words.ts';
import { meaningOf } from '../records/meaning.ts';
import { imageCounts, imagedSites, modalities, studyName, studyReason } from './imaging.ts';

const DCM = 'http://dicom.nema.org/resources/ontology/DCM';
const study = (more: Record<string, unknown>): Resource => ({ resourceType: 'ImagingStudy', id: 's', ...more });
const KNEES = study({
  started: '2025-03-01',
  modality: [{ system: DCM, code: 'MR' }],
  numberOfSeries: 3,
  reasonCode: [{ text: 'Pain' }],
  series: [
    {
      modality: { system: DCM, code: 'MR' },
      bodySite: { display: 'Knee' },
      laterality: { system: 'http://snomed.info/sct', code: '7771000', display: 'Left' },
      numberOfInstances: 20,
    },
    {
      modality: { system: DCM, code: 'SR' },
      bodySite: { display: 'Knee' },
      laterality: { code: '24028007' },
      instance: [{}],
    },
  ],
});

test('a study says how, of which part and side, and how many series and images', () => {
  assert.equal(modalities(ENGLISH, KNEES), 'MR, SR');
  assert.deepEqual(imagedSites(ENGLISH, KNEES), ['Knee (left)', 'Knee (right)']);
  assert.equal(imageCounts(ENGLISH, KNEES), '3 series, 21 images');
  assert.equal(studyName(ENGLISH, KNEES), 'MR, SR');
  assert.equal(studyReason(ENGLISH, KNEES), 'Pain');
  const { kind, what, when, value } = meaningOf(ENGLISH, { ...KNEES, description: 'MRI of both knees' } as Resource);
  assert.deepEqual([kind, what, when], ['Imaging study', 'MRI of both knees', '2025-03-01']);
  assert.equal(value, 'MR, SR; Knee (left), Knee (right); 3 series, 21 images; Reason: Pain');
});

test('in Spanish the sides are Spanish', () => {
  assert.deepEqual(imagedSites(SPANISH, KNEES), ['Knee (izquierdo)', 'Knee (derecho)']);
  assert.equal(imageCounts(SPANISH, KNEES), '3 series, 21 imágenes');
});

test('concepts of R5, sides that are said twice, and odd shapes throw nothing', () => {
  const r5 = study({
    modality: [{ coding: [{ system: DCM, code: 'CT' }] }],
    numberOfInstances: '7',
    series: [
      { bodySite: { text: 'Left hip' }, laterality: { text: 'left' } },
      { laterality: { display: 'Bilateral' } },
      7,
      null,
    ],
  });
  assert.equal(modalities(ENGLISH, r5), 'CT');
  assert.deepEqual(imagedSites(ENGLISH, r5), ['Left hip', 'Bilateral']);
  assert.equal(imageCounts(ENGLISH, r5), '2 series, 7 images');
  const odd = study({ modality: ['constructor', 3, { code: '__proto__' }], series: 'x', numberOfSeries: {}, note: 4 });
  assert.equal(modalities(ENGLISH, odd), 'constructor, 3, __proto__');
  assert.deepEqual(
    [imagedSites(ENGLISH, odd), imageCounts(ENGLISH, odd), studyReason(ENGLISH, odd)],
    [[], '', undefined],
  );
  assert.equal(
    modalities(ENGLISH, study({ modality: [{ system: 'http://local.example', code: 'CT', display: 'Ours' }] })),
    'Ours',
  );
  assert.equal(studyName(ENGLISH, study({})), undefined);
});

test('what a record contains is found by its id, also where the id has the sign', () => {
  const record = { contained: [{ id: 'a', n: 1 }, { id: '#b', n: 2 }, 7, null, { id: 3 }] };
  assert.deepEqual(containedIn(record, '#a'), { id: 'a', n: 1 });
  assert.deepEqual(containedIn(record, '#b'), { id: '#b', n: 2 });
  for (const reference of ['#', '#c', '#3', 'a', '', 'https://a.example/note#a', undefined])
    assert.equal(containedIn(record, reference), undefined);
  assert.equal(containedIn({ contained: 'x' }, '#a'), undefined);
  assert.deepEqual(['#a', '#', 'Binary/a', undefined].map(isInside), [true, false, false, false]);
});
