import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Condition } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { byProblem, byWeight, problemLists, problemName } from './problem.ts';
import { endLabel, problemsOverview } from './problem-words.ts';

const VISIT = [{ coding: [{ code: 'encounter-diagnosis' }] }];
const condition = (id: string, code: string, more: Partial<Condition> = {}): Condition => ({
  resourceType: 'Condition',
  id,
  code: { coding: [{ system: 'http://snomed.info/sct', code }] },
  clinicalStatus: { coding: [{ code: 'active' }] },
  ...more,
});
const ids = (list: Condition[]): string[] => list.map(({ id }) => id);

test('an active diagnosis of a visit is shown once, unless the list says the same', () => {
  const { listed, ofVisits, otherVisits } = problemLists([
    condition('diabetes', '44054006'),
    condition('diabetes of a visit', '44054006', { category: VISIT }),
    condition('older', '195967001', { category: VISIT, recordedDate: '2020-01-01' }),
    condition('newer', '195967001', { category: VISIT, recordedDate: '2025-01-01' }),
  ]);
  assert.deepEqual([listed, ofVisits, otherVisits].map(ids), [
    ['diabetes'],
    ['newer'],
    ['older', 'diabetes of a visit'],
  ]);
});

test('a problem of the list that is over does not hide an active diagnosis of a visit', () => {
  const over = { clinicalStatus: { coding: [{ code: 'resolved' }] } };
  const { past, ofVisits } = problemLists([
    condition('resolved', '195967001', over),
    condition('again', '195967001', { category: VISIT }),
  ]);
  assert.deepEqual([ids(past), ids(ofVisits)], [['resolved'], ['again']]);
});

test('an active diagnosis of a visit gives way to a later entry of the list that the problem is over', () => {
  const resolved = { clinicalStatus: { coding: [{ code: 'resolved' }] } };
  const visit = (recordedDate: string) => condition(recordedDate, '233604007', { category: VISIT, recordedDate });
  const cases: [Partial<Condition>, string, boolean][] = [
    [{ abatementDateTime: '2012-08-20' }, '2012-08-06', true],
    [{ abatementDateTime: '2012-08-20' }, '2013-02-01', false],
    [{ abatementPeriod: { start: '2012-08-01', end: '2012-08-20' } }, '2012-08-06', false],
    [{ recordedDate: '2012-09-01' }, '2012-08-06', true],
    [{ onsetDateTime: '2012-08-06' }, '2012-08-10', false],
    [{}, '2012-08-06', false],
  ];
  for (const [more, date, isPast] of cases) {
    const { ofVisits, otherVisits } = problemLists([
      condition('of the list', '233604007', { ...resolved, ...more }),
      visit(date),
    ]);
    assert.deepEqual(ids(isPast ? otherVisits : ofVisits), [date], JSON.stringify([more, date]));
  }
});

test('entries of one problem that say the same are one group', () => {
  const unsure = { verificationStatus: { coding: [{ code: 'unconfirmed' }] } };
  const groups = byProblem([
    condition('a', '194828000'),
    condition('b', '38341003'),
    condition('c', '194828000'),
    condition('unsure', '194828000', unsure),
  ]);
  assert.deepEqual(groups.map(ids), [['a', 'c'], ['b'], ['unsure']]);
});

test('conditions without a code are the same by their names', () => {
  const { ofVisits } = problemLists([
    { resourceType: 'Condition', id: 'a', code: { text: 'Gout' } },
    { resourceType: 'Condition', id: 'b', code: { text: 'gout' }, category: VISIT },
    { resourceType: 'Condition', id: 'c', code: { text: 'Asthma' }, category: VISIT },
  ]);
  assert.deepEqual(ids(ofVisits), ['c']);
});

test('a code may be coarse: two names of it are two problems', () => {
  const named = (text: string, more: Partial<Condition> = {}): Condition =>
    ({ ...condition(text, '', more), code: { coding: [{ code: '363346000' }], text } }) as Condition;
  const all = [named('Breast cancer'), named('Colon cancer'), named('breast cancer')];
  assert.deepEqual(byProblem(all).map(ids), [['Breast cancer', 'breast cancer'], ['Colon cancer']]);
  const visits = ['Lung cancer', 'Colon cancer'].map((text) => named(text, { category: VISIT }));
  assert.deepEqual(ids(problemLists([...all, ...visits]).ofVisits), ['Lung cancer']);
});

test('what is on the problem list is a problem, also where it is a health concern too', () => {
  const category = (...codes: string[]) => codes.map((code) => ({ coding: [{ code }] }));
  const lists = problemLists([
    condition('both', '1', { category: category('health-concern', 'problem-list-item') }),
    condition('one', '2', { category: category('health-concern') }),
  ]);
  assert.deepEqual([ids(lists.listed), ids(lists.concerns)], [['both'], ['one']]);
});

test('severe problems come first and circumstances of life last, and else the order stays', () => {
  const ofName = (text: string, more: object = {}): Condition =>
    ({ resourceType: 'Condition', id: text, code: { text }, ...more }) as Condition;
  const icd = (code: string) => ({ code: { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code }] } });
  const all = [
    ofName('Motor vehicle accident victim'),
    ofName('Full-time employment (finding)'),
    ofName('a', icd('Z59.0')),
    ofName('b', icd('W19')),
    ofName('c', { category: [{ coding: [{ code: 'sdoh' }] }] }),
    ofName('Overweight'),
    ofName('d', icd('Z95.0')),
    ofName('Essential hypertension'),
    ofName('COPD', { severity: { coding: [{ system: 'http://snomed.info/sct', code: '24484000' }] } }),
    ofName('Asthma', { severity: { text: 'Severe' } }),
    ofName('Gout', { severity: { text: 'Not severe' } }),
  ];
  assert.deepEqual(
    byWeight(all, (c) => c).map(({ id }) => id),
    [
      ...['COPD', 'Asthma', 'Overweight', 'd', 'Essential hypertension', 'Gout'],
      ...['Motor vehicle accident victim', 'Full-time employment (finding)', 'a', 'b', 'c'],
    ],
  );
});

test('a date of recording is no onset, and an end in the future is expected', () => {
  const category = [{ coding: [{ code: 'encounter-diagnosis' }] }];
  const visited = condition('a', '193570009', { category, recordedDate: '2019-01-01' });
  assert.deepEqual(
    problemsOverview(ENGLISH, [visited], () => undefined).lines.map(({ words }) => words),
    ['diagnosis of a visit'],
  );
  const label = (more: Partial<Condition>) => endLabel(condition('b', '1', more), Date.parse('2026-01-01'));
  assert.equal(label({ abatementDateTime: '2030-01-01' }), 'Expected to end');
  assert.equal(label({ abatementPeriod: { start: '2030-01-01' } }), 'Expected to end');
  assert.equal(label({ abatementDateTime: '2025-01-01' }), 'Ended');
  assert.equal(label({ abatementString: 'soon' }), 'Ended');
});

test('a name that is held back says so', () => {
  const url = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason';
  const code: object = { _text: { extension: [{ url, valueCode: 'masked' }] } };
  const masked = { ...condition('a', '1'), code };
  assert.equal(problemName(ENGLISH, masked), 'Condition not named: held back');
  assert.equal(problemName(ENGLISH, { ...masked, code: {} }), 'Condition not named');
});

test('a problem of each side is a problem of its own, with its site in words', () => {
  const of = (id: string, site: string): Condition =>
    condition(id, '193570009', { ...{ bodySite: [{ text: site }] }, onsetDateTime: '2020-01-01' });
  const all = [of('a', 'Left eye'), of('b', 'Right eye'), of('c', 'left eye')];
  assert.deepEqual(
    byProblem(all).map((group) => ids(group)),
    [['a', 'c'], ['b']],
  );
  assert.deepEqual(
    problemsOverview(ENGLISH, all, () => undefined).lines.map(({ words }) => words),
    ['Left eye, since 2020, 2 entries', 'Right eye, since 2020'],
  );
  const unread = { ...of('d', 'Left eye'), onsetDateTime: '03/04/2015' };
  assert.equal(problemsOverview(ENGLISH, [unread], () => undefined).lines[0]?.words, 'Left eye, since 03/04/2015');
});

test('an active diagnosis of a visit is shown beside a list entry of another site', () => {
  const of = (id: string, site: string | undefined, more: Partial<Condition>): Condition =>
    condition(id, '193570009', { ...(site ? { bodySite: [{ text: site }] } : {}), ...more });
  const resolved = { clinicalStatus: { coding: [{ code: 'resolved' }] }, abatementDateTime: '2025-01-01' };
  const cases: [string | undefined, string | undefined, boolean][] = [
    ['Left eye', 'Right eye', true],
    ['Left eye', 'left eye', false],
    ['Left eye', undefined, false],
    [undefined, 'Right eye', false],
  ];
  for (const [listed, visited, isShown] of cases)
    for (const more of [{}, resolved]) {
      const visit = of('visit', visited, { category: VISIT, recordedDate: '2024-01-01' });
      const { ofVisits } = problemLists([of('listed', listed, more), visit]);
      assert.deepEqual(ids(ofVisits), isShown ? ['visit'] : [], JSON.stringify([listed, visited, more]));
    }
});
