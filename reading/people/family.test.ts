import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FamilyMemberHistory } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { deceasedText, familyCondition, familyConditions } from './family.ts';

const relative = (more: Partial<FamilyMemberHistory>): FamilyMemberHistory => ({
  resourceType: 'FamilyMemberHistory',
  id: 'a',
  ...more,
});

test('a condition of a relative says when it began, and whether it led to the death', () => {
  const code = { text: 'Stroke' };
  assert.equal(familyCondition(ENGLISH, { code }), 'Stroke');
  assert.equal(
    familyCondition(ENGLISH, { code, onsetAge: { value: 61, unit: 'years' } }),
    'Stroke (at age 61\u00a0years)',
  );
  assert.equal(
    familyCondition(ENGLISH, {
      code,
      onsetRange: { low: { value: 40 }, high: { value: 50 } },
      contributedToDeath: true,
    }),
    'Stroke (at age 40 – 50, contributed to the death)',
  );
  assert.equal(familyCondition(ENGLISH, { onsetString: 'late' }), 'Condition not named (late)');
  const noted = { code, onsetString: 'late', note: [{ text: 'While swimming.' }] };
  assert.equal(familyCondition(ENGLISH, noted), 'Stroke (late): While swimming.');
  assert.equal(
    familyConditions(ENGLISH, relative({ condition: [{ code }, { code: { text: 'Gout' } }] })),
    'Stroke; Gout',
  );
  assert.equal(familyConditions(ENGLISH, relative({})), undefined);
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
