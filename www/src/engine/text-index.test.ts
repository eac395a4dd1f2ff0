import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextIndex } from './text-index.ts';

/** Folds a text as the engine does, as far as these tests need. */
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s-]+/g, ' ')
    .trim();

const line = (resource: unknown): string => `${JSON.stringify(resource)}\n`;
const addresses = (all: TextIndex, words: string): string[] => all.find(words, 9).map(({ address }) => address);

function index(): TextIndex {
  const all = new TextIndex(fold);
  all.add(
    line({
      resourceType: 'Condition',
      id: 'c',
      code: { text: 'Diabetes' },
      note: [{ text: 'Metformin helps.' }],
    }) +
      line({
        resourceType: 'MedicationRequest',
        id: 'm',
        medicationCodeableConcept: {
          coding: [{ system: 'http://rx', code: '860975', display: 'Métformin 500 MG' }],
        },
        subject: { reference: 'Patient/metformin' },
      }) +
      'oops\n\n7\n',
  );
  all.add(
    '{"resourceType":"Observation","id":"o","code":{"text":"Hemoglobin A1c"},"identifier":[{"value":"4711"}],' +
      '"valueQuantity":{"value":7.0,"unit":"%","code":"%"},"effectiveDateTime":"2026-05-12"}\n' +
      line({ resourceType: 'Observation', id: 'without' }) +
      line({ id: 'no type', code: { text: 'Diabetes' } }) +
      line({ resourceType: 'Condition', id: 'c', code: { text: 'added twice' } }),
  );
  return all;
}

test('names, codes, values, dates and notes are found by the beginning of their words', () => {
  const all = index();
  const found = (words: string): string[] => addresses(all, words);
  assert.deepEqual(found('metformin'), ['MedicationRequest/m', 'Condition/c'], 'what is named so comes first');
  for (const [words, address] of [
    ['METF 500', 'MedicationRequest/m'],
    ['860975', 'MedicationRequest/m'],
    ['a1c 7.0', 'Observation/o'],
    ['2026-05', 'Observation/o'],
    ['4711', 'Observation/o'],
    ['helps diab', 'Condition/c'],
  ] as const) {
    assert.deepEqual(found(words), [address], words);
  }
  for (const none of ['', '  ', 'etformin', 'diabetes insulin', 'unitsofmeasure', 'Patient', 'twice', '7.00']) {
    assert.deepEqual(found(none), [], none);
  }
  assert.equal(all.find('metformin', 1).length, 1);
  const [note] = all.find('helps', 1);
  assert.deepEqual([note?.element, note?.text], ['note', 'Metformin helps.']);
});

test('a quantity is one text with the digits that it was written with, and a long text is cut', () => {
  const all = index();
  assert.equal(all.find('7.0', 1)[0]?.text, '7.0 %');
  all.add(line({ resourceType: 'Condition', id: 'long', note: [{ text: `${'x'.repeat(4_000)} end` }] }));
  assert.deepEqual(all.find('end', 1), []);
  assert.equal(all.find('xxx', 1)[0]?.text.length, 4_000);
});

test('resources of the types that are named come first', () => {
  const all = new TextIndex(fold);
  const of = (resourceType: string): string => line({ resourceType, id: 'x', note: [{ text: 'Asthma' }] });
  all.add(['Basic', 'Goal', 'Observation', 'Condition'].map(of).join(''), ['Condition', 'Observation']);
  assert.deepEqual(addresses(all, 'asthma'), ['Condition/x', 'Observation/x', 'Basic/x', 'Goal/x']);
});

test('letters of another width are found by those of the usual one, and the other way round', () => {
  const all = index();
  const text = JSON.stringify({ resourceType: 'Condition', id: 'w', code: { text: 'ＡＢＣ試験 ｱｽﾋﾟﾘﾝ 過敏症' } });
  all.add(text);
  for (const words of ['abc', 'ＡＢＣ', 'アスピリン', 'ｱｽﾋﾟﾘﾝ', '過敏症']) {
    assert.deepEqual(addresses(all, words), ['Condition/w'], words);
  }
});

test('words that the page makes of a record find it, and its name comes before what mentions it', () => {
  const all = index();
  const found = (words: string): string[] => addresses(all, words);
  assert.deepEqual(found('lunes'), []);
  all.describe([
    ['MedicationRequest/m', 'Glucophage', '500 mg, una vez por semana, los lunes', 'Métformin 500 MG'],
    ['Observation/o', '', 'preliminary'],
    ['Condition/none', 'Glucophage'],
    ['Condition/c', '', 'under Glucophage'],
  ]);
  assert.deepEqual(found('lunes 500'), ['MedicationRequest/m']);
  assert.deepEqual(found('preliminary'), ['Observation/o']);
  assert.deepEqual(found('glucophage'), ['MedicationRequest/m', 'Condition/c']);
  const [dose] = all.find('semana', 1);
  assert.deepEqual([dose?.element, dose?.text], ['words', '500 mg, una vez por semana, los lunes']);
});

test('the texts of a load are folded in one call, and so are the words of a description', () => {
  let calls = 0;
  const all = new TextIndex((text) => {
    calls += 1;
    return fold(text);
  });
  const ids = Array.from({ length: 1_000 }, (_, i) => `o${i}`);
  all.add(ids.map((id) => line({ resourceType: 'Observation', id, code: { text: `Test ${id}` } })).join(''));
  assert.equal(calls, 1);
  all.describe(ids.map((id) => [`Observation/${id}`, `Name ${id}`]));
  assert.equal(calls, 2);
  assert.deepEqual([all.find('test o999', 9).length, all.find('name o999', 9).length], [1, 1]);
});

test('a number with an exponent is found and shown as people write it', () => {
  const index = new TextIndex((text) => text.toLowerCase());
  index.add('{"resourceType":"Observation","id":"e","valueQuantity":{"value":5E-1,"unit":"mg"}}');
  assert.equal(index.find('0.5', 1)[0]?.text, '0.5 mg');
});
