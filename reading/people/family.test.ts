import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FamilyMemberHistory } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { deceasedText, familyEvents } from './family.ts';

const relative = (more: Partial<FamilyMemberHistory>): FamilyMemberHistory => ({
  resourceType: 'FamilyMemberHistory',
  id: 'a',
  ...more,
});

test('a condition of a relative says when it began, and whether it led to the death', () => {
  const code = { text: 'Stroke' };
  const said = (more: Partial<FamilyMemberHistory>): string[] => familyEvents(ENGLISH, relative(more));
  const condition = [
    { code },
    { code, onsetAge: { value: 61, unit: 'years' } },
    { code, onsetRange: { low: { value: 40 }, high: { value: 50 } }, contributedToDeath: true },
    { onsetString: 'late' },
    { code, onsetString: 'late', note: [{ text: 'While swimming.' }] },
  ];
  assert.deepEqual(said({ condition }), [
    'Stroke',
    'Stroke (at age 61\u00a0years)',
    'Stroke (at age 40 – 50, contributed to the death)',
    'Condition not named (late)',
    'Stroke (late): While swimming.',
  ]);
  const procedure = [{ code: { text: 'Bypass' }, performedDateTime: '2001' }, {}];
  assert.deepEqual(said({ procedure }), ['Bypass (2001)', 'Procedure not named']);
  assert.deepEqual(said({}), []);
});

test('a relative who has died is told from one who lives, and from one of whom nothing is said', () => {
  assert.equal(deceasedText(ENGLISH, relative({})), undefined);
  assert.equal(deceasedText(ENGLISH, relative({ deceasedBoolean: true })), 'Died');
  assert.equal(deceasedText(ENGLISH, relative({ deceasedBoolean: false })), 'Alive');
  assert.equal(deceasedText(ENGLISH, relative({ deceasedDate: '2001' })), 'Died 2001');
  assert.equal(deceasedText(ENGLISH, relative({ deceasedString: 'in the war' })), 'Died, in the war');
  const deceasedRange = { low: { value: 50, unit: 'a' }, high: { value: 60, unit: 'a' } };
  assert.match(deceasedText(ENGLISH, relative({ deceasedRange })) ?? '', /^Died, at age 50.* – 60/);
});
