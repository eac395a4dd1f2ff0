import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemLists } from './problem.ts';
import type { Condition } from './types.ts';

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

test('conditions without a code are the same by their names', () => {
  const { ofVisits } = problemLists([
    { resourceType: 'Condition', id: 'a', code: { text: 'Gout' } },
    { resourceType: 'Condition', id: 'b', code: { text: 'gout' }, category: VISIT },
    { resourceType: 'Condition', id: 'c', code: { text: 'Asthma' }, category: VISIT },
  ]);
  assert.deepEqual(ids(ofVisits), ['c']);
});

test('what is on the problem list is a problem, also where it is a health concern too', () => {
  const category = (...codes: string[]) => codes.map((code) => ({ coding: [{ code }] }));
  const lists = problemLists([
    condition('both', '1', { category: category('health-concern', 'problem-list-item') }),
    condition('one', '2', { category: category('health-concern') }),
  ]);
  assert.deepEqual([ids(lists.listed), ids(lists.concerns)], [['both'], ['one']]);
});
