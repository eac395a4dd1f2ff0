//! Medications that were ordered, reported or administered, each with its dispenses by the pharmacy.

import { html, nothing, type TemplateResult } from 'lit-html';
import { newest, period, shortDate } from '#reading/fhir/date.ts';
import { requestState } from '#reading/fhir/request-state.ts';
import { concept, concepts, isEnteredInError, performers, plain, reference } from '#reading/fhir/text.ts';
import {
  type MedicationDispense,
  type MedicationRequest,
  type MedicationStatement,
  ofType,
  type Resource,
} from '#reading/fhir/types.ts';
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
import { entryStatus, isToBegin, statusOf } from '#reading/medications/medication-status.ts';
import { substitutionAllowed, supplyText } from '#reading/medications/supply-words.ts';
import { reasons } from '#reading/records/reasons.ts';
import { type PlainMessage, t, words } from '../language/message.ts';
import type { SearchResult } from '../source/source.ts';
import { dispenseRows, dispensesView } from './medication-dispenses.ts';
import { administrations } from './medication-given.ts';
import { newestRows } from './newest.ts';
import { otherCount } from './other-count.ts';
import { foldedMany, labelled, type Row, rows, rowsOf } from './row.ts';
import type { Section, SectionContext } from './section.ts';

export const REQUESTS = 'MedicationRequest?patient={patient}&_include=MedicationRequest:medication&_count=200';
export const DISPENSES = 'MedicationDispense?patient={patient}&_include=MedicationDispense:medication&_count=200';
// The index follows US Core, which has no medication references for these. The medications are fetched when needed.
export const STATEMENTS = 'MedicationStatement?patient={patient}&_count=200';
export const ADMINISTRATIONS = 'MedicationAdministration?patient={patient}&_count=200';

const TONES: Partial<Record<EntryState, Row['tone']>> = { avoid: 'alert', untaken: 'alert', past: 'quiet' };

/** Returns who reported a medication, or else who prescribed it. */
function authorOf({ reportedBoolean, reportedReference, requester }: MedicationRequest): TemplateResult | undefined {
  const author = personOf(reportedReference ?? requester, !reportedReference);
  return labelled(reportedBoolean || reportedReference ? t('Reported by') : t('Prescribed by'), author);
}

/** Returns a person in words. The patient is called "the patient". */
const personOf = (of: MedicationStatement['informationSource'], isPatientNamed = true): string | undefined =>
  isPatientNamed && /(?:^|\/)Patient\//.test(of?.reference ?? '') ? t('the patient') : reference(words(), of);

/** Returns the reports that derive from a request, each with what it says beyond the request. */
function reportsOf({ resource, state, reports }: MedicationEntry, { store, link }: SectionContext): unknown[] {
  if (resource.resourceType !== 'MedicationRequest') return [];
  const dose = recordedDose(words(), resource);
  return reports.map((report) => {
    const reported = recordedDose(words(), report);
    const why = reasons(words(), report, store);
    const { effectivePeriod } = report;
    const texts = [
      statusOf(words(), report) ?? (state === 'current' ? t('taken') : plain(words(), report.status)),
      reported === dose ? '' : reported,
      effectivePeriod?.end ? period(words(), effectivePeriod) : '',
      why === reasons(words(), resource, store) ? '' : why,
      concepts(words(), report.statusReason),
      personOf(report.informationSource),
      ...(report.note ?? []).map(({ text }) => text),
    ];
    const date = shortDate(words(), medicationDate(report)) || t('no date');
    return html`${link(report, t('Reported {date}', { date }), texts[0])}: ${texts.filter(Boolean).join(', ')}`;
  });
}

/** Returns links to the loaded requests from which a report derives. */
function ordersOf(report: MedicationStatement, { store, link }: SectionContext): unknown[] {
  return requestsOf(report).flatMap((id) => {
    const request = store.findOfType('MedicationRequest', `MedicationRequest/${id}`);
    return request
      ? [link(request, t('The prescription of {date}', { date: shortDate(words(), request.authoredOn) }))]
      : [];
  });
}

/** Returns the prescriptions before and after a request. The later one may be a renewal or a change. */
function sequenceOf({ resource, followedBy }: MedicationEntry, { store, link }: SectionContext): unknown[] {
  if (resource.resourceType !== 'MedicationRequest') return [];
  const prior = priorId(resource);
  const before = prior === undefined ? undefined : store.findOfType('MedicationRequest', `MedicationRequest/${prior}`);
  const named = (one: MedicationRequest): TemplateResult =>
    link(one, t('The prescription of {date}', { date: shortDate(words(), one.authoredOn) || t('no date') }));
  return [
    labelled(t('Follows#a prescription'), before ? named(before) : reference(words(), resource.priorPrescription)),
    labelled(t('Followed by#a prescription'), followedBy && named(followedBy)),
  ];
}

/** Returns the details of a record by its type. */
function detailsOf(entry: MedicationEntry, context: SectionContext): unknown[] {
  const { resource: of } = entry;
  if (of.resourceType === 'MedicationRequest') {
    return [
      doseText(words(), of),
      labelled(t('For'), reasons(words(), of, context.store)),
      authorOf(of),
      labelled(t('Supply'), supplyText(words(), of)),
      labelled(t('Substitution'), substitutionAllowed(words(), of)),
      labelled(t('Why'), concept(words(), of.statusReason)),
      ...sequenceOf(entry, context),
      ...reportsOf(entry, context),
    ];
  }
  const isReport = of.resourceType === 'MedicationStatement';
  return [
    doseText(words(), of),
    labelled(t('For'), reasons(words(), of, context.store)),
    isReport
      ? labelled(t('Reported by'), personOf(of.informationSource))
      : labelled(t('Given by#medication'), performers(words(), of.performer)),
    // A start without an end is already the date of the row.
    of.effectivePeriod?.end ? labelled(t('Time#of a medication'), period(words(), of.effectivePeriod)) : undefined,
    labelled(t('Why'), concepts(words(), of.statusReason)),
    ...(isReport ? ordersOf(of, context) : []),
  ];
}

function rowOf(entry: MedicationEntry, context: SectionContext, found: Found): Row {
  const { resource, state, given } = entry;
  return {
    resource,
    when: medicationDate(resource),
    title: medication(words(), resource, found.included),
    status: entryStatus(words(), entry),
    tone: isEnteredInError(resource) ? 'error' : (TONES[state] ?? 'plain'),
    details: [
      ...detailsOf(entry, context),
      resource.resourceType === 'MedicationRequest'
        ? dispensesView({ order: resource, dispenses: found.dispensesOf(resource), included: found.included }, context)
        : undefined,
      administrations(given, context),
      ...(resource.note ?? []).map(({ text }) => text),
    ],
  };
}

/** Returns the row for the administrations of one medication: the latest one, with the earlier ones folded. */
function givenRow({ name, given }: GivenMedication, context: SectionContext): Row {
  const [latest, ...earlier] = given;
  return {
    resource: latest,
    when: medicationDate(latest),
    title: name,
    status: statusOf(words(), latest),
    tone: isEnteredInError(latest) ? 'error' : requestState(latest) === 'untaken' ? 'alert' : 'plain',
    details: [
      ...detailsOf(
        { resource: latest, state: 'past', over: undefined, reports: [], given: [], followedBy: undefined },
        context,
      ),
      administrations(earlier, context),
      ...(latest.note ?? []).map(({ text }) => text),
    ],
  };
}

const GIVEN = 'Given, without an order that is shown here';

/** The records of the section. */
interface Found {
  list: MedicationList;
  included: Resource[];
  loose: MedicationDispense[];
  dispensesOf(request: MedicationRequest): MedicationDispense[];
}

function foundIn([requested, dispensed, stated, administered]: SearchResult[]): Found {
  const included = [requested, dispensed, stated, administered].flatMap((one) => one?.included ?? []);
  const requests = ofType('MedicationRequest', requested?.matches);
  const dispenses = newest(ofType('MedicationDispense', dispensed?.matches), dispenseDate);
  const list = medicationList(
    words(),
    requests,
    ofType('MedicationStatement', stated?.matches),
    ofType('MedicationAdministration', administered?.matches),
    included,
  );
  return { list, included, loose: withoutOrder(dispenses, requests), dispensesOf: dispensesByOrder(dispenses) };
}

/** Draws the records that say that there is no medication, and a contradiction if others are listed. */
function noneView(none: MedicationStatement[], isContradicted: boolean, { link }: SectionContext): unknown {
  const signOf = (one: MedicationStatement): string => (isContradicted ? '!' : isNothingKnown(one) ? '?' : '✓');
  return none.map((one) => {
    const date = shortDate(words(), medicationDate(one)) || t('no date');
    return html`<p class="statement" data-tone=${signOf(one) === '✓' ? 'good' : 'unsure'}><span class="mark"
      aria-hidden="true">${signOf(one)}</span><span><strong>${medication(words(), one, [])}</strong> ${
        isContradicted ? t('This contradicts the medications below.') : ''
      } ${link(one, t('Recorded {date}', { date }))}</span></p>`;
  });
}

export const medications: Section = {
  id: 'medications',
  title: 'Medications',
  queries: [REQUESTS, DISPENSES, STATEMENTS, ADMINISTRATIONS],
  nothing: 'No data: no medication is recorded in this chart.',
  show(all, context) {
    const found = foundIn(all);
    const { list, loose, included } = found;
    const entriesIn = (state: EntryState): MedicationEntry[] => list.entries.filter((entry) => entry.state === state);
    const rowsFor = (entries: readonly MedicationEntry[]): Row[] =>
      entries.map((entry) => rowOf(entry, context, found));
    const [current, unclear] = [rowsFor(entriesIn('current')), rowsFor(entriesIn('unclear'))];
    const [held, planned, past] = [entriesIn('held'), entriesIn('planned'), entriesIn('past')];
    const count = list.entries.filter(({ state, over }) => state === 'current' && !over).length;
    const plannedRows = (isOrdered: boolean): Row[] =>
      rowsFor(planned.filter(({ resource }) => isToBegin(resource) === isOrdered));
    const group = (title: PlainMessage, items: Row[]): unknown =>
      items.length ? html`<h3>${t(title)}</h3>${rows(items, context)}` : nothing;
    const isNone =
      [list.none, list.given, loose, current, unclear].every((one) => one.length === 0) && list.entries.length > 0;
    const dispensed = dispenseRows(loose, included, context);
    const given = list.given.length;
    return {
      count,
      ...otherCount(count, [
        { n: unclear.length, says: t('{n} unclear|{n} unclear', { n: unclear.length }), isAlways: true },
        { n: held.length, says: t('{n} on hold|{n} on hold', { n: held.length }) },
        { n: given, says: t('{n} given|{n} given', { n: given }) },
        { n: dispensed.length, says: t('{n} filled|{n} filled', { n: dispensed.length }) },
        { n: planned.length, says: t('{n} planned|{n} planned', { n: planned.length }) },
        { n: past.length, says: t('{n} past|{n} past', { n: past.length }) },
      ]),
      of: count === 1 ? t('current#one medication') : t('current#medications'),
      none: isNone ? 'No current medication.' : undefined,
      body: html`
        ${noneView(list.none, current.length > 0, context)}
        ${current.length ? rows(current, context) : nothing}
        ${group('Not clear whether taken', unclear)}
        ${group('On hold', rowsFor(held))}${group('Not to be taken', rowsFor(entriesIn('avoid')))}${group(
          'Not taken#medications',
          rowsFor(entriesIn('untaken')),
        )}${group('Not begun yet#medications', plannedRows(true))}${group(
          'Planned, not ordered#medications',
          plannedRows(false),
        )}
        ${group(
          'Not given#medications',
          list.withheld.map((one) => givenRow(one, context)),
        )}${
          list.given.length
            ? html`<h3>${t(GIVEN)}</h3>${newestRows(
                list.given,
                (one) => givenRow(one, context),
                { name: t(GIVEN) },
                context,
              )}`
            : nothing
        }
        ${group('Filled, without an order that is shown here', dispensed)}
        ${
          past.length
            ? foldedMany(t('{n} past medication|{n} past medications', { n: past.length }), () =>
                rowsOf(past, (entry) => rowOf(entry, context, found), context),
              )
            : nothing
        }`,
    };
  },
};
