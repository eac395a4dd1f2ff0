import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGLISH } from '../language/words.ts';
import { firstText, firstWritten, textAt, valuesAt, valueText } from './element-text.ts';
import { parsed } from './json.ts';

test('data types are told apart by their members', () => {
  for (const [value, expected] of [
    [{ text: 'Asthma', coding: [{ code: 'a' }] }, 'Asthma'],
    [{ value: 5, unit: 'mg', system: 'http://unitsofmeasure.org', code: 'mg' }, '5\u00a0mg'],
    [{ value: 12.5, currency: 'EUR' }, '12.5 EUR'],
    [{ system: 'urn:x', value: 'A-1' }, 'A-1'],
    [{ system: 'phone', value: '555', use: 'home', rank: 1 }, '555 (home)'],
    [{ system: 'urn:x', code: 'CT', display: 'Computed tomography' }, 'Computed tomography'],
    [{ start: '2025-01-01' }, 'since 1\u00a0Jan\u00a02025'],
    [{ reference: 'Device/a', display: 'Pacemaker' }, 'Pacemaker'],
    [{ low: { value: 1 }, high: { value: 2 } }, '1 – 2'],
    [{ numerator: { value: 1 }, denominator: { value: 128 } }, '1 / 128'],
    [{ family: 'Quill', given: ['Vera'] }, 'Vera Quill'],
    [{ contentType: 'image/png', data: 'aaaa' }, 'image/png'],
    [{ text: 'A note', time: '2025-01-01' }, 'A note — 1\u00a0Jan\u00a02025'],
    [{ text: 'A note\r\n', authorReference: { display: 'Dr Herzog' } }, 'A note — Dr Herzog'],
    ['2025-01-01', '1\u00a0Jan\u00a02025'],
    ['entered-in-error', 'entered in error'],
    ['An x-ray of the chest', 'An x-ray of the chest'],
    [true, 'yes'],
    [0.02, '0.02'],
  ] as const) {
    assert.equal(valueText(ENGLISH, value), expected, JSON.stringify(value));
  }
});

test('groups and odd values have no words, and nothing throws', () => {
  for (const value of [
    {},
    { code: { text: 'a' }, value: 1 },
    { text: 7 },
    { coding: 'x' },
    [],
    null,
    undefined,
    '',
    { value: {} },
  ])
    assert.equal(valueText(ENGLISH, value), undefined, JSON.stringify(value));
});

test('paths lead through lists, and never to a member of every object', () => {
  const resource = { prediction: [{ outcome: { text: 'A' } }, { outcome: { text: 'B' } }, null, 7], date: ['x'] };
  assert.equal(textAt(ENGLISH, resource, 'prediction.outcome'), 'A, B');
  assert.equal(textAt(ENGLISH, resource, 'prediction.outcome', 'prediction.outcome'), 'A, B');
  assert.equal(textAt(ENGLISH, parsed('{"lens":[{"sphere":-2.50E0}]}'), 'lens.sphere'), '-2.50');
  assert.equal(firstText(ENGLISH, resource, ['none', 'prediction.outcome']), 'A, B');
  assert.equal(firstWritten(resource, ['prediction', 'date']), 'x');
  for (const path of ['constructor', 'toString.name', '__proto__', 'prediction.constructor'])
    assert.deepEqual(valuesAt(resource, path), [], path);
});
