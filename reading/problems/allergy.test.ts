import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withNames } from '../fhir/reference-names.ts';
import { IN_PLACE } from '../fhir/text.ts';
import type { AllergyIntolerance } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import {
  absenceText,
  allergyLists,
  allergyName,
  briefAllergy,
  graveText,
  isNoneOfAll,
  reactionNames,
} from './allergy.ts';

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
    assert.equal(absenceText(ENGLISH, allergy), '');
  }
  assert.equal(allergyLists([none('716186003')]).noneKnown.length, 1);
  const negated = { modifierExtension: [{ url: 'x/negated', valueBoolean: true }] };
  assert.equal(allergyLists([{ ...none('716186003'), ...negated }]).said.length, 1);
});

test('an entry that says that nobody has asked is neither an allergy nor the absence of one', () => {
  const { active, noneKnown, notAsked } = allergyLists([none('1631000175102'), none('716186003'), coded('91936005')]);
  const codes = (list: AllergyIntolerance[]) => list.map(({ code }) => code?.coding?.[0]?.code);
  assert.deepEqual([active, noneKnown, notAsked].map(codes), [['91936005'], ['716186003'], ['1631000175102']]);
});

const plain = (id: string, more: Partial<AllergyIntolerance>): AllergyIntolerance => ({
  resourceType: 'AllergyIntolerance',
  id,
  ...more,
});
const none = (code: string): AllergyIntolerance =>
  plain(code, { code: { coding: [{ system: 'http://snomed.info/sct', code }] } });
const contradictions = (...all: AllergyIntolerance[]): string[] => allergyLists(all).contradictions.map(({ id }) => id);

test('none known beside an active allergy is a contradiction, if it is of the kind', () => {
  const nuts = plain('nuts', { code: { text: 'Hazelnut' }, category: ['food'] });
  const penicillin = plain('penicillin', { code: { text: 'Penicillin' }, category: ['medication'] });
  assert.deepEqual(contradictions(none('716186003')), []);
  assert.deepEqual(contradictions(none('716186003'), nuts), ['716186003']);
  assert.deepEqual(contradictions(none('409137002'), nuts), []);
  assert.deepEqual(contradictions(none('409137002'), penicillin), ['409137002']);
  assert.deepEqual(contradictions(none('429625007'), nuts, penicillin), ['429625007']);
  const said = (text: string): AllergyIntolerance => plain('said', { code: { text } });
  assert.deepEqual(contradictions(said('NKA'), nuts), ['said']);
  assert.deepEqual(contradictions(said('NKDA'), nuts), []);
  assert.deepEqual(contradictions(said('No Known Drug Allergies (NKDA)'), penicillin), ['said']);
  assert.deepEqual(contradictions(said('Sin alergias a medicamentos'), nuts), []);
  const refuted = plain('egg', { code: { text: 'Egg' }, verificationStatus: { coding: [{ code: 'refuted' }] } });
  assert.deepEqual(contradictions(none('716186003'), refuted), [], 'a refuted allergy contradicts nothing');
});

test('high risk comes first, and the allergen may be in a reaction', () => {
  const { active } = allergyLists([
    plain('mild', { code: { text: 'Pollen' }, recordedDate: '2025-01-01' }),
    plain('severe', { reaction: [{ substance: { text: 'Latex' }, severity: 'severe' }] }),
    plain('high', { code: { text: 'Wasp' }, criticality: 'high', recordedDate: '2020-01-01' }),
    plain('unnamed', {}),
  ]);
  assert.deepEqual(
    active.map((a) => allergyName(ENGLISH, a)),
    ['Wasp', 'Latex', 'Pollen', 'Substance not named'],
  );
});

test('a high risk is that of the criticality; a severe reaction without one is called so', () => {
  const of = (more: object): AllergyIntolerance => ({ resourceType: 'AllergyIntolerance', id: 'a', ...more });
  assert.equal(graveText(ENGLISH, of({ criticality: 'high', reaction: [{ severity: 'severe' }] })), 'high risk');
  assert.equal(graveText(ENGLISH, of({ reaction: [{ severity: 'mild' }, { severity: 'severe' }] })), 'severe reaction');
  assert.equal(graveText(ENGLISH, of({ criticality: 'low', reaction: [{ severity: 'severe' }] })), 'severe reaction');
  assert.equal(graveText(ENGLISH, of({ criticality: 'low', reaction: [{ severity: 'moderate' }] })), undefined);
});

test('in a line of allergies, the grade stands behind the one allergy that has it', () => {
  const brief = (text: string, more: object): string =>
    briefAllergy(ENGLISH, { resourceType: 'AllergyIntolerance', id: 'a', code: { text }, ...more });
  assert.equal(brief('Latex', { criticality: 'high' }), 'Latex (high risk)');
  assert.equal(brief('Bees', { reaction: [{ severity: 'severe' }] }), 'Bees (severe reaction)');
  assert.equal(brief('Dust', { criticality: 'unable-to-assess' }), 'Dust');
});

test('a class of allergies is named with the substance of the reaction, unless it has its name', () => {
  const named = (text: string, ...substances: string[]): string =>
    allergyName(
      ENGLISH,
      plain('a', { code: { text }, reaction: substances.map((one) => ({ substance: { text: one } })) }),
    );
  assert.equal(named('Drug allergy', 'Amoxicillin'), 'Drug allergy: Amoxicillin');
  assert.equal(
    named('Penicillins', 'Amoxicillin', 'Penicillin V', 'Amoxicillin'),
    'Penicillins: Amoxicillin, Penicillin V',
  );
  assert.equal(named('Allergy to peanut', 'Peanut'), 'Allergy to peanut');
  assert.equal(named('Latex'), 'Latex');
});

test('an anaphylaxis is a severe reaction, in whatever words, and capitals of a code do not hide a risk', () => {
  const of = (more: object): AllergyIntolerance => ({ resourceType: 'AllergyIntolerance', id: 'a', ...more });
  for (const reaction of [
    { manifestation: [{ text: 'Anaphylaxis (disorder)' }] },
    { manifestation: [{ coding: [{ code: '39579001', display: 'Anaphylactic reaction' }] }] },
    { description: 'Choque anafiláctico' },
    { severity: 'Severe' },
  ])
    assert.equal(graveText(ENGLISH, of({ reaction: [reaction] })), 'severe reaction');
  assert.equal(graveText(ENGLISH, of({ criticality: 'HIGH' })), 'high risk');
  assert.equal(graveText(ENGLISH, of({ reaction: [{ manifestation: [{ text: 'Urticaria' }] }] })), undefined);
});

const inPlace = (reference: string): object => ({ extension: [{ url: IN_PLACE, valueReference: { reference } }] });

test('a reaction is named by its description where its manifestations are codes without a name', () => {
  const bare = { coding: [{ system: 'http://snomed.info/sct', code: '247472004' }] };
  const rows: [object, string[]][] = [
    [{ manifestation: [bare], description: 'Hives' }, ['Hives']],
    [{ manifestation: [{ ...bare, text: 'Wheal' }], description: 'Hives' }, ['Wheal']],
    [{ manifestation: [bare, { text: 'Wheal' }] }, ['Wheal']],
    [{ manifestation: [inPlace('#o'), { text: 'Wheal' }, inPlace('Observation/1')] }, ['Hives, Wheal, Observation 1']],
    [{ manifestation: [bare] }, ['code 247472004 (SNOMED CT), without a name']],
    [{ manifestation: [] }, []],
  ];
  for (const [reaction, expected] of rows) {
    const contained = [{ resourceType: 'Observation', id: 'o', code: { text: 'Hives' } }];
    const allergy = { resourceType: 'AllergyIntolerance', id: 'a', contained, reaction: [reaction] };
    assert.deepEqual(reactionNames(ENGLISH, withNames(allergy as AllergyIntolerance)), expected);
  }
});

test('a substance in the extension of exposure is the allergen, or one to which no reaction is known', () => {
  const exposed = (id: string, display: string, risk: string): AllergyIntolerance => {
    const extension = [
      { url: 'substance', valueCodeableConcept: { coding: [{ code: '1', display }] } },
      { url: 'exposureRisk', valueCodeableConcept: { coding: [{ code: risk }] } },
    ];
    const url = 'http://hl7.org/fhir/StructureDefinition/allergyintolerance-substanceExposureRisk';
    const more: object = { extension: [{ url, extension }] };
    return plain(id, more);
  };
  const [peanut, latex] = [
    exposed('peanut', 'Peanut', 'no-known-reaction-risk'),
    exposed('latex', 'Latex', 'known-reaction-risk'),
  ];
  const { active, noneKnown } = allergyLists([peanut, latex]);
  assert.deepEqual([active, noneKnown], [[latex], [peanut]]);
  assert.equal(allergyName(ENGLISH, latex), 'Latex');
  assert.equal(absenceText(ENGLISH, peanut), 'No known allergy to Peanut.');
  assert.deepEqual([peanut, none('716186003'), none('716184000')].map(isNoneOfAll), [false, true, false]);
  for (const extension of [null, 'x', [7], [{ url: 'substance' }], {}]) {
    const odd: object = { extension };
    assert.equal(allergyName(ENGLISH, plain('odd', odd)), 'Substance not named');
  }
});
