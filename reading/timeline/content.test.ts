import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { contentOf, type TimelineContent } from './content.ts';
import { visitHours } from './visit-hours.ts';

const made = (records: (Resource & Record<string, unknown>)[], pause = async () => {}): Promise<TimelineContent> =>
  contentOf(
    ENGLISH,
    [...Map.groupBy(records, ({ resourceType }) => resourceType).values()].map((matches) => ({
      found: { matches, included: [], malformed: [], exchanges: [], older: 0, errors: [] },
    })),
    pause,
  );
const visit = (id: string, more = {}) => ({
  resourceType: 'Encounter',
  id,
  period: { start: '2020-01-01' },
  ...more,
});

test('records entered in error are no events, nor are their visits cards', async () => {
  const { events, days } = await made([
    visit('a', { status: 'entered-in-error' }),
    { resourceType: 'Goal', id: 'g', startDate: '2020-01-01', lifecycleStatus: 'entered-in-error' },
    { resourceType: 'Procedure', id: 'p', performedDateTime: '2020-01-01', encounter: { reference: 'Encounter/a' } },
  ]);
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['Procedure'],
  );
  assert.equal(days[0]?.visits.length, 0);
});

test('a visit holds its records by encounter, context or list of contexts, relative or absolute', async () => {
  const { days, undated } = await made([
    visit('a'),
    { resourceType: 'Observation', id: 'o', encounter: { reference: 'https://x.example/fhir/Encounter/a' } },
    { resourceType: 'MedicationDispense', id: 'm', context: { reference: 'Encounter/a/_history/2' } },
    { resourceType: 'DocumentReference', id: 'd', context: { encounter: [{ reference: 'Encounter/a' }] } },
    { resourceType: 'Condition', id: 'c', encounter: 'odd', recordedDate: '2021-01-01' },
    { resourceType: 'Immunization', id: 'i' },
  ]);
  assert.deepEqual(
    days.map(({ on, visits, records }) => [on, visits[0]?.records.length, records.length]),
    [
      ['2021-01-01', undefined, 1],
      ['2020-01-01', 3, 0],
    ],
  );
  assert.deepEqual(
    undated.map(({ resource }) => resource.id),
    ['i'],
  );
});

test('a period with an end alone places its record, of whatever type', async () => {
  const period = { end: '2020-02-01' };
  const of: Record<string, object> = {
    AllergyIntolerance: { onsetPeriod: period },
    CarePlan: { period },
    Condition: { onsetPeriod: period },
    DiagnosticReport: { effectivePeriod: period },
    DocumentReference: { context: { period } },
    Encounter: { period },
    Observation: { effectivePeriod: period },
    Procedure: { performedPeriod: period },
    ServiceRequest: { occurrencePeriod: period },
  };
  const { events, undated } = await made(
    Object.entries(of).map(([resourceType, more]) => ({ resourceType, id: 'a', ...more })),
  );
  assert.deepEqual(undated, []);
  assert.deepEqual(new Set(events.map(({ on }) => on)), new Set(['2020-02-01']));
  assert.equal(events.length, Object.keys(of).length);
});

test('a status that is not the usual one is told: a vaccine that was not given is no vaccine that was', async () => {
  const { events } = await made([
    { resourceType: 'Immunization', id: 'i', status: 'not-done', occurrenceDateTime: '2020-01-01' },
    { resourceType: 'Observation', id: 'o', status: 'final', effectiveDateTime: '2020-01-01' },
    { resourceType: 'Condition', id: 'c', recordedDate: '2020', verificationStatus: { coding: [{ code: 'refuted' }] } },
  ]);
  assert.deepEqual(
    events.map(({ kind, status }) => [kind, status]),
    [
      ['Immunization', 'not given'],
      ['Result', undefined],
      ['Problem', 'refuted'],
    ],
  );
});

test('a value that a program computed has few digits', async () => {
  const { events } = await made([
    {
      resourceType: 'Observation',
      id: 'o',
      effectiveDateTime: '2020-01-01',
      valueQuantity: { value: 71.7417427197, unit: 'mm' },
    },
  ]);
  assert.equal(events[0]?.value, '71.7\u00a0mm');
});

test('thousands of records are made with pauses, each record once', async () => {
  let pauses = 0;
  const records = Array.from({ length: 2_500 }, (_, i) => ({
    resourceType: 'Observation',
    id: `o${i % 2_000}`,
    effectiveDateTime: '2020-01-01',
  }));
  const { events } = await made(records, async () => {
    pauses += 1;
  });
  assert.equal(events.length, 2_000);
  assert.ok(pauses >= 20, `${pauses} pauses`);
});

test('the hours of a visit', () => {
  assert.equal(visitHours(ENGLISH, { start: '2020-01-01T09:00:00Z', end: '2020-01-01T09:40:00Z' }), '09:00–09:40');
  assert.equal(visitHours(ENGLISH, { start: '2020-01-01T09:00:00Z' }), '09:00');
  assert.equal(visitHours(ENGLISH, { start: '2020-01-01', end: '2020-01-03' }), 'until 3\u00a0Jan\u00a02020');
  assert.equal(visitHours(ENGLISH, undefined), '');
});
