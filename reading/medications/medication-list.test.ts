import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MedicationAdministration, MedicationRequest, MedicationStatement } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { medicationList } from './medication-list.ts';

const NOW = Date.UTC(2026, 6, 15);
const request = (id: string, status: string, authoredOn?: string): MedicationRequest => ({
  resourceType: 'MedicationRequest',
  id,
  status,
  intent: 'order',
  ...(authoredOn === undefined ? {} : { authoredOn }),
});
const statement = (id: string, status: string, elements: object = {}): MedicationStatement => ({
  resourceType: 'MedicationStatement',
  id,
  status,
  medicationCodeableConcept: { text: id },
  ...elements,
});
const given = (id: string, status: string, elements: object = {}): MedicationAdministration => ({
  resourceType: 'MedicationAdministration',
  id,
  status,
  medicationCodeableConcept: { text: id },
  ...elements,
});
const to = (id: string): object => ({ derivedFrom: [{ reference: `MedicationRequest/${id}` }] });

/** Returns the entries as `id state`, with the records that belong to each. */
const listed = (
  requests: MedicationRequest[],
  statements: MedicationStatement[] = [],
  administrations: MedicationAdministration[] = [],
): string[] =>
  medicationList(ENGLISH, { requests, statements, administrations }, NOW).entries.map(
    ({ resource, state, reports, administrations: by }) =>
      [`${resource.id} ${state}`, ...reports.map(({ id }) => id), ...by.map(({ id }) => id)].join(' + '),
  );

test('a report of a shown request has an entry of its own only if their states differ', () => {
  const active = [request('a', 'active')];
  assert.deepEqual(listed(active, [statement('s', 'active', to('a'))]), ['a current + s']);
  assert.deepEqual(listed(active, [statement('s', 'active', { basedOn: [{ reference: 'MedicationRequest/a' }] })]), [
    'a current + s',
  ]);
  const absolute = { derivedFrom: [{ reference: 'https://x.example/fhir/MedicationRequest/a/_history/1' }] };
  assert.deepEqual(listed(active, [statement('s', 'active', absolute)]), ['a current + s']);
  assert.deepEqual(listed(active, [statement('s', 'not-taken', to('a'))]), ['a current + s', 's untaken']);
  assert.deepEqual(listed(active, [statement('s', 'active', to('b'))]), ['a current', 's current']);
  assert.deepEqual(listed([request('a', 'completed')], [statement('s', 'active', to('a'))]), [
    'a past + s',
    's current',
  ]);
  assert.deepEqual(listed(active, [statement('s', 'entered-in-error', to('a'))]), ['a current', 's past']);
  assert.deepEqual(listed([request('a', 'entered-in-error')], [statement('s', 'completed', to('a'))]), [
    'a past',
    's past',
  ]);
});

test('an administration is listed with its request, as a current one in progress, or else by its drug', () => {
  const by = { request: { reference: 'MedicationRequest/a' } };
  const all = [
    given('x', 'completed', { ...by, effectiveDateTime: '2026-07-01' }),
    given('y', 'completed', { ...by, effectiveDateTime: '2026-07-02' }),
    given('Saline', 'in-progress'),
    given('Morphine', 'completed', { effectiveDateTime: '2026-07-01' }),
    given('morphine', 'completed', { effectiveDateTime: '2026-07-03' }),
    given('Heparin', 'not-done'),
    given('Wrong', 'entered-in-error'),
    given('z', 'entered-in-error', by),
    given('Oxytocin', 'completed', { request: { reference: 'MedicationRequest/z' } }),
  ];
  const list = medicationList(ENGLISH, { requests: [request('a', 'active')], administrations: all }, NOW);
  assert.deepEqual(
    list.entries.map(({ resource, state, administrations: of }) => [
      resource.id,
      state,
      of.map(({ id }) => id).join(' '),
    ]),
    [
      ['a', 'current', 'y x'],
      ['Saline', 'current', ''],
      ['Wrong', 'past', ''],
      ['z', 'past', ''],
    ],
  );
  assert.deepEqual(
    list.given.map((one) => [one.name, one.administrations.length]),
    [
      ['morphine', 2],
      ['Oxytocin', 1],
    ],
  );
  assert.deepEqual(
    list.withheld.map(({ name }) => name),
    ['Heparin'],
  );
});

test('entries are in order of their dates, without the records that say that there is no medication', () => {
  const none = { medicationCodeableConcept: { coding: [{ code: 'no-known-medications' }] } };
  const statements = [
    statement('s', 'active', { effectivePeriod: { start: '2021' } }),
    statement('t', 'active', { dateAsserted: '2024-05-01' }),
    statement('n', 'active', none),
    statement('o', 'completed', none),
  ];
  assert.deepEqual(listed([request('a', 'active', '2022-01-01')], statements), [
    't current',
    'a current',
    's current',
    'o past',
  ]);
  const list = medicationList(ENGLISH, { statements }, NOW);
  assert.deepEqual(
    list.none.map(({ id }) => id),
    ['n'],
  );
});

test('a request has its administrations without errors, and the newest prescription that follows it', () => {
  const by = { request: { reference: 'MedicationRequest/a' } };
  const follows = (id: string): object => ({ priorPrescription: { reference: `MedicationRequest/${id}` } });
  const requests = [
    request('a', 'active', '2024-01-01'),
    { ...request('b', 'active', '2025-01-01'), ...follows('a') },
    { ...request('c', 'completed', '2026-01-01'), ...follows('a') },
    { ...request('d', 'draft', '2026-02-01'), ...follows('a') },
    { ...request('e', 'entered-in-error', '2026-03-01'), ...follows('a') },
    { ...request('f', 'active', '2026-03-01'), ...follows('f') },
  ];
  const all = [given('x', 'completed', by), given('y', 'entered-in-error', by), given('z', 'not-done', by)];
  const { entries } = medicationList(ENGLISH, { requests, administrations: all }, NOW);
  const entry = (id: string) => entries.find(({ resource }) => resource.id === id);
  assert.deepEqual(
    entry('a')?.administrations.map(({ id }) => id),
    ['x', 'z'],
  );
  assert.equal(entry('a')?.followedBy?.id, 'c', 'the newest that holds or held');
  for (const id of ['b', 'c', 'd', 'e', 'f']) assert.equal(entry(id)?.followedBy, undefined, id);
});

test('a drug with only active plans and ended reports is unclear; an order and its report are one entry', () => {
  const drug = { medicationCodeableConcept: { text: 'Metformin' } };
  const dosage = (text: string): object => ({ dosage: [{ text }], dosageInstruction: [{ text }] });
  const plan = { ...request('p', 'active', '2017-01-01'), ...drug, intent: 'plan' };
  const order = { ...request('o', 'active', '2017-01-01'), ...drug, ...dosage('1 tablet') };
  const ended = (id: string, elements: object = {}): MedicationStatement =>
    statement(id, 'active', { ...drug, effectivePeriod: { end: '2018-09-26' }, ...elements });
  const cases: [name: string, MedicationRequest[], MedicationStatement[], string[]][] = [
    ['a plan', [plan], [], ['p unclear']],
    ['a plan not to take', [{ ...plan, doNotPerform: true }], [], ['p avoid']],
    ['a proposal not to take', [{ ...plan, intent: 'proposal', doNotPerform: true }], [], ['p planned']],
    ['a proposal', [{ ...plan, intent: 'proposal' }], [], ['p planned']],
    ['a plan, and a report that has ended', [plan], [ended('s')], ['p unclear + s']],
    ['a report that has ended', [], [ended('s')], ['s unclear']],
    ['a report that is completed', [], [{ ...ended('s'), status: 'completed' }], ['s past']],
    ['another dose', [plan], [ended('s', dosage('2 g'))], ['s unclear', 'p unclear']],
    ['another dose of the plan', [plan], [ended('s', { ...dosage('2 g'), ...to('p') })], ['p unclear + s']],
    ['a plan, and a report that is taken', [plan], [statement('s', 'active', drug)], ['p planned', 's current']],
    ['a plan, and a report in error', [plan], [statement('s', 'entered-in-error', drug)], ['p unclear', 's past']],
    ['a plan, and an order', [plan, order], [], ['p planned', 'o current']],
    [
      'the report of an order',
      [order],
      [statement('s', 'active', { ...drug, ...dosage('1 tablet') })],
      ['o current + s'],
    ],
    [
      'another dose of an order',
      [order],
      [statement('s', 'active', { ...drug, ...dosage('2') })],
      ['o current', 's current'],
    ],
    [
      'a dose in another element',
      [{ ...order, dosageInstruction: [] }],
      [statement('s', 'active', { ...drug, renderedDosageInstruction: '2 tablets' })],
      ['o current', 's current'],
    ],
    [
      'two orders',
      [order, { ...order, id: 'q' }],
      [statement('s', 'active', { ...drug, ...dosage('1 tablet') })],
      ['o current', 'q current', 's current'],
    ],
  ];
  for (const [name, requests, statements, expected] of cases)
    assert.deepEqual(listed(requests, statements), expected, name);
});

test('an order whose course is over stays among the current ones, behind the others', () => {
  const over = {
    ...request('a', 'active', '2026-05-01'),
    dispenseRequest: { expectedSupplyDuration: { value: 7, code: 'd' } },
  };
  const { entries } = medicationList(ENGLISH, { requests: [over, request('b', 'active', '2020-01-01')] }, NOW);
  assert.deepEqual(
    entries.map(({ resource, state, courseEnd }) => [resource.id, state, courseEnd?.on]),
    [
      ['b', 'current', undefined],
      ['a', 'current', '2026-05-08'],
    ],
  );
});
