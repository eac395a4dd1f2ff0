import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, compareAnswers, difference, idsOf, median } from './compare.ts';

const entries = (type: string, mode: string, ids: string[]): object[] =>
  ids.map((id) => ({ resource: { resourceType: type, id }, search: { mode } }));
const bundle = (matches: string[], included: string[] = []): object => ({
  resourceType: 'Bundle',
  entry: [...entries('X', 'match', matches), ...entries('Y', 'include', included)],
});

test('a difference is by id; the order of included resources has no meaning', () => {
  assert.equal(difference(bundle(['a', 'b'], ['1', '2']), bundle(['a', 'b'], ['2', '1'])).same, true);
  assert.equal(difference(bundle(['a', 'b']), bundle(['b', 'a'])).same, false);
  assert.deepEqual(difference(bundle(['a']), bundle(['b'])), {
    same: false,
    ordered: false,
    both: 0,
    onlyEdge: ['X/a'],
    onlyLocal: ['X/b'],
  });
});

test('a resource that is read is its own match', () => {
  assert.deepEqual(idsOf({ resourceType: 'X', id: 'a' }), { matches: ['X/a'], included: [], total: undefined });
  assert.deepEqual(idsOf('nothing'), { matches: [], included: [], total: undefined });
});

test('the median of an even number is between the two in the middle', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
});

test('two answers are compared by their lists, counts or refusals', () => {
  const found = (...ids: string[]): Answer => ({ status: 200, body: bundle(ids) });
  const count = (total: number): Answer => ({ status: 200, body: { resourceType: 'Bundle', total } });
  const refused = (status: number, text: string): Answer => ({
    status,
    body: { resourceType: 'OperationOutcome', issue: [{ details: { text } }] },
  });
  const unreached: Answer = { status: 0, body: undefined };
  const cases: [query: string, edge: Answer, local: Answer, same: boolean, says: string][] = [
    ['X?a=b', found('1', '2'), found('1', '2'), true, 'The same 2 resources, in the same order.'],
    ['X?a=b', found('1', '2'), found('2', '1'), false, '2 in both, not in the same order.'],
    ['X?a=b', found(), found(), true, 'Both find nothing.'],
    ['X?_summary=count', count(23), count(23), true, 'Both count 23. Resources were not asked for.'],
    ['X?a=b&_summary=count', count(23), count(22), false, 'The edge counts 23, this browser 22.'],
    ['X', refused(400, 'x'), refused(400, 'x'), true, 'Both refuse with 400, for the same reason.'],
    ['X', refused(400, 'x'), refused(400, 'y'), false, 'Both refuse with 400, and say why in other words.'],
    [
      'X',
      refused(401, 'x'),
      found('1'),
      false,
      'Only this browser answers: the edge refuses with 401, since no token that it takes opens this.',
    ],
    ['X', unreached, found('1'), false, 'Only this browser answers: the edge could not be reached.'],
    ['X', found('1'), refused(400, 'x'), false, 'Only the edge answers: this browser refuses with 400.'],
    [
      'X',
      refused(404, 'x'),
      refused(400, 'x'),
      false,
      'Neither answers: the edge refuses with 404, this browser refuses with 400.',
    ],
  ];
  for (const [query, edge, local, same, says] of cases) {
    const compared = compareAnswers(query, edge, local);
    assert.deepEqual([compared.same, compared.says], [same, says]);
  }
});
