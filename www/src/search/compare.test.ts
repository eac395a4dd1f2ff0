import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { parsed } from '#reading/fhir/json.ts';
import { Words } from '#reading/language/words.ts';
import { spanish } from '../language/es/catalogue.ts';
import { pageLanguage } from '../language/language.ts';
import { type Answer, compareAnswers, difference, idsOf, median, textsOf } from './compare.ts';

const english = pageLanguage.value;
afterEach(() => {
  pageLanguage.value = english;
});

const entries = (type: string, mode: string, ids: string[]): object[] =>
  ids.map((id) => ({ resource: { resourceType: type, id }, search: { mode } }));
const bundle = (matches: string[], included: string[] = []): object => ({
  resourceType: 'Bundle',
  entry: [...entries('X', 'match', matches), ...entries('Y', 'include', included)],
});

test('a difference is by id and mode; the order is that of the matches in both', () => {
  const rows: [first: object, second: object, same: boolean, ordered: boolean][] = [
    [bundle(['a', 'b'], ['1', '2']), bundle(['a', 'b'], ['2', '1']), true, true],
    [bundle(['a', 'b']), bundle(['b', 'a']), false, false],
    [bundle(['a', 'b', 'c']), bundle(['a', 'c']), false, true],
    [bundle(['a', 'b', 'c']), bundle(['c', 'a', 'd']), false, false],
    [bundle(['a']), { resourceType: 'Bundle', entry: entries('X', 'include', ['a']) }, false, true],
  ];
  for (const [first, second, same, ordered] of rows) {
    const found = difference(first, second);
    assert.deepEqual([found.same, found.ordered], [same, ordered]);
  }
});

test('resources of one id are compared by their texts, with every digit', () => {
  const answer = (text: string): unknown =>
    parsed(`{"resourceType":"Bundle","entry":[{"search":{"mode":"match"},"resource":${text}}]}`);
  const quantity = (value: string): unknown =>
    answer(`{"resourceType":"X","id":"a","valueQuantity":{"value":${value}}}`);
  assert.deepEqual(difference(quantity('7.0'), quantity('7.0')).changed, []);
  const changed = difference(quantity('7.0'), quantity('7'));
  assert.deepEqual([changed.same, changed.both, changed.changed], [true, ['X/a'], ['X/a']]);
  // Resources without an id cannot be matched.
  assert.deepEqual(difference(answer('{"resourceType":"X"}'), answer('{"resourceType":"Y"}')).changed, []);
  assert.equal(textsOf({ resourceType: 'X', id: 'a' }).size, 1);
  assert.equal(textsOf('nothing').size, 0);
});

test('a resource that is read is its own match', () => {
  assert.deepEqual(idsOf({ resourceType: 'X', id: 'a' }), { matches: ['X/a'], included: [], total: undefined });
  assert.deepEqual(idsOf('nothing'), { matches: [], included: [], total: undefined });
});

test('the median of an even number is between the two in the middle', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
});

const ONLY_HERE = 'Only this browser answers: the server refuses with ';
const NEITHER = 'Neither answers: the server refuses with ';

test('two answers are compared by their lists, counts or refusals', () => {
  type Body = Pick<Answer, 'status' | 'body'>;
  const found = (...ids: string[]): Body => ({ status: 200, body: bundle(ids) });
  const count = (total: number): Body => ({ status: 200, body: { resourceType: 'Bundle', total } });
  const refused = (status: number, text: string): Body => ({
    status,
    body: { resourceType: 'OperationOutcome', issue: [{ details: { text } }] },
  });
  const unreached: Body = { status: 0, body: undefined };
  const cases: [query: string, edge: Body, local: Body, same: boolean, says: string][] = [
    ['X?a=b', found('1', '2'), found('1', '2'), true, 'The same 2 resources, in the same order.'],
    ['X?a=b', found('1', '2'), found('2', '1'), false, '2 in both, not in the same order.'],
    ['X?a=b', found(), found(), true, 'Both find nothing.'],
    ['X?_summary=count', count(23), count(23), true, 'Both count 23. Resources were not asked for.'],
    ['X?a=b&_summary=count', count(23), count(22), false, 'The server counts 23, this browser 22.'],
    ['X', refused(400, 'x'), refused(400, 'x'), true, 'Both refuse with 400, for the same reason.'],
    ['X', refused(400, 'x'), refused(400, 'y'), false, 'Both refuse with 400, and say why in other words.'],
    ['X', refused(401, 'x'), found('1'), false, `${ONLY_HERE}401, since no token that it takes opens this.`],
    ['X', unreached, found('1'), false, 'Only this browser answers: the server could not be reached.'],
    ['X', found('1'), refused(400, 'x'), false, 'Only the server answers: this browser refuses with 400.'],
    ['X', refused(404, 'x'), refused(400, 'x'), false, `${NEITHER}404, this browser refuses with 400.`],
  ];
  for (const [query, edge, local, same, says] of cases) {
    const compared = compareAnswers({ where: 'edge', query, ...edge }, { where: 'local', query, ...local });
    assert.deepEqual([compared.same, compared.says], [same, says]);
  }
});

test('two lists say which resources one of them has, and which have different texts', () => {
  const answer = (body: unknown): Answer => ({ where: 'edge', query: 'X?a=b', status: 200, body });
  const lists = answer(bundle(['1', '2']));
  const { same, says, both, onlyFirst, onlySecond } = compareAnswers(lists, answer(bundle(['2'])));
  assert.deepEqual([same, says, both, onlyFirst, onlySecond], [false, '1 in both.', ['X/2'], ['X/1'], []]);
  const amended = { resourceType: 'X', id: '1', status: 'amended' };
  const entry = [{ resource: amended, search: { mode: 'match' } }, ...entries('X', 'match', ['2'])];
  const changed = compareAnswers(lists, answer({ resourceType: 'Bundle', entry }));
  assert.deepEqual(
    [changed.same, changed.says, changed.changed],
    [false, 'The same 2 resources, in the same order, 1 with different texts.', ['X/1']],
  );
  assert.equal(compareAnswers(lists, answer(bundle(['7']))).says, 'None in both.');
});

test('differences are whole sentences in Spanish', () => {
  pageLanguage.value = new Words({ language: 'es', locale: 'es-US', catalogue: spanish });
  const edge: Answer = { where: 'edge', query: 'X?a=b', status: 200, body: bundle(['1', '2']) };
  const compared = (status: number, body: object, there: Partial<Answer> = {}): string =>
    compareAnswers({ ...edge, ...there }, { ...edge, where: 'local', status, body }).says;
  assert.equal(compared(200, bundle(['2', '1'])), '2 en ambas, no en el mismo orden.');
  assert.equal(
    compared(400, {}, { status: 0 }),
    'Ninguna responde: no se pudo contactar con el servidor, y este navegador rechaza la consulta con 400.',
  );
});
