//! Records of medications, and the courses that result: a row for each, as `name | from | until | status | known
//! as`. The states are those of the value sets of FHIR R4
//! (<https://hl7.org/fhir/R4/valueset-medication-statement-status.html>,
//! <https://hl7.org/fhir/R4/valueset-medication-admin-status.html>).

import type {
  MedicationAdministration,
  MedicationDispense,
  MedicationRequest,
  MedicationStatement,
} from '../fhir/types.ts';
import type { MedicationRecords } from './courses.ts';

const named = (text: string) => ({ medicationCodeableConcept: { text } });
const order = (id: string, more: Partial<MedicationRequest> = {}): MedicationRequest => ({
  resourceType: 'MedicationRequest',
  id,
  status: 'active',
  intent: 'order',
  authoredOn: '2024-01-01',
  ...named('Drug'),
  ...more,
});
const report = (status: string | undefined, more: Partial<MedicationStatement> = {}): MedicationStatement => ({
  resourceType: 'MedicationStatement',
  id: 'r',
  ...(status === undefined ? {} : { status }),
  ...named('Drug'),
  ...more,
});
const given = (on: string, more: Partial<MedicationAdministration> = {}): MedicationAdministration => ({
  resourceType: 'MedicationAdministration',
  id: `g-${on}`,
  status: 'completed',
  effectiveDateTime: on,
  ...named('Drug'),
  ...more,
});
const dispense = (status: string): MedicationDispense => ({
  resourceType: 'MedicationDispense',
  id: 'f',
  status,
  whenHandedOver: '2024-01-02',
  ...named('Drug'),
});
const coded = (text: string, code: string) => ({
  medicationCodeableConcept: { text, coding: [{ system: 'http://www.nlm.nih.gov/research/umls/rxnorm', code }] },
});
const from = (start: string, end?: string) => ({ effectivePeriod: end === undefined ? { start } : { start, end } });
const of = (id: string) => ({ derivedFrom: [{ reference: `MedicationRequest/${id}` }] });
const by = (id: string) => ({ request: { reference: `MedicationRequest/${id}` } });
const reports = (...statements: MedicationStatement[]): MedicationRecords => ({ requests: [], statements });
const administered = (...administrations: MedicationAdministration[]): MedicationRecords => ({
  requests: [],
  administrations,
});
const none = { coding: [{ code: 'no-known-medications' }] };

interface Case {
  says: string;
  records: MedicationRecords;
  courses: string[];
  undated?: string[];
}

export const CASES: Case[] = [
  // Only reports.
  {
    says: 'a report since a date',
    records: reports(report('active', from('2021-03-04'))),
    courses: ['Drug | 4 Mar 2021 | No end recorded | Active | Reported'],
  },
  {
    says: 'a report from a date until another',
    records: reports(report('completed', from('2021-03-04', '2021-04-01'))),
    courses: ['Drug | 4 Mar 2021 | 1 Apr 2021 | Completed | Reported'],
  },
  {
    says: 'an end that is a month stays one',
    records: reports(report('completed', from('2019-01', '2019-02'))),
    courses: ['Drug | Jan 2019 | Feb 2019 | Completed | Reported'],
  },
  {
    says: 'an end in another zone keeps its day',
    records: reports(report('stopped', from('2024-01-01', '2024-02-10T23:30:00-05:00'))),
    courses: ['Drug | 1 Jan 2024 | 10 Feb 2024 | Stopped | Reported'],
  },
  {
    says: 'an active report whose time has ended has ended',
    records: reports(report('active', from('2019-01-05', '2019-02-01'))),
    courses: ['Drug | 5 Jan 2019 | 1 Feb 2019 | Ended | Reported'],
  },
  {
    says: 'stopped, and nobody says when',
    records: reports(report('stopped', { ...from('2021-03-04'), statusReason: [{ text: 'Cough' }] })),
    courses: ['Drug | 4 Mar 2021 | No end recorded | Stopped: Cough | Reported'],
  },
  {
    says: 'stopped before the time that was planned for it',
    records: reports(report('stopped', from('2021-03-04', '2999-01-01'))),
    courses: ['Drug | 4 Mar 2021 | No end recorded | Stopped | Reported'],
  },
  {
    says: 'on hold is no end',
    records: reports(report('on-hold', from('2021-03-04'))),
    courses: ['Drug | 4 Mar 2021 | No end recorded | On hold | Reported'],
  },
  {
    says: 'a status that is not known',
    records: reports(report('unknown', from('2021-03-04'))),
    courses: ['Drug | 4 Mar 2021 | No end recorded | Status unknown | Reported'],
  },
  {
    says: 'no status',
    records: reports(report(undefined, from('2021-03-04'))),
    courses: ['Drug | 4 Mar 2021 | No end recorded | Status unknown | Reported'],
  },
  {
    says: 'the day of a report is no start',
    records: reports(report('active', { dateAsserted: '2022-01-01' })),
    courses: ['Drug | No start recorded; reported 1 Jan 2022 | No end recorded | Active | Reported'],
  },
  {
    says: 'a day on which it was taken is no start',
    records: reports(report('active', { effectiveDateTime: '2023-05-03', dateAsserted: '2023-06-01' })),
    courses: ['Drug | No start recorded; reported 3 May 2023 | No end recorded | Active | Reported'],
  },
  {
    says: 'an end alone has no start',
    records: reports(report('completed', { effectivePeriod: { end: '2023-05-03' } })),
    courses: ['Drug | No start recorded | 3 May 2023 | Completed | Reported'],
  },
  { says: 'no date at all', records: reports(report('active')), courses: [], undated: ['Drug'] },
  { says: 'a date that is none', records: reports(report('active', from('lately'))), courses: [], undated: ['Drug'] },
  {
    says: 'an end before the start is not believed',
    records: reports(report('completed', from('2023-05-03', '2022-01-01'))),
    courses: ['Drug | 3 May 2023 | No end recorded | Completed | Reported'],
  },
  { says: 'not taken', records: reports(report('not-taken', from('2021-03-04'))), courses: [] },
  { says: 'only intended', records: reports(report('intended', from('2021-03-04'))), courses: [] },
  {
    says: 'reported as not to be taken',
    records: reports(report('active', { ...from('2021-03-04'), doNotPerform: true })),
    courses: [],
  },
  { says: 'still to begin', records: reports(report('active', from('2999-01-01'))), courses: [] },
  { says: 'entered in error', records: reports(report('entered-in-error', from('2021-03-04'))), courses: [] },
  {
    says: 'no known medication',
    records: reports(report('active', { ...from('2021-03-04'), medicationCodeableConcept: none })),
    courses: [],
  },
  // Only administrations.
  {
    says: 'given once',
    records: administered(given('2024-06-03T09:30:00+02:00')),
    courses: ['Drug | 3 Jun 2024 | No end recorded; last given 3 Jun 2024 | Completed | Given once'],
  },
  {
    says: 'given several times is one course, in whatever order they come',
    records: administered(given('2024-06-05'), given('2024-06-03'), given('2024-06-04')),
    courses: ['Drug | 3 Jun 2024 | No end recorded; last given 5 Jun 2024 | Completed | Given 3 times'],
  },
  {
    says: 'it runs',
    records: administered(
      given('2024-06-03'),
      given('x', { status: 'in-progress', effectivePeriod: { start: '2024-06-04' } }),
    ),
    courses: ['Drug | 3 Jun 2024 | No end recorded | In progress | Given 2 times'],
  },
  { says: 'not given', records: administered(given('2024-06-03', { status: 'not-done' })), courses: [] },
  {
    says: 'an administration in error never counts',
    records: administered(given('2024-06-03'), given('2024-06-04', { status: 'entered-in-error' })),
    courses: ['Drug | 3 Jun 2024 | No end recorded; last given 3 Jun 2024 | Completed | Given once'],
  },
  {
    says: 'broken off',
    records: administered(given('2024-06-03', { status: 'stopped' })),
    courses: ['Drug | 3 Jun 2024 | No end recorded; last given 3 Jun 2024 | Stopped | Given once'],
  },
  { says: 'given at no time', records: administered(given('soon')), courses: [], undated: ['Drug'] },
  // Several kinds of records of one drug.
  {
    says: 'an order and a report that go on are one course, since the earlier start',
    records: { requests: [order('a')], statements: [report('active', from('2021-03-04'))] },
    courses: ['Drug | 4 Mar 2021 | No end recorded | Active | Ordered and reported'],
  },
  {
    says: 'a later report does not move the start',
    records: { requests: [order('a')], statements: [report('active', from('2024-05-01'))] },
    courses: ['Drug | 1 Jan 2024 | No end recorded | Active | Ordered and reported'],
  },
  {
    says: 'a report without a start does not move it either',
    records: { requests: [order('a')], statements: [report('active', { dateAsserted: '2020-01-01' })] },
    courses: ['Drug | 1 Jan 2024 | No end recorded | Active | Ordered and reported'],
  },
  {
    says: 'by code, whatever the names',
    records: {
      requests: [order('a', coded('Metformin 500 mg', '1'))],
      statements: [report('active', { ...coded('Glucophage', '1'), ...from('2024-02-01') })],
    },
    courses: ['Metformin 500 mg | 1 Jan 2024 | No end recorded | Active | Ordered and reported'],
  },
  {
    says: 'two codes are two drugs, though they are called the same',
    records: {
      requests: [order('a', coded('Insulin', '1'))],
      statements: [report('active', { ...coded('Insulin', '2'), ...from('2024-02-01') })],
    },
    courses: [
      'Insulin | 1 Jan 2024 | No end recorded | Active | Ordered',
      'Insulin | 1 Feb 2024 | No end recorded | Active | Reported',
    ],
  },
  {
    says: 'a report that says otherwise than the order stands beside it',
    records: {
      requests: [order('a')],
      statements: [report('stopped', { ...of('a'), ...from('2024-01-05', '2024-02-01') })],
    },
    courses: [
      'Drug | 1 Jan 2024 | No end recorded | Active | Ordered',
      'Drug | 5 Jan 2024 | 1 Feb 2024 | Stopped | Reported',
    ],
  },
  {
    says: 'what is still taken after the order ended stands beside it',
    records: { requests: [order('a', { status: 'stopped' })], statements: [report('active', from('2024-01-05'))] },
    courses: [
      'Drug | 1 Jan 2024 | No end recorded | Stopped | Ordered',
      'Drug | 5 Jan 2024 | No end recorded | Active | Reported',
    ],
  },
  {
    says: 'a report of the order tells the end that the order does not have',
    records: {
      requests: [order('a', { status: 'completed' })],
      statements: [report('completed', { ...of('a'), ...from('2024-01-02', '2024-02-01') })],
    },
    courses: ['Drug | 1 Jan 2024 | 1 Feb 2024 | Completed | Ordered and reported'],
  },
  {
    says: 'an earlier course that is no report of the order stays one',
    records: {
      requests: [order('a', { status: 'completed' })],
      statements: [report('completed', from('2020-01-02', '2020-02-01'))],
    },
    courses: [
      'Drug | 2 Jan 2020 | 1 Feb 2020 | Completed | Reported',
      'Drug | 1 Jan 2024 | No end recorded | Completed | Ordered',
    ],
  },
  {
    says: 'what was given by an order is of its course, and tells how long at least',
    records: {
      requests: [order('a', { status: 'completed' })],
      administrations: [given('2024-01-03', by('a')), given('2024-01-05', by('a'))],
    },
    courses: ['Drug | 1 Jan 2024 | No end recorded; last given 5 Jan 2024 | Completed | Ordered and given 2 times'],
  },
  {
    says: 'what was given while an order holds is of its course, without naming it',
    records: { requests: [order('a')], administrations: [given('2024-03-03')] },
    courses: ['Drug | 1 Jan 2024 | No end recorded | Active | Ordered and given once'],
  },
  {
    says: 'what was given before the order is not',
    records: { requests: [order('a')], administrations: [given('2023-03-03')] },
    courses: [
      'Drug | 3 Mar 2023 | No end recorded; last given 3 Mar 2023 | Completed | Given once',
      'Drug | 1 Jan 2024 | No end recorded | Active | Ordered',
    ],
  },
  {
    says: 'what is given while it is reported as taken is of that course',
    records: {
      requests: [],
      statements: [report('active', from('2024-01-01'))],
      administrations: [given('2024-03-03')],
    },
    courses: ['Drug | 1 Jan 2024 | No end recorded | Active | Reported and given once'],
  },
  {
    says: 'an order in error hosts nothing',
    records: {
      requests: [order('a', { status: 'entered-in-error' })],
      administrations: [given('2024-01-03', by('a'))],
    },
    courses: ['Drug | 3 Jan 2024 | No end recorded; last given 3 Jan 2024 | Completed | Given once'],
  },
  // Orders.
  {
    says: 'an order that was stopped before the end that was planned for it',
    records: {
      requests: [
        order('a', {
          status: 'stopped',
          statusReason: { text: 'Rash' },
          dosageInstruction: [{ timing: { repeat: { boundsDuration: { value: 10, code: 'd' } } } }],
        }),
      ],
    },
    courses: ['Drug | 1 Jan 2024 | No end recorded; ordered for the time until 11 Jan 2024 | Stopped: Rash | Ordered'],
  },
  {
    says: 'an order whose status is not known does not go on by itself',
    records: { requests: [order('a', { status: 'unknown' })] },
    courses: ['Drug | 1 Jan 2024 | No end recorded | Status unknown | Ordered'],
  },
  {
    says: 'the steps of a taper follow each other',
    records: {
      requests: [
        order('a', {
          status: 'completed',
          dosageInstruction: [1, 2, 3].map((sequence) => ({
            sequence,
            timing: { repeat: { boundsDuration: { value: 5, code: 'd' } } },
          })),
        }),
      ],
    },
    courses: ['Drug | 1 Jan 2024 | 16 Jan 2024 | Completed | Ordered'],
  },
  {
    says: 'an order of a status that is not known goes on as nobody says otherwise',
    records: { requests: [order('a', { status: 'verordnet' })] },
    courses: ['Drug | 1 Jan 2024 | No end recorded | Verordnet | Ordered'],
  },
  {
    says: 'an order that is still to begin is no course',
    records: {
      requests: [
        order('a', { dosageInstruction: [{ timing: { repeat: { boundsPeriod: { start: '2999-01-01' } } } }] }),
      ],
    },
    courses: [],
  },
  {
    says: 'a report whose dosage has ended',
    records: reports(
      report('active', {
        ...from('2021-03-04'),
        dosage: [{ timing: { repeat: { boundsDuration: { value: 7, code: 'd' } } } }],
      }),
    ),
    courses: ['Drug | 4 Mar 2021 | 11 Mar 2021 | Active | Reported'],
  },
  {
    says: 'a declined dispense tells of no course, whatever its date',
    records: { requests: [], dispenses: [dispense('declined')] },
    courses: [],
  },
  {
    says: 'a dispense with a time before it was complete',
    records: { requests: [], dispenses: [dispense('in-progress')] },
    courses: ['Drug | 2 Jan 2024 | No end recorded; the last fill lasts until 2 Jan 2024 | Filled | Filled'],
  },
  {
    says: 'a dispense of a withdrawn order tells of a course all the same',
    records: {
      requests: [order('a', { status: 'cancelled' })],
      dispenses: [
        {
          resourceType: 'MedicationDispense',
          id: 'd',
          status: 'completed',
          whenHandedOver: '2024-01-02',
          authorizingPrescription: [{ reference: 'MedicationRequest/a/_history/2' }],
          ...named('Drug'),
        },
      ],
    },
    courses: ['Drug | 2 Jan 2024 | No end recorded; the last fill lasts until 2 Jan 2024 | Filled | Filled'],
  },
];
