import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SPANISH } from '../language/spanish.ts';
import { ENGLISH } from '../language/words.ts';
import { own } from '../own.ts';
import { allergyLists, reactionText } from '../problems/allergy.ts';
import { problemLists } from '../problems/problem.ts';
import { meaningOf } from '../records/meaning.ts';
import { CERTAINTY_CASES } from './certainty.cases.ts';
import { cautionOf, isModified, modifierText, statusCaution } from './certainty.ts';
import { type CertaintyCase, IN_SPANISH } from './certainty-row.cases.ts';
import { ofType, type Resource } from './types.ts';

/** Returns the name of the list that contains a record; `-` for a type without lists. */
function placeOf({ resource }: CertaintyCase): string {
  const lists = { ...problemLists(ofType('Condition', [resource])), ...rest(resource) };
  return Object.entries(lists).find(([, list]) => list.includes(resource as never))?.[0] ?? '-';
}
const rest = (resource: CertaintyCase['resource']) =>
  resource.resourceType === 'AllergyIntolerance' ? allergyLists(ofType('AllergyIntolerance', [resource])) : {};

for (const one of CERTAINTY_CASES) {
  const { name, resource, where, en } = one;
  test(`${resource.resourceType}, ${name}`, () => {
    assert.equal(placeOf(one), where);
    assert.equal(cautionOf(ENGLISH, resource) ?? '', en);
    assert.equal(meaningOf(ENGLISH, resource).caution ?? '', en);
    assert.equal(cautionOf(SPANISH, resource) ?? '', own(IN_SPANISH, en) ?? en);
  });
}

test('the certainty of a reaction is told (DSTU2)', () => {
  assert.equal(reactionText(ENGLISH, { description: 'Hives', certainty: 'unlikely' }, ''), 'Hives (unlikely)');
});

test('an extension that changes the meaning is told beside the name, also of a plain fact', () => {
  const modifierExtension = [{ url: 'https://example.org/StopType', valueString: 'definitive' }];
  const order = { resourceType: 'MedicationRequest', id: 'm', status: 'active', intent: 'order' };
  assert.equal(
    cautionOf(ENGLISH, { ...order, modifierExtension } as Resource),
    'changed by something not understood: stop type: definitive',
  );
  for (const odd of [undefined, null, [], '']) {
    assert.equal(cautionOf(ENGLISH, { ...order, modifierExtension: odd } as Resource), undefined);
  }
  assert.match(cautionOf(ENGLISH, { ...order, modifierExtension: [7] } as Resource) ?? '', /not understood/);
});

test('an extension that changes the meaning of a part is told with the name of the part, in every type', () => {
  const modifierExtension = [{ url: 'https://example.org/negated', valueBoolean: true }];
  const says = 'changed by something not understood:';
  for (const resourceType of ['AllergyIntolerance', 'Condition', 'Observation', 'Immunization', 'Encounter', 'Any']) {
    const record: Resource = { resourceType, id: 'a', ...{ modifierExtension } };
    assert.equal(modifierText(ENGLISH, record), `${says} negated: true`);
    assert.ok(isModified(record));
    assert.equal(statusCaution(ENGLISH, record)?.includes(says) ?? false, false);
  }
  const allergy: Resource = { resourceType: 'AllergyIntolerance', id: 'a', ...{ reaction: [{ modifierExtension }] } };
  assert.equal(modifierText(ENGLISH, allergy), `${says} reaction: negated: true`);
  const inside = { contained: [{ resourceType: 'Medication', id: 'm', modifierExtension }] };
  assert.equal(isModified({ resourceType: 'MedicationRequest', id: 'a', ...inside }), false);
});
