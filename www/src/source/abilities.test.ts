import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { Words } from '#reading/language/words.ts';
import { spanishWords } from '../language/es/catalogue.ts';
import { pageLanguage } from '../language/language.ts';
import { type Abilities, abilitiesOf, obstacleText, type Plan, planOf, provenanceQuery } from './abilities.ts';

const english = pageLanguage.value;
afterEach(() => {
  pageLanguage.value = english;
});

/** Returns the abilities of a server with some types. */
function able(...resource: unknown[]): Abilities {
  const found = abilitiesOf({ resourceType: 'CapabilityStatement', rest: [{ mode: 'server', resource }] });
  assert.ok(found);
  return found;
}
const parameters = (...names: string[]): unknown => names.map((name) => ({ name, type: 'token' }));
/** Returns what a plan keeps of an answer, and whether it keeps a record with these codes. */
function chosen(plan: Plan) {
  const keep = plan.is === 'asked' && plan.keep;
  assert.ok(keep);
  const of = (...codes: string[]): boolean => keep({ category: [{ coding: codes.map((code) => ({ code })) }] });
  return { keep, of };
}
const asked = (plan: Plan): string => (plan.is === 'asked' ? plan.query : obstacleText(plan.obstacle));

test('a server without a readable statement is asked as if it could do all', () => {
  for (const body of [undefined, 'text', {}, { rest: [] }, { rest: [{ mode: 'server' }] }, { rest: 'x' }]) {
    assert.equal(abilitiesOf(body), undefined);
  }
  const query = 'CareTeam?patient=a&_include=CareTeam:participant&_count=50';
  assert.deepEqual(planOf(query, undefined), { is: 'asked', query, without: [] });
});

test('a name is the one that the server gives itself', () => {
  const rest = [{ mode: 'server', resource: [{ type: 'Patient' }] }];
  assert.equal(abilitiesOf({ rest, name: 'N', title: 'T' })?.name, 'T');
  assert.equal(abilitiesOf({ rest, name: 'N', implementation: { description: 'I' } })?.name, 'I');
  assert.equal(abilitiesOf({ rest })?.name, undefined);
});

test('a type that is not there, or cannot be searched or read, is not asked for', () => {
  const server = able(
    { type: 'Goal', interaction: [{ code: 'read' }] },
    { type: 'Patient', interaction: [{ code: 'search-type' }] },
    { type: 'Device' },
  );
  assert.equal(asked(planOf('CarePlan?patient=a', server)), 'This server has no records of the type Care plan.');
  assert.equal(
    asked(planOf('Goal?patient=a', server)),
    'This server has records of the type Goal, but they cannot be searched.',
  );
  assert.equal(asked(planOf('Goal/g', server)), 'Goal/g');
  assert.equal(asked(planOf('Patient/a', server)), 'This server does not give out single records of the type Patient.');
  assert.equal(asked(planOf('Device?patient=a', server)), 'Device?patient=a');
  assert.equal(asked(planOf('Coverage?patient=a', server)), 'This server has no records of the type Coverage.');
  pageLanguage.value = new Words({ language: 'es', locale: 'es-US', catalogue: spanishWords });
  assert.equal(
    asked(planOf('CarePlan?patient=a', server)),
    'Este servidor no tiene registros del tipo Plan de atención.',
  );
});

test('includes are left out where a server does not offer them', () => {
  const query = 'MedicationRequest?patient=a&_include=MedicationRequest:medication&_count=200';
  const planned = (type: object): Plan => planOf(query, able({ type: 'MedicationRequest', ...type }));
  for (const include of ['*', 'MedicationRequest:medication', 'MedicationRequest.medication', 'MedicationRequest:*']) {
    assert.equal(asked(planned({ searchInclude: [include] })), query, include);
  }
  assert.deepEqual(planned({ searchInclude: ['MedicationRequest:patient'] }), {
    is: 'asked',
    query: 'MedicationRequest?patient=a&_count=200',
    without: ['MedicationRequest:medication'],
  });
});

test('a patient is found by subject where there is no patient parameter, and else not', () => {
  const by = (...names: string[]): string =>
    asked(planOf('Condition?patient=a&_count=2', able({ type: 'Condition', searchParam: parameters(...names) })));
  assert.equal(by('patient', 'subject'), 'Condition?patient=a&_count=2');
  assert.equal(by('subject'), 'Condition?subject=Patient/a&_count=2');
  assert.equal(by('code'), 'This server cannot search records of the type Condition by patient.');
  assert.equal(by(), 'Condition?patient=a&_count=2');
});

test('a category that a server cannot choose is chosen here', () => {
  const server = able({ type: 'Observation', searchParam: parameters('patient') });
  const plan = planOf('Observation?patient=a&category=laboratory,http://x|exam&_count=2', server);
  assert.equal(asked(plan), 'Observation?patient=a&_count=2');
  const { keep, of } = chosen(plan);
  assert.deepEqual([of('laboratory'), of('x', 'exam'), of('vital-signs'), of()], [true, true, false, false]);
  assert.deepEqual([keep({}), keep({ category: 'laboratory' }), keep(undefined)], [false, false, false]);
});

test('a server is asked for all where categories are left out, and those are chosen here', () => {
  const server = able({ type: 'Observation', searchParam: parameters('patient', 'category') });
  const plan = planOf('Observation?patient=a&category:not=laboratory,survey&_count=2', server);
  assert.equal(asked(plan), 'Observation?patient=a&_count=2');
  const { keep, of } = chosen(plan);
  assert.deepEqual([of('laboratory'), of('exam'), of()], [false, true, true]);
  assert.deepEqual([keep({}), keep({ category: [{ text: 'Exam' }] }), keep({ category: 'odd' })], [true, true, true]);
  const query = 'Observation?patient=a&category:not=laboratory&_count=2';
  assert.equal(asked(planOf(query, undefined)), query, 'one that says nothing is asked as it stands');
});

test('the origin of a record comes along, or by itself, or not at all', () => {
  const condition = { type: 'Condition', searchRevInclude: ['Provenance:target'] };
  const query = (...types: unknown[]): string | undefined => provenanceQuery('Condition', 'c', able(...types));
  assert.equal(query(condition), 'Condition?_id=c&_revinclude=Provenance:target');
  assert.equal(query({ type: 'Condition' }, { type: 'Provenance' }), 'Provenance?target=Condition/c');
  assert.equal(query({ type: 'Condition' }, { type: 'Provenance', searchParam: parameters('patient') }), undefined);
  assert.equal(query({ type: 'Condition' }), undefined);
  assert.equal(provenanceQuery('Condition', 'c', undefined), 'Condition?_id=c&_revinclude=Provenance:target');
});
