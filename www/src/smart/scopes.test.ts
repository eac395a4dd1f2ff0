import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  allowedTypes,
  conditionsOf,
  conditionText,
  isAskedFor,
  readingScopes,
  refusable,
  scopesOfLaunch,
  suggestedScopes,
} from './scopes.ts';

const has = (type: string): boolean => type === 'Patient' || type === 'Goal';

test('scopes are suggested in the syntax and of the kinds that a server says it has', () => {
  const suggested = (...capabilities: string[]): string => suggestedScopes({ capabilities }, has);
  assert.equal(suggested(), 'launch/patient patient/Patient.read patient/Goal.read');
  assert.equal(
    suggested('launch-ehr', 'permission-v1', 'permission-v2', 'permission-offline'),
    'launch launch/patient offline_access patient/Patient.rs patient/Goal.rs',
  );
  assert.equal(
    suggested('sso-openid-connect', 'permission-user'),
    'launch/patient openid fhirUser patient/Patient.read patient/Goal.read user/Patient.read user/Goal.read',
  );
  assert.equal(
    suggestedScopes({}, has),
    'launch launch/patient openid fhirUser offline_access patient/Patient.read patient/Goal.read',
  );
});

test('a launch asks for its own context and level', () => {
  const registered = 'launch launch/patient openid patient/Goal.rs user/Goal.rs';
  assert.equal(scopesOfLaunch(registered, 'ehr'), 'launch openid patient/Goal.rs');
  assert.equal(scopesOfLaunch(registered, 'patient'), 'launch/patient openid patient/Goal.rs');
  assert.equal(scopesOfLaunch(registered, 'practitioner'), 'launch/patient openid user/Goal.rs');
  assert.equal(scopesOfLaunch(' user/*.read\n', 'practitioner'), 'user/*.read');
  assert.equal(scopesOfLaunch('patient/*.read', 'practitioner'), 'patient/*.read');
});

test('what another server granted is read with its wildcards and both syntaxes', () => {
  assert.equal(readingScopes('openid patient/Goal.read user/Goal.rs patient/Foo.rs'), 'patient/Goal.rs user/Goal.rs');
  assert.equal(readingScopes('patient/Goal.cruds'), 'patient/Goal.rs');
  assert.equal(
    readingScopes('patient/Goal.r patient/CarePlan.s patient/Device.write patient/Device.cud'),
    ['patient/Goal.r', 'patient/CarePlan.s'].join(' '),
  );
  assert.equal(readingScopes('patient/Observation.rs?category=laboratory'), 'patient/Observation.rs');
  const all = readingScopes('patient/*.rs').split(' ');
  assert.ok(all.includes('patient/MedicationDispense.rs') && all.length > 20);
  assert.deepEqual(readingScopes('patient/*.read patient/Goal.*').split(' '), all);
});

test('what was allowed is told by type: as a whole, in part, and not', () => {
  const requested = 'launch/patient openid patient/Patient.rs patient/Observation.rs patient/Goal.rs user/Goal.rs';
  const scope = 'openid patient/Patient.rs patient/Observation.rs?category=http://x|laboratory';
  assert.deepEqual(allowedTypes({ requested, scope }), { whole: ['Patient'], part: ['Observation'], not: ['Goal'] });
  assert.deepEqual(allowedTypes({ requested: 'patient/*.read', scope: 'patient/*.read' }).not, []);
  assert.ok(allowedTypes({ requested: 'patient/*.read', scope: 'patient/*.read' }).whole.includes('Task'));
  assert.ok(isAskedFor('Task', 'system/*.rs') && !isAskedFor('Task', 'patient/Tas.rs launch/patient'));
});

const LABORATORY = 'category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory';
const CONDITIONS: [what: string, scopes: string, conditions: string[]][] = [
  ['none', 'patient/Goal.rs', []],
  ['the whole type', 'patient/Observation.rs', []],
  ['one category', `patient/Goal.rs patient/Observation.rs?${LABORATORY}`, [LABORATORY]],
  [
    'two categories',
    'patient/Observation.rs?category=a|x user/Observation.rs?category=a|y',
    ['category=a|x', 'category=a|y'],
  ],
  ['a category beside the whole type', `patient/Observation.rs?${LABORATORY} user/Observation.read`, []],
  ['a category beside a wildcard', `patient/Observation.rs?${LABORATORY} patient/*.rs`, []],
  ['a wildcard with a condition', 'patient/*.rs?status=final', ['status=final']],
];
for (const [what, scopes, conditions] of CONDITIONS) {
  test(`scopes open a type under conditions: ${what}`, () =>
    assert.deepEqual(conditionsOf('Observation', scopes), conditions));
}

test('a condition is said without the systems of its codes', () => {
  assert.equal(conditionText(LABORATORY), 'category laboratory');
  assert.equal(conditionText('category=a|x,b|y&status=final'), 'category x, y, status final');
});

test('what a wildcard that was given does not open was left out by nobody', () => {
  const requested = 'launch/patient patient/*.rs patient/Task.rs';
  assert.equal(refusable({ requested, scope: 'patient/*.rs' }), 'launch/patient patient/Task.rs');
  assert.equal(refusable({ requested, scope: 'patient/Condition.rs' }), requested);
});
