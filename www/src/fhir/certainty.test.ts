import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { spanish } from '../language/es/catalogue.ts';
import { pageLanguage } from '../language/language.ts';
import { allergyLists } from './allergy.ts';
import { CERTAINTY_CASES, type CertaintyCase } from './certainty.cases.ts';
import { cautionOf } from './certainty.ts';
import { meaningOf } from './meaning.ts';
import { problemLists } from './problem.ts';
import { ofType, type Resource } from './types.ts';

const english = pageLanguage.value;
afterEach(() => {
  pageLanguage.value = english;
});

/** The name of the list in which a record stands; `-` for a type without lists. */
function placeOf({ resource }: CertaintyCase): string {
  const lists = { ...problemLists(ofType('Condition', [resource])), ...rest(resource) };
  return Object.entries(lists).find(([, list]) => list.includes(resource as never))?.[0] ?? '-';
}
const rest = (resource: CertaintyCase['resource']) =>
  resource.resourceType === 'AllergyIntolerance' ? allergyLists(ofType('AllergyIntolerance', [resource])) : {};

for (const one of CERTAINTY_CASES) {
  const { name, resource, where, en, es, source } = one;
  test(`${resource.resourceType}, ${name} (${source})`, () => {
    assert.equal(placeOf(one), where);
    assert.equal(cautionOf(resource) ?? '', en);
    assert.equal(meaningOf(resource).caution ?? '', en);
    pageLanguage.value = { language: 'es', locale: 'es-ES', catalogue: spanish };
    assert.equal(cautionOf(resource) ?? '', es);
  });
}

test('there are at least sixty cases, each with another name in its type', () => {
  assert.ok(CERTAINTY_CASES.length >= 60, `${CERTAINTY_CASES.length}`);
  const names = CERTAINTY_CASES.map(({ resource, name }) => `${resource.resourceType} ${name}`);
  assert.equal(new Set(names).size, names.length);
});

test('an extension that changes the meaning is told beside the name, also of a plain fact', () => {
  const modifierExtension = [{ url: 'https://example.org/StopType', valueString: 'definitive' }];
  const order = { resourceType: 'MedicationRequest', id: 'm', status: 'active', intent: 'order' };
  assert.equal(
    cautionOf({ ...order, modifierExtension } as Resource),
    'changed by something not understood: stop type: definitive',
  );
  for (const odd of [undefined, null, [], '']) {
    assert.equal(cautionOf({ ...order, modifierExtension: odd } as Resource), undefined);
  }
  assert.match(cautionOf({ ...order, modifierExtension: [7] } as Resource) ?? '', /not understood/);
});
