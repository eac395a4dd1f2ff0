import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGLISH } from '../language/words.ts';
import { allergyLists, allergyName } from '../problems/allergy.ts';
import { problemName } from '../problems/problem.ts';
import { ALLERGY, NO_ALLERGY } from './absence.cases.ts';
import { absenceOf, saysNone } from './absence.ts';
import type { AllergyIntolerance, Concept } from './types.ts';

test('a text states that no allergy is known, if none of its words may name one', () => {
  const isNone = (text: string): boolean => saysNone('allergies', text);
  assert.deepEqual([...NO_ALLERGY, ...ALLERGY].filter(isNone), NO_ALLERGY);
  for (const one of ['no known allergies, ', 'no known medications known, '])
    for (const subject of ['allergies', 'medications', 'others'] as const)
      assert.ok(!saysNone(subject, `${one.repeat(500)}x`), 'a long text is read in time');
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
  ];
  for (const [code, reaction, name] of rows) {
    const allergy = { resourceType: 'AllergyIntolerance', id: 'a', code, reaction: reaction && [reaction] };
    const { active } = allergyLists([allergy as AllergyIntolerance]);
    assert.equal(active[0] && allergyName(ENGLISH, active[0]), name);
  }
});

test('a problem that is none is said as recorded, and a name beside the code of none is a problem', () => {
  const texts = ['None', 'No known problems', 'No known allergies', 'No pulse', 'No problems except pain'];
  assert.deepEqual(
    texts.filter((text) => absenceOf(ENGLISH, { text })),
    texts.slice(0, 3),
  );
  const code = none('160245001', { text: 'Epilepsy' });
  const name = problemName(ENGLISH, { resourceType: 'Condition', id: 'c', code });
  assert.equal(name, 'Epilepsy (coded as No current problem or disability)');
});
