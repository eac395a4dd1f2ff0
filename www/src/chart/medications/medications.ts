//! Medications that were ordered, reported or administered, each with its dispenses by the pharmacy.

import { html, nothing, type TemplateResult } from 'lit-html';
import { isModified } from '#reading/fhir/certainty.ts';
import { newest, period, shortDate } from '#reading/fhir/date.ts';
import { requestState } from '#reading/fhir/request-state.ts';
import { concept, concepts, isEnteredInError, performers, plain, reference } from '#reading/fhir/text.ts';
import type {
  MedicationAdministration,
  MedicationDispense,
  MedicationRequest,
  MedicationStatement,
} from '#reading/fhir/types.ts';
import { joined } from '#reading/joined.ts';
import { dispenseDate, dispensesByOrder, withoutOrder } from '#reading/medications/dispenses.ts';
import { isNothingKnown, medication } from '#reading/medications/medication.ts';
import { doseText, recordedDose } from '#reading/medications/medication-dose.ts';
import {
  type EntryState,
  type GivenMedication,
  type MedicationEntry,
  type MedicationList,
  medicationDate,
  medicationList,
  priorId,
  requestsOf,
} from '#reading/medications/medication-list.ts';
import { type MedicationRecords, medicationRecords } from '#reading/medications/medication-records.ts';
import { authorsOf, entryStatus, isToBegin, medicationStatus } from '#reading/medications/medication-status.ts';
import { substitutionAllowed, supplyText } from '#reading/medications/supply-words.ts';
import { reasons } from '#reading/records/reasons.ts';
import { type PlainMessage, t, words } from '../../language/message.ts';
import type { SearchResult } from '../../source/source.ts';
import type { ChartStore } from '../loading/store.ts';
import { recordButton } from '../record/record-link.ts';
import { otherCount } from '../section/other-count.ts';
import {
  byValidity,
  errorsFolded,
  foldedMany,
  labelled,
  newestRows,
  type Row,
  rowsOf,
  titledRows,
} from '../section/row.ts';
import type { Section } from '../section/section.ts';
import { absenceViews } from '../section/statement.ts';
import { dispenseRows, dispensesView } from './medication-dispenses.ts';
import { administrations } from './medication-given.ts';

export const REQUESTS = 'MedicationRequest?patient={patient}&_include=MedicationRequest:medication&_count=200';
export const DISPENSES = 'MedicationDispense?patient={patient}&_include=MedicationDispense:medication&_count=200';
// A server with the search parameters of US Core cannot include the medications of these. They are read when needed.
export const STATEMENTS = 'MedicationStatement?patient={patient}&_count=200';
export const ADMINISTRATIONS = 'MedicationAdministration?patient={patient}&_count=200';
export const MEDICATION_SEARCHES = [REQUESTS, DISPENSES, STATEMENTS, ADMINISTRATIONS] as const;

export const recordsIn = (results: readonly Pick<SearchResult, 'matches' | 'included'>[]): MedicationRecords =>
  medicationRecords(
    results.flatMap(({ matches }) => matches),
    results.flatMap(({ included }) => included),
  );

const TONES: Partial<Record<EntryState, Row['tone']>> = { avoid: 'alert', untaken: 'alert', past: 'quiet' };

/** Returns a person in words. The patient is called "the patient". */
const personOf = (of: MedicationStatement['informationSource']): string | undefined =>
  /(?:^|\/)Patient\//.test(of?.reference ?? '') ? t('the patient') : reference(words(), of);

/** Returns the reports that derive from a request, each with what it says beyond the request. */
function reportsOf({ resource, state, reports }: MedicationEntry, store: ChartStore): unknown[] {
  if (resource.resourceType !== 'MedicationRequest') return [];
  const dose = recordedDose(words(), resource);
  return reports.map((report) => {
    const reported = recordedDose(words(), report);
    const why = reasons(words(), report, store);
    const { effectivePeriod } = report;
    const texts = [
      medicationStatus(words(), report) ?? (state === 'current' ? t('taken') : plain(words(), report.status)),
      reported === dose ? '' : reported,
      effectivePeriod?.end ? period(words(), effectivePeriod) : '',
      why === reasons(words(), resource, store) ? '' : why,
      concepts(words(), report.statusReason),
      personOf(report.informationSource),
      ...(report.note ?? []).map(({ text }) => text),
    ];
    const date = shortDate(words(), medicationDate(report)) || t('no date');
    const link = recordButton(store, report, t('Reported {date}', { date }), texts[0]);
    return html`${link}: ${joined(...texts)}`;
  });
}

/** Returns links to the loaded requests from which a report derives. */
function ordersOf(report: MedicationStatement, store: ChartStore): unknown[] {
  return requestsOf(report).flatMap((id) => {
    const request = store.findOfType('MedicationRequest', `MedicationRequest/${id}`);
    return request
      ? [
          recordButton(
            store,
            request,
            t('The prescription of {date}', { date: shortDate(words(), request.authoredOn) }),
          ),
        ]
      : [];
  });
}

/** Returns the prescriptions before and after a request. The later one may be a renewal or a change. */
function sequenceOf({ resource, followedBy }: MedicationEntry, store: ChartStore): unknown[] {
  if (resource.resourceType !== 'MedicationRequest') return [];
  const prior = priorId(resource);
  const before = prior === undefined ? undefined : store.findOfType('MedicationRequest', `MedicationRequest/${prior}`);
  const named = (one: MedicationRequest): TemplateResult =>
    recordButton(
      store,
      one,
      t('The prescription of {date}', { date: shortDate(words(), one.authoredOn) || t('no date') }),
    );
  return [
    labelled('Follows#a prescription', before ? named(before) : reference(words(), resource.priorPrescription)),
    labelled('Followed by#a prescription', followedBy && named(followedBy)),
  ];
}

function requestDetails(of: MedicationRequest, entry: MedicationEntry, store: ChartStore): unknown[] {
  const { prescriber, reporter } = authorsOf(of);
  return [
    doseText(words(), of),
    labelled('For', reasons(words(), of, store)),
    labelled('Prescribed by', personOf(prescriber)),
    labelled('Reported by', personOf(reporter)),
    labelled('Supply', supplyText(words(), of)),
    labelled('Substitution', substitutionAllowed(words(), of)),
    labelled('Why this status', concept(words(), of.statusReason)),
    ...sequenceOf(entry, store),
    ...reportsOf(entry, store),
  ];
}

function takenDetails(of: MedicationStatement | MedicationAdministration, store: ChartStore): unknown[] {
  const isReport = of.resourceType === 'MedicationStatement';
  return [
    doseText(words(), of),
    labelled('For', reasons(words(), of, store)),
    isReport
      ? labelled('Reported by', personOf(of.informationSource))
      : labelled('Given by#medication', performers(words(), of.performer)),
    // A start without an end is already the date of the row.
    of.effectivePeriod?.end ? labelled('Time#of a medication', period(words(), of.effectivePeriod)) : undefined,
    labelled('Why this status', concepts(words(), of.statusReason)),
    ...(isReport ? ordersOf(of, store) : []),
  ];
}

function rowOf(entry: MedicationEntry, store: ChartStore, found: Found): Row {
  const { resource, state } = entry;
  const isRequest = resource.resourceType === 'MedicationRequest';
  return {
    resource,
    when: medicationDate(resource),
    title: medication(words(), resource, found.included),
    status: entryStatus(words(), entry),
    tone: TONES[state] ?? 'plain',
    details: [
      ...(isRequest ? requestDetails(resource, entry, store) : takenDetails(resource, store)),
      isRequest
        ? dispensesView({ order: resource, dispenses: found.dispensesOf(resource), included: found.included }, store)
        : undefined,
      administrations(entry.administrations, store),
      ...(resource.note ?? []).map(({ text }) => text),
    ],
  };
}

/** Returns the row for the administrations of one medication: the latest one, with the earlier ones folded. */
function givenRow({ name, administrations: [latest, ...earlier] }: GivenMedication, store: ChartStore): Row {
  return {
    resource: latest,
    when: medicationDate(latest),
    title: name,
    status: medicationStatus(words(), latest),
    tone: requestState(latest) === 'untaken' ? 'alert' : 'plain',
    details: [
      ...takenDetails(latest, store),
      administrations(earlier, store),
      ...(latest.note ?? []).map(({ text }) => text),
    ],
  };
}

const GIVEN = 'Given, without an order that is shown here';

interface Found extends MedicationRecords {
  list: MedicationList;
  withoutOrder: MedicationDispense[];
  /** The dispenses that were entered in error. */
  errors: MedicationDispense[];
  dispensesOf(request: MedicationRequest): MedicationDispense[];
}

function foundIn(results: readonly SearchResult[]): Found {
  const records = recordsIn(results);
  const { valid, errors } = byValidity(records.dispenses);
  const dispenses = newest(valid, dispenseDate);
  return {
    ...records,
    errors,
    list: medicationList(words(), records),
    withoutOrder: withoutOrder(dispenses, records.requests),
    dispensesOf: dispensesByOrder(dispenses),
  };
}

/** Draws the records that say that there is no medication, and a contradiction if others are listed. */
const noneViews = (none: readonly MedicationStatement[], isContradicted: boolean, store: ChartStore): unknown => {
  const absences = none.map((resource) => ({
    resource,
    absence: {
      is: isNothingKnown(resource) || isModified(resource) ? 'unknown' : 'none',
      text: medication(words(), resource, []),
    } as const,
    recorded: medicationDate(resource),
  }));
  return absenceViews(absences, isContradicted, store);
};

export const medications: Section = {
  id: 'medications',
  title: 'Medications',
  queries: [...MEDICATION_SEARCHES],
  nothing: 'No data: no medication is recorded in this chart.',
  show(all, store) {
    const found = foundIn(all);
    const { list, included } = found;
    const errors = list.entries.filter(({ resource }) => isEnteredInError(resource));
    const entries = list.entries.filter((entry) => !errors.includes(entry));
    const entriesIn = (state: EntryState): MedicationEntry[] => entries.filter((entry) => entry.state === state);
    const item = (entry: MedicationEntry): Row => rowOf(entry, store, found);
    const [current, unclear] = [entriesIn('current'), entriesIn('unclear')];
    const [held, planned, past] = [entriesIn('held'), entriesIn('planned'), entriesIn('past')];
    const count = entries.filter(({ state, courseEnd }) => state === 'current' && !courseEnd).length;
    const ordered = planned.filter(({ resource }) => isToBegin(resource));
    const unordered = planned.filter((entry) => !ordered.includes(entry));
    const group = (title: PlainMessage, entries: readonly MedicationEntry[]): unknown =>
      titledRows(title, entries, item, store);
    const isNone =
      [list.none, list.given, found.withoutOrder, current, unclear].every((one) => one.length === 0) &&
      list.entries.length > 0;
    const dispensed = dispenseRows(found.withoutOrder, included, store);
    return {
      count,
      ...otherCount(count, [
        { n: unclear.length, says: '{n} unclear|{n} unclear', isAlways: true },
        { n: held.length, says: '{n} on hold|{n} on hold' },
        { n: list.given.length, says: '{n} given|{n} given' },
        { n: dispensed.length, says: '{n} filled|{n} filled' },
        { n: planned.length, says: '{n} planned|{n} planned' },
        { n: past.length, says: '{n} past|{n} past' },
      ]),
      of: count === 1 ? t('current#one medication') : t('current#medications'),
      none: isNone ? 'No current medication.' : undefined,
      body: html`
        ${noneViews(list.none, current.length > 0, store)}
        ${current.length ? rowsOf(current, item, store) : nothing}
        ${group('Not clear whether taken', unclear)}${group('On hold', held)}
        ${group('Not to be taken', entriesIn('avoid'))}${group('Not taken#medications', entriesIn('untaken'))}
        ${group('Not begun yet#medications', ordered)}${group('Planned, not ordered#medications', unordered)}
        ${titledRows('Not given#medications', list.withheld, givenRow, store)}
        ${
          list.given.length
            ? html`<h3>${t(GIVEN)}</h3>${newestRows(list.given, givenRow, { name: t(GIVEN) }, store)}`
            : nothing
        }
        ${titledRows('Filled, without an order that is shown here', dispensed, (row) => row, store)}
        ${foldedMany('{n} past medication|{n} past medications', past, item, store)}
        ${errorsFolded([...errors.map(item), ...dispenseRows(found.errors, included, store)], (row) => row, store)}`,
    };
  },
};
