import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SPANISH } from '../language/spanish.ts';
import { ENGLISH } from '../language/words.ts';
import { countsOf, daysOf, isOfOtherDay, namesOf, sizeOf, visitDays } from './days.ts';
import type { TimelineEvent } from './events.ts';

const event = (kind: string, on: string, id: string, more: Partial<TimelineEvent> = {}): TimelineEvent => ({
  on,
  at: Date.parse(on || '2020-01-01'),
  kind,
  name: id,
  status: undefined,
  visit: undefined,
  resource: { resourceType: kind === 'Visit' ? 'Encounter' : 'Basic', id },
  ...more,
});
const names = (events: readonly TimelineEvent[]): string[] => events.map(({ name }) => name);

test('records of a visit stand in its card, whatever their own day; others at their day, newest first', () => {
  const visit = { visit: 'Encounter/v' };
  const days = daysOf([
    event('Note', '2019-05-20', 'letter', visit),
    event('Note', '2021-01-01', 'new year'),
    event('Visit', '2019-05-14T09:00:00Z', 'v'),
    event('Problem', '', 'undated', visit),
    event('Prescription', '2019-05-14', 'pills', visit),
    event('Fill', '2019-05-14', 'fill'),
    event('Fill', '2019', 'some time'),
    event('Order', '2019-06-01', 'lost', { visit: 'Encounter/not-here' }),
  ]);
  assert.deepEqual(
    days.map(({ on, visits, records }) => [on, visits.map((one) => names(one.records)), names(records)]),
    [
      ['2021-01-01', [], ['new year']],
      ['2019-06-01', [], ['lost']],
      ['2019-05-14', [['undated', 'pills', 'letter']], ['fill']],
      ['2019', [], ['some time']],
    ],
  );
  assert.deepEqual(
    days.map(({ from, size }) => [from, size]),
    [
      [0, 1],
      [1, 1],
      [2, 5],
      [7, 1],
    ],
  );
  assert.equal(sizeOf(days), 8);
  assert.deepEqual(
    visitDays(days).map(({ on, from, size, records }) => [on, from, size, records.length]),
    [['2019-05-14', 0, 4, 0]],
  );
  assert.equal(sizeOf([]), 0);
});

test('a day is the day that is written: one late in the evening of another zone stays in order', () => {
  const days = daysOf([event('Note', '2019-05-14T23:00:00-05:00', 'late'), event('Note', '2019-05-15', 'next')]);
  assert.deepEqual(
    days.map(({ on }) => on),
    ['2019-05-15', '2019-05-14'],
  );
});

test('more than a few results of a day stand apart; without visits each record has its own day', () => {
  const results = ['a', 'b', 'c', 'd'].map((id) => event('Result', '2020-02-02', id));
  const [day] = daysOf([...results, event('Note', '2020-02-02', 'n')]);
  assert.deepEqual([names(day?.results ?? []), names(day?.records ?? [])], [['a', 'b', 'c', 'd'], ['n']]);
  assert.equal(daysOf(results.slice(1))[0]?.results.length, 0);
  const ofVisit = [event('Visit', '2020-02-02', 'v'), event('Note', '2020-02-03', 'n', { visit: 'Encounter/v' })];
  assert.deepEqual(
    daysOf(ofVisit.slice(1), { visits: false }).map(({ on }) => on),
    ['2020-02-03'],
  );
});

test('the counts of a visit, with its flagged results', () => {
  const result = (id: string, code: string): TimelineEvent =>
    event('Result', '2020-01-01', id, {
      resource: Object.assign({ resourceType: 'Observation', id }, { interpretation: [{ coding: [{ code }] }] }),
    });
  assert.equal(
    countsOf(ENGLISH, [
      result('a', 'H'),
      result('b', 'N'),
      event('Prescription', '2020', 'p'),
      event('Note', '2020', 'n'),
    ]),
    '2 results, 1 abnormal · 1 prescription · 1 note',
  );
  assert.equal(countsOf(ENGLISH, []), '');
  const problems = ['A', 'B', 'A', 'C', 'D'].map((id) => event('Problem', '2020', id));
  assert.equal(namesOf(ENGLISH, problems, 'Problem'), 'A, B, C and 1 more');
  assert.equal(namesOf(ENGLISH, problems, 'Note'), '');
});

test('a record of a visit tells its date only where it is of another day', () => {
  const visit = event('Visit', '2020-01-01T09:00:00Z', 'v');
  assert.equal(isOfOtherDay(event('Note', '2020-01-01', 'n'), visit), false);
  assert.equal(isOfOtherDay(event('Note', '', 'n'), visit), false);
  assert.equal(isOfOtherDay(event('Note', '2020-01-02', 'n'), visit), true);
});

test('the counts in Spanish have its forms', () => {
  const result = (id: string, code: string): TimelineEvent =>
    event('Result', '2020-01-01', id, {
      resource: Object.assign({ resourceType: 'Observation', id }, { interpretation: [{ coding: [{ code }] }] }),
    });
  const orders = ['a', 'b'].map((id) => event('Order', '2020', id));
  assert.equal(
    countsOf(SPANISH, [result('a', 'H'), result('b', 'L'), ...orders, event('Fill', '2020', 'f')]),
    '2 resultados, 2 anormales · 2 órdenes · 1 surtido',
  );
  assert.equal(countsOf(SPANISH, [result('a', 'H')]), '1 resultado, 1 anormal');
  const problems = ['A', 'B', 'C', 'D'].map((id) => event('Problem', '2020', id));
  assert.equal(namesOf(SPANISH, problems, 'Problem'), 'A, B, C y 1 más');
});
