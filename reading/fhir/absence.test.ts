import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGLISH } from '../language/words.ts';
import { allergyLists, allergyName, isNoneOfAll } from '../problems/allergy.ts';
import { problemName } from '../problems/problem.ts';
import { ALLERGY_TEXTS } from './absence.cases.ts';
import { absenceOf, saysNone } from './absence.ts';
import type { AllergyIntolerance, Concept } from './types.ts';

test('a text states that no allergy is known, if none of its words may name one', () => {
  for (const [text, isNone] of ALLERGY_TEXTS) assert.equal(saysNone('allergies', text), isNone, text);
  assert.ok(!saysNone('allergies', `${'no known allergies, '.repeat(500)}x`), 'a long text is read in time');
});

const none = (code: string, more: Concept = {}, display?: string): Concept => ({
  ...more,
  coding: [{ system: 'http://snomed.info/sct', code, ...(display ? { display } : {}) }, ...(more.coding ?? [])],
});
const NO_DRUG = 'coded as No known drug allergies';

test('a code of absence does not hide what is named beside it', () => {
  const rows: [code: Concept, reaction: object | undefined, name: string | undefined][] = [
    [none('409137002'), { substance: { text: 'Amoxicillin' } }, `Amoxicillin (${NO_DRUG})`],
    [none('409137002'), { severity: 'severe' }, `Substance not named (${NO_DRUG})`],
    [none('409137002', { text: 'Penicillin' }), undefined, `Penicillin (${NO_DRUG})`],
    [none('409137002', { coding: [{ display: 'Penicillin' }] }), undefined, `Penicillin (${NO_DRUG})`],
    [none('409137002', { text: 'NKDA', coding: [{ display: 'Status' }] }), undefined, undefined],
    [none('409137002', { text: 'lääkeallergiaa ei ole' }, 'Lääkeallergiaa ei ole'), undefined, undefined],
    [none('409137002', { text: 'Sin alergias a medicamentos' }), { manifestation: [] }, undefined],
    [none('1631000175102', { text: 'Not asked' }), undefined, undefined],
  ];
  for (const [code, reaction, name] of rows) {
    const allergy = { resourceType: 'AllergyIntolerance', id: 'a', code, reaction: reaction && [reaction] };
    const { active } = allergyLists([allergy as AllergyIntolerance]);
    assert.deepEqual(
      active.map((a) => allergyName(ENGLISH, a)),
      name === undefined ? [] : [name],
    );
  }
});

test('a problem that is none is said as recorded, and a name beside the code of none is a problem', () => {
  const of = (code: Concept): string | undefined => absenceOf(ENGLISH, code)?.text;
  for (const text of ['None', 'No known problems', 'No known allergies', 'No significant conditions'])
    assert.equal(of({ text }), `Recorded as text: “${text}”`);
  for (const text of ['No pulse', 'None of these', 'Condition', 'No problems except pain'])
    assert.equal(of({ text }), undefined);
  const code = none('160245001', { text: 'Epilepsy' });
  assert.equal(of(code), undefined);
  const named = problemName(ENGLISH, { resourceType: 'Condition', id: 'c', code });
  assert.equal(named, 'Epilepsy (coded as No current problem or disability)');
  const latex: AllergyIntolerance = { resourceType: 'AllergyIntolerance', id: 'a', code: { text: 'No latex allergy' } };
  assert.equal(isNoneOfAll(latex), false);
});
