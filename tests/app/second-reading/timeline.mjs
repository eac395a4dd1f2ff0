// Checks the timeline of a chart: each dated record appears there once.

import { loaded } from '../browser.mjs';
import { dateOf, isError } from './results.mjs';
import { namesOfRecord } from './rows.mjs';
import { hasDate, hasName, list, plain } from './words.mjs';

/// Returns the entries of the timeline, each with its day, and the notes about records without a date. `whole` is the
/// text of an entry with what belongs to it.
export async function readTimeline(page) {
  await page.locator('.chart-bar nav a[href$="/timeline"]').click();
  await page.locator('#timeline-title').waitFor();
  await loaded(page);
  await page.locator('.timeline .state.waiting').waitFor({ state: 'detached', timeout: 60_000 });
  const raw = await page.evaluate(() => {
    const said = (node) => {
      const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
      let text = '';
      for (let one = walker.nextNode(); one; one = walker.nextNode()) text += `${one.data} `;
      return text;
    };
    const entries = [...document.querySelectorAll('.day')].flatMap((day) => {
      const on = said(day.querySelector('h3'));
      return [
        ...[...day.querySelectorAll('.visit')].map((card) => ({
          on,
          text: said(card.querySelector('h4')),
          whole: said(card),
          isVisit: true,
        })),
        ...[...day.querySelectorAll('li')].map((line) => ({
          on: said(line.querySelector('.aside') ?? day.querySelector('h3')),
          text: said(line),
          whole: said(line),
          isVisit: false,
        })),
      ];
    });
    return { entries, notes: [...document.querySelectorAll('.timeline > p.aside')].map(said).join(' ') };
  });
  return {
    entries: raw.entries.map((one) => ({ ...one, on: plain(one.on), text: plain(one.text), whole: plain(one.whole) })),
    notes: plain(raw.notes),
  };
}

/// Types whose records are not events, though some have dates: people, places, things, and bills.
const NO_EVENTS = [
  ...['Patient', 'Practitioner', 'PractitionerRole', 'Organization', 'RelatedPerson', 'Location', 'Person', 'Group'],
  ...['Medication', 'Device', 'CareTeam', 'Provenance', 'AuditEvent', 'Binary', 'Endpoint'],
  ...['Account', 'ChargeItem', 'Claim', 'ClaimResponse', 'Contract', 'CoverageEligibilityRequest'],
  ...['CoverageEligibilityResponse', 'EnrollmentRequest', 'ExplanationOfBenefit', 'Invoice'],
];

const ofPeriod = (period) => [period?.start, period?.end];
/// The elements of each type that may give a record its day.
const DATES = {
  AllergyIntolerance: (a) => [a.onsetDateTime, ...ofPeriod(a.onsetPeriod), a.recordedDate],
  Condition: (c) => [c.onsetDateTime, ...ofPeriod(c.onsetPeriod), c.recordedDate],
  MedicationRequest: (m) => [m.authoredOn],
  MedicationStatement: (m) => [m.effectiveDateTime, ...ofPeriod(m.effectivePeriod), m.dateAsserted],
  MedicationAdministration: (m) => [m.effectiveDateTime, ...ofPeriod(m.effectivePeriod)],
  MedicationDispense: (m) => [m.whenHandedOver, m.whenPrepared],
  Immunization: (i) => [i.occurrenceDateTime],
  Observation: (o) => [dateOf(o)],
  DiagnosticReport: (r) => [r.effectiveDateTime, ...ofPeriod(r.effectivePeriod), r.issued],
  DocumentReference: (d) => [d.date, ...ofPeriod(d.context?.period)],
  Procedure: (p) => [p.performedDateTime, ...ofPeriod(p.performedPeriod)],
  ServiceRequest: (s) => [s.occurrenceDateTime, ...ofPeriod(s.occurrencePeriod), s.authoredOn],
  Encounter: (e) => ofPeriod(e.period),
  CarePlan: (p) => ofPeriod(p.period),
  Goal: (g) => [g.startDate, g.statusDate],
  Flag: (f) => ofPeriod(f.period),
  FamilyMemberHistory: (f) => [f.date],
  QuestionnaireResponse: (q) => [q.authored],
};
/// The elements of the other types.
const OTHER = (r) => [
  ...[r.effectiveDateTime, r.occurrenceDateTime, r.date, r.dateTime, r.start, r.started, r.authoredOn, r.recordedDate],
  ...[r.recorded, r.issued, r.created, r.createdDateTime, r.sent, r.received, r.detected, r.identifiedDateTime],
  ...[r.timingDateTime, r.recordedOn, r.dateWritten, r.collection?.collectedDateTime, r.receivedTime],
  ...[r.effectivePeriod, r.occurrencePeriod, r.period, r.servicePeriod, r.billablePeriod].flatMap(ofPeriod),
  ...[r.identifiedPeriod, r.timingPeriod, r.createdPeriod, r.collection?.collectedPeriod].flatMap(ofPeriod),
];

/// Types whose entries are named by the code of the record, or by its medication.
const NAMED = [
  ...['AllergyIntolerance', 'Condition', 'MedicationRequest', 'MedicationStatement', 'MedicationAdministration'],
  ...['MedicationDispense', 'Immunization', 'Observation', 'DiagnosticReport', 'DocumentReference', 'Procedure'],
  ...['ServiceRequest', 'Flag'],
];

const isDate = (text) => typeof text === 'string' && /^\d{4}(-\d\d){0,2}/.test(text);
const visitOf = ({ encounter, context }) => list(encounter ?? context?.encounter ?? context)[0]?.reference;

/// Returns the records that must be on the timeline, each with its possible dates.
function eventsOf(records, find) {
  return records.flatMap((record) => {
    const r = record.resource;
    if (NO_EVENTS.includes(r.resourceType) || isError(r)) return [];
    const own = (DATES[r.resourceType] ?? OTHER)(r).filter(isDate);
    const visit = find(visitOf(r), record)?.resource;
    // A record without a date appears at the day of its visit.
    const ofVisit = visit?.resourceType === 'Encounter' && !isError(visit) ? ofPeriod(visit.period).filter(isDate) : [];
    const dates = own.length > 0 ? own : ofVisit;
    if (dates.length === 0) return [];
    const names = NAMED.includes(r.resourceType) ? namesOfRecord(record, find) : [];
    return [{ record, dates, names, isVisit: r.resourceType === 'Encounter' }];
  });
}

/// Returns whether an entry may be that of an event: of one of its days, and with its name.
const fits = ({ dates, names, isVisit }, { on, text, isVisit: isOfVisit }) =>
  isOfVisit === isVisit && (names.length === 0 || hasName(text, names)) && dates.some((date) => hasDate(on, date));

/// Compares the timeline with the records: each event has an entry, and there are as many entries as events.
export function timelineFacts(records, find, { entries }) {
  const kind = 'event of the timeline';
  const events = eventsOf(records, find);
  return [
    ...events.map((event) => ({
      kind,
      record: event.record,
      what: [event.record.resource.resourceType, event.record.resource.id, event.names[0], event.dates[0]].join(' '),
      says: entries.some((entry) => fits(event, entry)) ? undefined : 'is not on the timeline',
    })),
    {
      kind: 'entries of the timeline',
      what: `${events.length} events`,
      says: entries.length === events.length ? undefined : `has ${entries.length} entries`,
    },
  ];
}
