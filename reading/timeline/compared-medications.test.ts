import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { comparedMedications } from './compared-medications.ts';
import type { Visit } from './days.ts';
import { eventOf, type TimelineEvent } from './events.ts';

const EARLIER = '2023-05-01';
const LATER = '2024-05-01';

type More = Record<string, unknown>;
const named = (text: string) => ({ medicationCodeableConcept: { text } });
const dose = (value: number) => [{ doseAndRate: [{ doseQuantity: { value, unit: 'mg' } }] }];
const event = (resource: Resource & More): TimelineEvent[] => {
  const made = eventOf(ENGLISH, resource, []);
  return made?.at === undefined ? [] : [{ ...made, at: made.at }];
};
const made = (resourceType: string, date: string, on: string, more: More): TimelineEvent[] =>
  event({ resourceType, id: `${resourceType}-${on}`, status: 'active', [date]: on, ...named('Drug'), ...more });
const order = (on: string, more: More = {}): TimelineEvent[] => made('MedicationRequest', 'authoredOn', on, more);
const report = (on: string, more: More = {}): TimelineEvent[] =>
  made('MedicationStatement', 'effectiveDateTime', on, more);
const given = (on: string, more: More = {}): TimelineEvent[] =>
  made('MedicationAdministration', 'effectiveDateTime', on, { status: 'completed', ...more });

const visit = (on: string, records: TimelineEvent[]): Visit => {
  const [of] = event({ resourceType: 'Encounter', id: on, period: { start: on } });
  assert.ok(of);
  return { event: of, records };
};

const unnamed = (more: More = {}): More => ({ medicationCodeableConcept: undefined, ...more });
const one = unnamed({ medicationReference: { reference: 'Medication/a' } });

/** The records of the earlier and the later encounter, and the encounters that have a drug. */
const CASES: [says: string, earlier: TimelineEvent[], later: TimelineEvent[], change: string[]][] = [
  ['prescribed at both', order(EARLIER), order(LATER), ['At both']],
  ['prescribed, then reported', order(EARLIER), report(LATER), ['At both']],
  ['reported, then given', report(EARLIER), given(LATER), ['At both']],
  ['prescribed', [], order(LATER), ['Only later']],
  ['no longer given', given(EARLIER), [], ['Only earlier']],
  ['an error is none', order(EARLIER), report(LATER, { status: 'entered-in-error' }), ['Only earlier']],
  ['two without a name', order(EARLIER, unnamed()), order(LATER, unnamed()), ['Only later', 'Only earlier']],
  ['one reference', order(EARLIER, one), order(LATER, one), ['At both']],
  ['two drugs', order(EARLIER), order(LATER, named('Other')), ['Only later', 'Only earlier']],
];

test('what was prescribed, reported and given at two visits stands side by side, by drug', () => {
  for (const [says, before, after, expected] of CASES) {
    const rows = comparedMedications(ENGLISH, { earlier: visit(EARLIER, before), later: visit(LATER, after) });
    assert.deepEqual(
      rows.map(({ change }) => change),
      expected,
      says,
    );
  }
});

test('a status that is not the usual one, and the dose, are told at their visit', () => {
  const cases: [says: string, at: TimelineEvent[], status: string | undefined][] = [
    ['taken', report(LATER), undefined],
    ['not to be taken', order(LATER, { doNotPerform: true }), 'do not take'],
    ['not taken', report(LATER, { status: 'not-taken' }), 'not taken'],
    ['stopped', report(LATER, { status: 'stopped' }), 'stopped'],
    ['on hold', report(LATER, { status: 'on-hold' }), 'on hold'],
    ['not given', given(LATER, { status: 'not-done' }), 'not administered'],
    ['ended by its time', report(LATER, { effectivePeriod: { end: LATER } }), 'ended'],
  ];
  for (const [says, at, status] of cases) {
    const [row] = comparedMedications(ENGLISH, { earlier: visit(EARLIER, order(EARLIER)), later: visit(LATER, at) });
    assert.equal(row?.later[0]?.event.status, status, says);
  }
  const [row] = comparedMedications(ENGLISH, {
    earlier: visit(EARLIER, order(EARLIER, { dosageInstruction: dose(5) })),
    later: visit(LATER, order(LATER, { dosageInstruction: dose(10) })),
  });
  const doses = [row?.earlier, row?.later].map((at) => at?.[0]?.event.value);
  assert.deepEqual(doses, ['5\u00a0mg', '10\u00a0mg']);
});

test('a visit tells each kind of records of a drug once, with the number of times that it was given', () => {
  const records = [
    ...order(LATER),
    ...given(`${LATER}T08:00:00Z`),
    ...given(`${LATER}T20:00:00Z`),
    ...given(`${LATER}T22:00:00Z`, { status: 'not-done' }),
  ];
  const [row] = comparedMedications(ENGLISH, { earlier: visit(EARLIER, []), later: visit(LATER, records) });
  assert.deepEqual(
    row?.later.map(({ event: { resource, on }, count }) => [resource.resourceType, on.slice(11, 13), count]),
    [
      ['MedicationAdministration', '22', 1],
      ['MedicationAdministration', '20', 2],
      ['MedicationRequest', '', 1],
    ],
  );
});
