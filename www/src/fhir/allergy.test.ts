import assert from 'node:assert/strict';
import { test } from 'node:test';
import { absenceText, allergyLists } from './allergy.ts';
import type { AllergyIntolerance } from './types.ts';

const coded = (code: string): AllergyIntolerance => ({
  resourceType: 'AllergyIntolerance',
  id: 'a',
  code: { coding: [{ code }], text: 'Penicillin, anaphylaxis' },
  criticality: 'high',
});

test('a code that is the name of a member of every object is an allergy like any other', () => {
  for (const name of ['toString', 'constructor', 'valueOf', 'hasOwnProperty', '__proto__']) {
    const allergy = coded(name);
    const { active, noneKnown } = allergyLists([allergy]);
    assert.deepEqual([active, noneKnown], [[allergy], []], name);
    assert.equal(absenceText(allergy), '');
  }
  assert.equal(allergyLists([coded('716186003')]).noneKnown.length, 1);
});

test('an entry that says that nobody has asked is neither an allergy nor the absence of one', () => {
  const { active, noneKnown, notAsked } = allergyLists([coded('1631000175102'), coded('716186003'), coded('91936005')]);
  const codes = (list: AllergyIntolerance[]) => list.map(({ code }) => code?.coding?.[0]?.code);
  assert.deepEqual([active, noneKnown, notAsked].map(codes), [['91936005'], ['716186003'], ['1631000175102']]);
});
