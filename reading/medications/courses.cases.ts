//! Records of medications, and the courses that result: `from | until | status | known as`, after the name unless it is
//! `Drug`. The states are those of the value sets of FHIR R4
//! (<https://hl7.org/fhir/R4/valueset-medication-statement-status.html>,
//! <https://hl7.org/fhir/R4/valueset-medication-admin-status.html>).

import type {
  MedicationAdministration,
  MedicationDispense,
  MedicationRequest,
  MedicationStatement,
} from '../fhir/types.ts';
import type { MedicationRecords as AllRecords } from './medication-records.ts';

type MedicationRecords = Partial<AllRecords>;

const named = (text: string) => ({ medicationCodeableConcept: { text } });
export const order = (more: Partial<MedicationRequest> = {}): MedicationRequest => ({
  ...{ resourceType: 'MedicationRequest', id: 'a', status: 'active', intent: 'order', authoredOn: '2024-01-01' },
  ...named('Drug'),
  ...more,
});
export const report = (status: string | undefined, more: Partial<MedicationStatement> = {}): MedicationStatement => ({
  ...{ resourceType: 'MedicationStatement', id: 'r', ...(status === undefined ? {} : { status }) },
  ...named('Drug'),
  ...more,
});
export const given = (on: string, more: Partial<MedicationAdministration> = {}): MedicationAdministration => ({
  ...{ resourceType: 'MedicationAdministration', id: `g-${on}`, status: 'completed', effectiveDateTime: on },
  ...named('Drug'),
  ...more,
});
const filled = (whenHandedOver: string, more: Partial<MedicationDispense> = {}): MedicationDispense => ({
  ...{ resourceType: 'MedicationDispense', id: `f-${whenHandedOver}`, status: 'completed', whenHandedOver },
  ...named('Drug'),
  ...more,
});
const coded = (text: string, code: string) => ({
  medicationCodeableConcept: { text, coding: [{ system: 'http://www.nlm.nih.gov/research/umls/rxnorm', code }] },
});
const from = (start: string, end?: string) => ({ effectivePeriod: end === undefined ? { start } : { start, end } });
const by = { request: { reference: 'MedicationRequest/a' } };
const ofOrder = { authorizingPrescription: [{ reference: 'MedicationRequest/a/_history/2' }] };
const days = (value: number) => ({ value, code: 'd' });
const bounds = (...repeats: object[]): Partial<MedicationRequest> => ({
  dosageInstruction: repeats.map((repeat, sequence) => ({ sequence, timing: { repeat } })),
});
const supply = (value: number, numberOfRepeatsAllowed: number): Partial<MedicationRequest> => ({
  dispenseRequest: { expectedSupplyDuration: days(value), numberOfRepeatsAllowed },
});

const reports = (status: string | undefined, more?: Partial<MedicationStatement>): MedicationRecords => ({
  statements: [report(status, more)],
});
const administered = (...administrations: MedicationAdministration[]): MedicationRecords => ({
  administrations,
});
const ordered = (more?: Partial<MedicationRequest>, ...dispenses: MedicationDispense[]): MedicationRecords => ({
  requests: [order(more)],
  dispenses,
});
const dispensed = (...dispenses: MedicationDispense[]): MedicationRecords => ({ dispenses });
const stopped = { status: 'stopped' };
const ended = { dateEnded: '2024-06' };
const completed = { status: 'completed' };

export const CASES: [says: string, records: MedicationRecords, courses: string[], undated?: string[]][] = [
  // Only reports.
  ['since a date', reports('active', from('2021-03-04')), ['4 Mar 2021 | No end recorded | Active | Reported']],
  [
    'from a date until another',
    reports('completed', from('2021-03-04', '2021-04-01')),
    ['4 Mar 2021 | 1 Apr 2021 | Completed | Reported'],
  ],
  [
    'an end that is a month stays one',
    reports('completed', from('2019-01', '2019-02')),
    ['Jan 2019 | Feb 2019 | Completed | Reported'],
  ],
  [
    'an end in another zone keeps its day',
    reports('stopped', from('2024-01-01', '2024-02-10T23:30:00-05:00')),
    ['1 Jan 2024 | 10 Feb 2024 | Stopped | Reported'],
  ],
  [
    'an active report whose time has ended has ended',
    reports('active', from('2019-01-05', '2019-02-01')),
    ['5 Jan 2019 | 1 Feb 2019 | Ended | Reported'],
  ],
  [
    'stopped at an unrecorded time',
    reports('stopped', { ...from('2021-03-04'), statusReason: [{ text: 'Cough' }] }),
    ['4 Mar 2021 | No end recorded | Stopped: Cough | Reported'],
  ],
  [
    'stopped before the time that was planned for it',
    reports('stopped', from('2021-03-04', '2999-01-01')),
    ['4 Mar 2021 | No end recorded | Stopped | Reported'],
  ],
  [
    'on hold is not an end',
    reports('on-hold', from('2021-03-04')),
    ['4 Mar 2021 | No end recorded | On hold | Reported'],
  ],
  ...['unknown', undefined].map((status): (typeof CASES)[number] => [
    `the status ${status}`,
    reports(status, from('2021-03-04')),
    ['4 Mar 2021 | No end recorded | Status unknown | Reported'],
  ]),
  [
    'the day of a report is not a start',
    reports('active', { dateAsserted: '2022-01-01' }),
    ['No start recorded; reported 1 Jan 2022 | No end recorded | Active | Reported'],
  ],
  [
    'a day on which it was taken is not a start',
    reports('active', { effectiveDateTime: '2023-05-03', dateAsserted: '2023-06-01' }),
    ['No start recorded; reported 3 May 2023 | No end recorded | Active | Reported'],
  ],
  [
    'an end alone has no start',
    reports('completed', { effectivePeriod: { end: '2023-05-03' } }),
    ['No start recorded | 3 May 2023 | Completed | Reported'],
  ],
  ['no date at all', reports('active'), [], ['Drug']],
  ['a date that is none', reports('active', from('lately')), [], ['Drug']],
  [
    'an end before the start is not believed',
    reports('completed', from('2023-05-03', '2022-01-01')),
    ['3 May 2023 | No end recorded | Completed | Reported'],
  ],
  ['not taken', reports('not-taken', from('2021-03-04')), []],
  ['only intended', reports('intended', from('2021-03-04')), []],
  ['not to be taken', reports('active', { ...from('2021-03-04'), doNotPerform: true }), []],
  ['not yet begun', reports('active', from('2999-01-01')), []],
  ['entered in error', reports('entered-in-error', from('2021-03-04')), []],
  [
    'no known medication',
    reports('active', {
      ...from('2021-03-04'),
      medicationCodeableConcept: { coding: [{ code: 'no-known-medications' }] },
    }),
    [],
  ],
  [
    'a dosage that has ended',
    reports('active', { ...from('2021-03-04'), dosage: [{ timing: { repeat: { boundsDuration: days(7) } } }] }),
    ['4 Mar 2021 | 11 Mar 2021 | Active | Reported'],
  ],
  // Only administrations.
  [
    'given once',
    administered(given('2024-06-03T09:30:00+02:00')),
    ['3 Jun 2024 | No end recorded; last given 3 Jun 2024 | Completed | Given once'],
  ],
  [
    'given several times is one course, in whatever order they come',
    administered(given('2024-06-05'), given('2024-06-03'), given('2024-06-04')),
    ['3 Jun 2024 | No end recorded; last given 5 Jun 2024 | Completed | Given 3 times'],
  ],
  [
    'in progress',
    administered(given('2024-06-03'), given('x', { status: 'in-progress', effectivePeriod: { start: '2024-06-04' } })),
    ['3 Jun 2024 | No end recorded | In progress | Given 2 times'],
  ],
  ['not given', administered(given('2024-06-03', { status: 'not-done' })), []],
  [
    'an administration in error never counts',
    administered(given('2024-06-03'), given('2024-06-04', { status: 'entered-in-error' })),
    ['3 Jun 2024 | No end recorded; last given 3 Jun 2024 | Completed | Given once'],
  ],
  [
    'stopped',
    administered(given('2024-06-03', stopped)),
    ['3 Jun 2024 | No end recorded; last given 3 Jun 2024 | Stopped | Given once'],
  ],
  ['given at an unknown time', administered(given('soon')), [], ['Drug']],
  // Several kinds of records of one drug.
  [
    'an order, its report and its administrations are separate courses',
    {
      requests: [order(completed)],
      statements: [report('active', { derivedFrom: [by.request], ...from('2021-03-04') })],
      administrations: [given('2024-01-03', by), given('2024-01-05')],
    },
    [
      '4 Mar 2021 | No end recorded | Active | Reported',
      '1 Jan 2024 | No end recorded | Completed | Ordered',
      '3 Jan 2024 | No end recorded; last given 5 Jan 2024 | Completed | Given 2 times',
    ],
  ],
  [
    'of one code, with different names',
    {
      requests: [order(coded('Metformin 500 mg', '1'))],
      statements: [report('active', { ...coded('Glucophage', '1'), ...from('2024-02-01') })],
    },
    [
      'Metformin 500 mg | 1 Jan 2024 | No end recorded | Active | Ordered',
      'Glucophage | 1 Feb 2024 | No end recorded | Active | Reported',
    ],
  ],
  // Orders.
  [
    'an active order continues after its last dispense',
    ordered({}, filled('2024-01-02', { ...ofOrder, daysSupply: days(30) })),
    ['1 Jan 2024 | No end recorded | Active | Ordered and filled'],
  ],
  [
    'the end of its dosage',
    ordered({ ...completed, ...bounds({ boundsPeriod: { end: '2024-02-10' } }) }),
    ['1 Jan 2024 | 10 Feb 2024 | Completed | Ordered'],
  ],
  [
    'the length of its dosage',
    ordered({ ...completed, ...bounds({ boundsDuration: { value: 2, unit: 'weeks', code: 'wk' } }) }),
    ['1 Jan 2024 | 15 Jan 2024 | Completed | Ordered'],
  ],
  [
    'an end that is a month, in an order too',
    ordered(bounds({ boundsPeriod: { end: '2024-02' } })),
    ['1 Jan 2024 | Feb 2024 | Active | Ordered'],
  ],
  [
    'the end of the day of the order',
    ordered({ authoredOn: '2024-01-01T12:00:00Z', ...bounds({ boundsPeriod: { end: '2024-01-01' } }) }),
    ['1 Jan 2024 | 1 Jan 2024 | Active | Ordered'],
  ],
  [
    'the longest of a range of durations',
    ordered(bounds({ boundsRange: { low: days(5), high: days(7) } })),
    ['1 Jan 2024 | 8 Jan 2024 | Active | Ordered'],
  ],
  [
    'a short supply of an active order, as in the list',
    ordered(supply(5, 0)),
    ['1 Jan 2024 | No end recorded; ordered for the time until 6 Jan 2024 | Active | Ordered'],
  ],
  [
    'an end before the start is not believed',
    ordered(bounds({ boundsPeriod: { end: '2023-01-01' } })),
    ['1 Jan 2024 | No end recorded | Active | Ordered'],
  ],
  [
    'a part without an end',
    ordered(bounds({ boundsPeriod: { end: '2024-02-10' } }, {})),
    ['1 Jan 2024 | No end recorded | Active | Ordered'],
  ],
  [
    'the steps of a taper follow each other',
    ordered({ ...completed, ...bounds(...[1, 2, 3].map(() => ({ boundsDuration: days(5) }))) }),
    ['1 Jan 2024 | 16 Jan 2024 | Completed | Ordered'],
  ],
  [
    'stopped before the end that was planned for it',
    ordered({ ...stopped, statusReason: { text: 'Rash' }, ...bounds({ boundsDuration: days(10) }) }),
    ['1 Jan 2024 | No end recorded; ordered for the time until 11 Jan 2024 | Stopped: Rash | Ordered'],
  ],
  [
    'stopped: the ordered supply with its repeats',
    ordered({ ...stopped, ...supply(30, 2) }),
    ['1 Jan 2024 | No end recorded; ordered for the time until 31 Mar 2024 | Stopped | Ordered'],
  ],
  [
    'stopped: the last dispense, rather than the supply',
    ordered({ ...stopped, ...supply(30, 2) }, filled('2024-06-01', { ...ofOrder, daysSupply: days(30) })),
    ['1 Jan 2024 | No end recorded; the last fill lasts until 1 Jul 2024 | Stopped | Ordered and filled'],
  ],
  ['ended (DSTU2)', ordered({ ...stopped, ...ended }), ['1 Jan 2024 | Jun 2024 | Stopped | Ordered']],
  ['no end at all', ordered(stopped), ['1 Jan 2024 | No end recorded | Stopped | Ordered']],
  ...([1e300, 90] as const).map((length): (typeof CASES)[number] => [
    `a supply of ${length} days with 1e9 refills is not believed`,
    ordered({ ...stopped, ...supply(length, 1e9) }),
    ['1 Jan 2024 | No end recorded | Stopped | Ordered'],
  ]),
  [
    'an unknown status is not active',
    ordered({ status: 'unknown' }),
    ['1 Jan 2024 | No end recorded | Status unknown | Ordered'],
  ],
  [
    'a status in words of its own',
    ordered({ status: 'verordnet' }),
    ['1 Jan 2024 | No end recorded | Verordnet | Ordered'],
  ],
  ['not yet begun', ordered(bounds({ boundsPeriod: { start: '2999-01-01' } })), []],
  ['a draft', ordered({ status: 'draft' }), []],
  ['a plan', ordered({ intent: 'plan' }), []],
  [
    'a plan that is reported',
    ordered({ intent: 'plan', reportedBoolean: true }),
    ['1 Jan 2024 | No end recorded | Active | Ordered'],
  ],
  ['withdrawn', ordered({ status: 'Canceled' }), []],
  ['a proposal', ordered({ status: 'completed', intent: 'proposal' }), []],
  ['an order not to take it', ordered({ doNotPerform: true }), []],
  ['an order in error', ordered({ status: 'entered-in-error' }), []],
  ['an order at an unknown time', ordered({ authoredOn: 'yesterday' }), [], ['Drug']],
  // Dispenses without an order.
  ['declined, whatever its date', dispensed(filled('2024-01-02', { status: 'declined' })), []],
  ['in error', dispensed(filled('2024-01-02', { status: 'entered-in-error' })), []],
  [
    'in progress, but handed over',
    dispensed(filled('2024-01-02', { status: 'in-progress' })),
    ['2 Jan 2024 | No end recorded; the last fill lasts until 2 Jan 2024 | Filled | Filled'],
  ],
  [
    'days of supply without a unit',
    dispensed(filled('2024-01-02', { daysSupply: { value: 30 } })),
    ['2 Jan 2024 | No end recorded; the last fill lasts until 1 Feb 2024 | Filled | Filled'],
  ],
  [
    'of a withdrawn order',
    ordered({ status: 'cancelled' }, filled('2024-01-02', ofOrder)),
    ['2 Jan 2024 | No end recorded; the last fill lasts until 2 Jan 2024 | Filled | Filled'],
  ],
];
