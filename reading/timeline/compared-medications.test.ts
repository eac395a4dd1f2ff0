import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../fhir/types.ts';
import { comparedMedications } from './compared-medications.ts';
import type { Visit } from './days.ts';
import { eventOf, type TimelineEvent } from './events.ts';

const EARLIER = '2023-05-01';
const LATER = '2024-05-01';

type More = Record<string, unknown>;
const named = (text: string) => ({ medicationCodeableConcept: { text } });
const dose = (value: number) => [{ doseAndRate: [{ doseQuantity: { value, unit: 'mg' } }] }];
const event = (resource: Resource & More): TimelineEvent[] => {
  const made = eventOf(resource, []);
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

/** The table: the records of the earlier and the later visit, those of other days, and the change. */
const CASES: [
  says: string,
  earlier: TimelineEvent[],
  later: TimelineEvent[],
  other: TimelineEvent[],
  change: string[],
][] = [
  ['prescribed at both', order(EARLIER), order(LATER), [], ['At both']],
  ['prescribed, then reported', order(EARLIER), report(LATER), [], ['At both']],
  ['reported, then given', report(EARLIER), given(LATER), [], ['At both']],
  ['prescribed anew', [], order(LATER), [], ['New']],
  ['prescribed before the visits', [], order(LATER), order('2020-01-01'), ['Prescribed before']],
  ['reported before the visits', [], order(LATER), report('2020-01-01'), ['Recorded before']],
  ['reported anew is not prescribed anew', [], report(LATER), [], ['Only later']],
  ['given at the later one alone', [], given(LATER), [], ['Only later']],
  ['not to be taken', [], order(LATER, { doNotPerform: true }), [], ['Later: do not take']],
  ['not taken', order(EARLIER), report(LATER, { status: 'not-taken' }), [], ['At both; later: not taken']],
  ['stopped', report(EARLIER), report(LATER, { status: 'stopped' }), [], ['At both; later: stopped']],
  ['on hold', order(EARLIER), report(LATER, { status: 'on-hold' }), [], ['At both; later: on hold']],
  ['not given', given(EARLIER), given(LATER, { status: 'not-done' }), [], ['At both; later: not administered']],
  ['an error is none', order(EARLIER), report(LATER, { status: 'entered-in-error' }), [], ['Not prescribed again']],
  ['ended since', order(EARLIER, { status: 'stopped' }), [], [], ['Ended: stopped']],
  ['reported as ended', report(EARLIER, { status: 'completed' }), [], [], ['Ended: completed']],
  ['ended by its time', report(EARLIER, { effectivePeriod: { end: LATER } }), [], [], ['Ended: ended']],
  ['no longer reported', report(EARLIER), [], [], ['Only earlier']],
  ['no longer given', given(EARLIER), [], [], ['Only earlier']],
  [
    'another dose',
    order(EARLIER, { dosageInstruction: dose(5) }),
    order(LATER, { dosageInstruction: dose(10) }),
    [],
    ['At both, with another dose'],
  ],
  [
    'doses of other kinds of records are not compared',
    order(EARLIER, { dosageInstruction: dose(5) }),
    report(LATER, { dosage: dose(10) }),
    [],
    ['At both'],
  ],
  [
    'two without a name',
    order(EARLIER, { medicationCodeableConcept: undefined }),
    order(LATER, { medicationCodeableConcept: undefined }),
    [],
    ['New', 'Not prescribed again'],
  ],
  [
    'one reference',
    order(EARLIER, { medicationCodeableConcept: undefined, medicationReference: { reference: 'Medication/a' } }),
    order(LATER, { medicationCodeableConcept: undefined, medicationReference: { reference: 'Medication/a' } }),
    [],
    ['At both'],
  ],
  ['two drugs', order(EARLIER), order(LATER, named('Other')), [], ['New', 'Not prescribed again']],
];

test('what was prescribed, reported and given at two visits is compared by drug', () => {
  for (const [says, before, after, other, expected] of CASES) {
    const pair = { earlier: visit(EARLIER, before), later: visit(LATER, after) };
    const rows = comparedMedications(pair, [...other, ...before, ...after]);
    assert.deepEqual(
      rows.map(({ change }) => change),
      expected,
      says,
    );
  }
});

test('a visit tells each kind of records of a drug once, with the number of times that it was given', () => {
  const records = [
    ...order(LATER),
    ...given(`${LATER}T08:00:00Z`),
    ...given(`${LATER}T20:00:00Z`),
    ...given(`${LATER}T22:00:00Z`, { status: 'not-done' }),
  ];
  const [row] = comparedMedications({ earlier: visit(EARLIER, []), later: visit(LATER, records) }, records);
  assert.deepEqual(
    row?.later.map(({ event: { resource, on }, count }) => [resource.resourceType, on.slice(11, 13), count]),
    [
      ['MedicationAdministration', '22', 1],
      ['MedicationAdministration', '20', 2],
      ['MedicationRequest', '', 1],
    ],
  );
});
