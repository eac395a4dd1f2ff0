import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { related } from './related.ts';
import { SCORE_CASES } from './scores.cases.ts';
import { isScore, latestScores } from './scores.ts';

const of = (id: string, more: Partial<Observation>, on = '2026-05-01'): Observation => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  effectiveDateTime: on,
  code: { text: id },
  ...more,
});
const points = (value: number): Partial<Observation> => ({ valueQuantity: { value, code: '{score}' } });
const members = (...ids: string[]) => ({ hasMember: ids.map((id) => ({ reference: `Observation/${id}` })) });
const found = (...all: Observation[]): [string, unknown][] =>
  latestScores(
    ENGLISH,
    related(all, () => undefined),
  ).map(({ group, reading }) => [group.name, reading.valueQuantity?.value]);

for (const { from, of: more, isOne } of SCORE_CASES)
  test(`a score: ${from}`, () => assert.equal(isScore(of('x', more)), isOne));

test('the latest valid score of each kind is found, the newest first', () => {
  const news = { code: { text: 'NEWS2' } };
  assert.deepEqual(
    found(
      of('a', { ...news, ...points(12) }, '2026-05-02'),
      of('b', { ...news, ...points(3) }, '2026-05-01'),
      of('c', { ...news, ...points(1), status: 'entered-in-error' }, '2026-05-03'),
      of('d', { ...news, ...points(2), status: 'cancelled' }, '2026-05-04'),
      of('e', { ...news }, '2026-05-05'),
      of('Braden', points(17), '2026-05-09'),
      of('Apgar', { ...points(9), focus: [{ display: 'Newborn' }] }),
    ),
    [
      ['Braden', 17],
      ['NEWS2', 12],
    ],
  );
});

test('the items of a score are left out where their total is known', () => {
  const items = [of('eye', points(3)), of('motor', points(4))];
  const total = of('Glasgow total', points(10));
  assert.deepEqual(found(...items, { ...total, ...members('eye', 'motor') }), [['Glasgow total', 10]]);
  const derived = { ...total, derivedFrom: [{ reference: 'https://x.example/fhir/Observation/eye/_history/1' }] };
  assert.deepEqual(found(...items.slice(0, 1), derived), [['Glasgow total', 10]]);
  const panel = of('panel', members('eye', 'motor', 'Glasgow total'));
  assert.deepEqual(found(...items, total, panel), [['Glasgow total', 10]]);
  assert.deepEqual(found(...items, of('panel', members('eye', 'motor'))), [
    ['eye', 3],
    ['motor', 4],
  ]);
});

test('the items of a score are shown if their total is in error or cancelled', () => {
  for (const status of ['entered-in-error', 'cancelled']) {
    const sofa = of('SOFA', { ...points(11), status });
    const derived = { ...sofa, derivedFrom: [{ reference: 'Observation/Glasgow' }] };
    for (const total of [derived, { ...sofa, ...members('Glasgow') }])
      assert.deepEqual(found(of('Glasgow', points(7)), total)[0], ['Glasgow', 7], status);
  }
});

test('a total among the components of an observation without a value is its score', () => {
  const part = (text: string, value: number) => ({ code: { text }, ...points(value) });
  const parts = [part('eye', 3), part('Glasgow total', 10), part('motor', 4)];
  assert.deepEqual(found(of('Glasgow', { component: parts })), [['Glasgow', 10]]);
  assert.deepEqual(found(of('Glasgow', { component: parts.slice(0, 1) })), [['Glasgow', 3]]);
  assert.deepEqual(found(of('Glasgow', { component: [part('eye', 3), part('motor', 4)] })), []);
  assert.deepEqual(found(of('Glasgow', { ...points(9), component: parts })), [['Glasgow', 9]]);
});
