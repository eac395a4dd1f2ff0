import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Goal, MedicationDispense, MedicationRequest, Observation, ServiceRequest } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { doneByOrder } from '../results/panels/results-of-orders.ts';
import {
  byDate,
  type Due,
  dueWords,
  endingSupplies,
  goalsByDate,
  joinedSupplies,
  openOrders,
  orderName,
} from './due.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const order = (id: string, more: Partial<ServiceRequest>): ServiceRequest => ({
  resourceType: 'ServiceRequest',
  id,
  status: 'active',
  intent: 'order',
  code: { text: id, coding: [{ system: 'http://loinc.org', code: id }] },
  ...more,
});

test('an active order is due, and a planned, refused or completed one is not', () => {
  const all = openOrders(
    ENGLISH,
    [
      order('open', {}),
      { ...order('at once', {}), ...{ priority: 'stat' } },
      order('late', { occurrenceDateTime: '2026-06-01' }),
      order('later', { occurrencePeriod: { start: '2026-07-01' } }),
      order('planned', { intent: 'plan' }),
      order('no', { doNotPerform: true }),
      order('done', { status: 'completed' }),
      { ...order('missed', {}), ...{ occurrenceTiming: { event: ['2026-06-02'] } } },
    ],
    NOW,
  );
  const said = byDate(all).map(({ title, isLate }) => `${title}: ${isLate}`);
  assert.deepEqual(said, ['at once: false', 'late: true', 'missed: true', 'later: false', 'open: false']);
  const conditional = { ...order('if', {}), ...{ priority: 'stat', asNeededCodeableConcept: { text: 'if worse' } } };
  const inWords = openOrders(ENGLISH, [conditional], NOW).map((due) => dueWords(ENGLISH, due));
  assert.deepEqual(inWords, ['Order open, stat, as needed, if worse']);
});

test('an order without a code has the name of its details, or of its category', () => {
  const name = (more: object): string =>
    orderName(ENGLISH, { resourceType: 'ServiceRequest', id: 'o', ...more } as ServiceRequest);
  const category = [{ text: 'Cardiology referral' }];
  assert.equal(name({ category }), 'Cardiology referral');
  assert.equal(name({ category, orderDetail: [{ text: 'CT thorax' }] }), 'CT thorax');
  assert.equal(name({}), 'Order not named');
});

test('a goal with a date is due by its earliest date, unless it is reached or over', () => {
  const goal = (id: string, more: Partial<Goal>): Goal => ({
    resourceType: 'Goal',
    id,
    lifecycleStatus: 'active',
    description: { text: id },
    target: [{ dueDate: '2026-09-01' }, { dueDate: '2026-05-01' }],
    ...more,
  });
  const all = goalsByDate(
    ENGLISH,
    [
      goal('late', {}),
      goal('reached', { achievementStatus: { coding: [{ code: 'achieved' }] } }),
      goal('over', { lifecycleStatus: 'cancelled' }),
      goal('no date', { target: [{}] }),
    ],
    NOW,
  );
  assert.equal(all.map(({ title, isLate }) => `${title}: ${isLate}`).join(), 'late: true');
  const [held] = goalsByDate(ENGLISH, [goal('held', { lifecycleStatus: 'on-hold' })], NOW);
  assert.match(held ? dueWords(ENGLISH, held) : '', /, on hold$/);
  const [month] = goalsByDate(ENGLISH, [goal('month', { target: [{ dueDate: '2026-06' }] })], NOW);
  assert.match(month ? dueWords(ENGLISH, month) : '', /^Goal by Jun\W+2026$/);
});

test('the supply of a current medication ends with the latest dispense', () => {
  const request = (id: string, status = 'active'): MedicationRequest => ({
    resourceType: 'MedicationRequest',
    id,
    status,
    intent: 'order',
    medicationCodeableConcept: { text: id },
  });
  const dispense = (of: string, on: string, days: number, code = 'd', status = 'completed'): MedicationDispense => ({
    resourceType: 'MedicationDispense',
    id: `${of} ${on}`,
    status,
    whenHandedOver: on,
    daysSupply: { value: days, code },
    authorizingPrescription: [{ reference: `MedicationRequest/${of}` }],
  });
  const all = endingSupplies(
    ENGLISH,
    [request('soon'), request('ended'), request('long'), request('old'), request('past', 'stopped'), request('weeks')],
    [
      dispense('soon', '2026-03-01', 30),
      dispense('soon', '2026-05-24', 30, 'd', 'Completed'),
      dispense('soon', '2026-06-14', 90, 'd', 'cancelled'),
      dispense('ended', '2026-04-01', 30),
      dispense('long', '2026-06-01', 90),
      dispense('old', '2025-06-01', 30),
      dispense('past', '2026-05-24', 30),
      dispense('weeks', '2026-05-24', 4, 'wk'),
    ],
    [],
    NOW,
  );
  assert.deepEqual(
    all.map(({ title, at, isLate }) => [title, new Date(at ?? 0).toISOString().slice(0, 10), isLate]),
    [
      ['soon', '2026-06-23', false],
      ['ended', '2026-05-01', true],
      ['weeks', '2026-06-21', false],
    ],
  );
});

test('supplies that ended are one item, with their last days, and so are those that will end', () => {
  const supply = (id: string, on: string): Due => {
    const at = Date.parse(on);
    return { of: { resourceType: 'MedicationRequest', id }, title: id, kind: 'supply', at, isLate: at < NOW };
  };
  const said = (...all: Due[]): string[] =>
    joinedSupplies(ENGLISH, all).map((one) => `${one.title} ${dueWords(ENGLISH, one)}`.replaceAll('\u00a0', ' '));
  const [a, b, c] = [supply('a', '2026-05-31'), supply('b', '2026-05-31'), supply('c', '2026-05-04')];
  assert.deepEqual(said(a), ['a Last fill ended 31 May 2026']);
  assert.deepEqual(said(a, b), ['2 medications Last fills ended 31 May 2026']);
  assert.deepEqual(said(a, b, c), ['3 medications Last fills ended 4 May 2026 – 31 May 2026']);
  assert.deepEqual(said(a, supply('d', '2026-06-20'), b, supply('e', '2026-06-20')), [
    '2 medications Last fills ended 31 May 2026',
    '2 medications Last fills end 20 Jun 2026',
  ]);
});

test('an order whose period goes on is not late, and says until when and when it was last done', () => {
  const result = (id: string, code: string, on: string, more = {}): Observation => ({
    resourceType: 'Observation',
    id,
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code }] },
    effectiveDateTime: on,
    ...more,
  });
  const named = { basedOn: [{ reference: 'https://server.example/fhir/ServiceRequest/named' }] };
  const doneBy = doneByOrder([
    result('r1', 'quarterly', '2026-03-02'),
    result('r2', 'quarterly', '2026-06-01'),
    result('r3', 'quarterly', '2026-06-10', { status: 'cancelled' }),
    result('r4', 'before', '2026-05-30'),
    result('r5', 'after', '2026-06-02'),
    result('r6', 'another code', '2020-01-01', named),
    { resourceType: 'Procedure', id: 'p', status: 'preparation', code: order('planned', {}).code ?? {} },
  ]);
  const all = openOrders(
    ENGLISH,
    [
      order('quarterly', { occurrencePeriod: { start: '2026-01-19', end: '2027-01-18' } }),
      order('undone', { occurrencePeriod: { start: '2026-01-19', end: '2026-06-15' } }),
      order('over', { occurrencePeriod: { start: '2026-01-19', end: '2026-06-14' } }),
      order('going on', { occurrencePeriod: { start: '2025-01-19' } }),
      order('before', { occurrenceDateTime: '2026-06-01' }),
      order('after', { occurrenceDateTime: '2026-06-01' }),
      order('named', { authoredOn: '2026-06-01' }),
      order('this month', { occurrenceDateTime: '2026-06' }),
      order('this year', { occurrenceDateTime: '2026' }),
    ],
    NOW,
    doneBy,
  );
  const day = (at: number | undefined) => (at === undefined ? '' : new Date(at).toISOString().slice(0, 10));
  assert.deepEqual(
    all.map(({ title, written = '', isLate, isRunning = false, doneAt }) => [
      title,
      written,
      isLate ? 'late' : isRunning ? 'running' : 'ahead',
      day(doneAt),
    ]),
    [
      ['quarterly', '2027-01-18', 'running', '2026-06-01'],
      ['undone', '2026-06-15', 'running', ''],
      ['over', '2026-06-14', 'late', ''],
      ['going on', '', 'running', ''],
      ['before', '2026-06-01', 'late', ''],
      ['this month', '2026-06', 'ahead', ''],
      ['this year', '2026', 'ahead', ''],
    ],
  );
});
