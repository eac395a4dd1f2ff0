import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MedicationDispense, MedicationRequest } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import type { Course } from './course.ts';
import { untilText } from './course-words.ts';
import { barsOf, coursesOf } from './courses.ts';

const order = (id: string, more: Partial<MedicationRequest> = {}): MedicationRequest => ({
  resourceType: 'MedicationRequest',
  id,
  status: 'active',
  intent: 'order',
  authoredOn: '2024-01-01',
  medicationCodeableConcept: { text: id },
  ...more,
});
const dispense = (of: string, whenHandedOver: string, days?: number, more: Partial<MedicationDispense> = {}) =>
  ({
    resourceType: 'MedicationDispense',
    id: `${of}-${whenHandedOver}`,
    status: 'completed',
    whenHandedOver,
    medicationCodeableConcept: { text: of },
    authorizingPrescription: [{ reference: `MedicationRequest/${of}` }],
    ...(days === undefined ? {} : { daysSupply: { value: days, code: 'd' } }),
    ...more,
  }) satisfies MedicationDispense;

const courses = (requests: MedicationRequest[], dispenses: MedicationDispense[] = []): Course[] =>
  coursesOf(ENGLISH, { requests, dispenses }).lines.flatMap((line) => line.courses);
const read = (requests: MedicationRequest[], dispenses: MedicationDispense[] = []) =>
  courses(requests, dispenses).map((course) => [
    course.name,
    course.since,
    untilText(ENGLISH, course).replaceAll('\u00a0', ' '),
    course.status,
  ]);

test('an active order goes on; no dispense ends it', () => {
  assert.deepEqual(read([order('A')], [dispense('A', '2024-01-02', 30)]), [
    ['A', '2024-01-01', 'No end recorded', 'active'],
  ]);
});

test('an order that has ended has the end of its dosage', () => {
  const period = { timing: { repeat: { boundsPeriod: { end: '2024-02-10' } } } };
  assert.deepEqual(read([order('A', { status: 'completed', dosageInstruction: [period] })])[0]?.[2], '10 Feb 2024');
  const length = { timing: { repeat: { boundsDuration: { value: 2, unit: 'weeks', code: 'wk' } } } };
  assert.deepEqual(read([order('A', { status: 'completed', dosageInstruction: [length] })])[0]?.[2], '15 Jan 2024');
  // If one part of the dosage has no end, the course has none.
  const open = order('A', { dosageInstruction: [period, { text: 'then as needed' }] });
  assert.deepEqual(read([open])[0]?.[2], 'No end recorded');
});

test('without one the last dispense or the supply tells how long at least, and that no end is recorded', () => {
  const stopped = order('A', {
    status: 'stopped',
    statusReason: { text: 'Cough' },
    dispenseRequest: { expectedSupplyDuration: { value: 30, code: 'd' }, numberOfRepeatsAllowed: 2 },
  });
  assert.deepEqual(read([stopped]), [
    ['A', '2024-01-01', 'No end recorded; ordered for the time until 31 Mar 2024', 'stopped: Cough'],
  ]);
  assert.equal(
    read([stopped], [dispense('A', '2024-01-02', 30), dispense('A', '2024-06-01', 30)])[0]?.[2],
    'No end recorded; the last fill lasts until 1 Jul 2024',
  );
  assert.equal(read([order('A', { status: 'stopped' })])[0]?.[2], 'No end recorded');
  assert.equal(read([order('A', { status: 'on-hold' })])[0]?.[3], 'on hold');
});

test('plans, drafts, withdrawn orders, orders not to take it and errors are no courses', () => {
  const none = [
    order('draft', { status: 'draft' }),
    order('plan', { intent: 'plan' }),
    order('cancelled', { status: 'cancelled' }),
    order('canceled', { status: 'Canceled' }),
    order('proposed', { status: 'completed', intent: 'proposal' }),
    order('not', { doNotPerform: true }),
    order('error', { status: 'entered-in-error' }),
    { resourceType: 'MedicationRequest', id: 'bare' } as const,
  ];
  assert.deepEqual(courses(none, [dispense('x', '2024-01-01', 5, { status: 'entered-in-error' })]), []);
  // A medication that is reported as taken is a course, although its intent is a plan.
  assert.equal(courses([order('reported', { intent: 'plan', reportedBoolean: true })]).length, 1);
});

test('the orders of a medication are one line, in order of their start, and a dispense alone is a course', () => {
  const { lines } = coursesOf(ENGLISH, {
    requests: [
      order('b', { authoredOn: '2025-01-01', medicationCodeableConcept: { text: 'Metformin' } }),
      order('a', { authoredOn: '2023-01-01', status: 'stopped', medicationCodeableConcept: { text: 'metformin' } }),
    ],
    dispenses: [dispense('elsewhere', '2024-05-01', 10)],
  });
  assert.deepEqual(
    lines.map(({ name, courses: list }) => [name, list.map(({ since }) => since)]),
    [
      ['metformin', ['2023-01-01', '2025-01-01']],
      ['elsewhere', ['2024-05-01']],
    ],
  );
});

test('times that cannot be are not believed', () => {
  const odd = order('A', {
    status: 'stopped',
    dispenseRequest: { expectedSupplyDuration: { value: 1e300, code: 'd' }, numberOfRepeatsAllowed: 1e9 },
  });
  assert.equal(read([odd])[0]?.[2], 'No end recorded');
  const many = order('A', {
    status: 'stopped',
    dispenseRequest: { expectedSupplyDuration: { value: 90, code: 'd' }, numberOfRepeatsAllowed: 1e9 },
  });
  assert.equal(read([many])[0]?.[2], 'No end recorded');
  assert.deepEqual(courses([order('A', { authoredOn: 'yesterday' })]), []);
});

test('bars are cut at the edges of the picture, and say how they end', () => {
  const { lines } = coursesOf(ENGLISH, {
    requests: [
      order('a', { medicationCodeableConcept: { text: 'm' }, authoredOn: '2020-01-01' }),
      order('b', {
        medicationCodeableConcept: { text: 'm' },
        authoredOn: '2024-03-01',
        status: 'completed',
        dosageInstruction: [{ timing: { repeat: { boundsPeriod: { end: '2024-04-01' } } } }],
      }),
      order('c', { medicationCodeableConcept: { text: 'm' }, authoredOn: '2024-05-01', status: 'stopped' }),
      order('d', { medicationCodeableConcept: { text: 'm' }, authoredOn: '2030-01-01' }),
      order('e', { medicationCodeableConcept: { text: 'm' }, authoredOn: '2019-01-01', status: 'stopped' }),
    ],
  });
  const [line] = lines;
  assert.ok(line);
  const day = 86_400_000;
  const x = (at: number): number => (at - Date.parse('2024-01-01')) / day;
  assert.deepEqual(
    barsOf(line, x, 0, 366).map(({ course, x: from, width, left, right }) => [
      course.resource.id,
      from,
      width,
      left,
      right,
    ]),
    [
      ['a', 0, 366, 'notch', 'arrow'],
      ['b', 60, 31, 'edge', 'edge'],
      ['c', 121, 0, 'edge', 'dots'],
    ],
  );
});
