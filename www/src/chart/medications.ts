//! Medications that were ordered, reported or given, each with its fills by the pharmacy.

import { html, nothing, type TemplateResult } from 'lit-html';
import { clockDate, newest, period, shortDate } from '../fhir/date.ts';
import { dosages } from '../fhir/dosage.ts';
import { medication } from '../fhir/medication.ts';
import {
  administrationStatus,
  type MedicationRecord,
  type RequestState,
  requestStatus,
  statementStatus,
} from '../fhir/request-state.ts';
import { concept, concepts, isEnteredInError, plain, quantity, reference, references } from '../fhir/text.ts';
import {
  type MedicationAdministration,
  type MedicationDispense,
  type MedicationRequest,
  type MedicationStatement,
  ofType,
  type Resource,
} from '../fhir/types.ts';
import { type PlainMessage, t } from '../language/message.ts';
import { whenOpen } from '../parts/when-open.ts';
import type { SearchResult } from '../source/source.ts';
import { fillsByOrder, withoutOrder } from './fills.ts';
import {
  type GivenMedication,
  type MedicationEntry,
  type MedicationList,
  medicationDate,
  medicationList,
  requestsOf,
} from './medication-list.ts';
import { reasons } from './reasons.ts';
import { foldedMany, labelled, type Row, rows } from './row.ts';
import type { Section, SectionContext } from './section.ts';

export const REQUESTS = 'MedicationRequest?patient={patient}&_include=MedicationRequest:medication&_count=200';
export const DISPENSES = 'MedicationDispense?patient={patient}&_include=MedicationDispense:medication&_count=200';
// The index of US Core does not follow the reference of these: the medications are asked for where they are needed.
export const STATEMENTS = 'MedicationStatement?patient={patient}&_count=200';
export const ADMINISTRATIONS = 'MedicationAdministration?patient={patient}&_count=200';

/** The quantity of an order with its refills. */
function supplyOf({ dispenseRequest }: MedicationRequest): string | undefined {
  const { quantity: amount, numberOfRepeatsAllowed: repeats } = dispenseRequest ?? {};
  if (!amount) return undefined;
  return [quantity(amount), repeats ? t('{n} refill|{n} refills', { n: repeats }) : ''].filter(Boolean).join(', ');
}

function fills(list: MedicationDispense[], context: SectionContext): TemplateResult | undefined {
  const [latest] = list;
  if (!latest) return undefined;
  const latestDate = latest.whenHandedOver ? shortDate(latest.whenHandedOver) : plain(latest.status);
  return html`<details class="fills"><summary>${t('{n} fill, latest {date}|{n} fills, latest {date}', {
    n: list.length,
    date: latestDate,
  })}</summary>
    <ul role="list">${list.map((fill) => html`<li>${fillView(fill, context)}</li>`)}</ul></details>`;
}

function fillView(fill: MedicationDispense, { link }: SectionContext): TemplateResult {
  const { whenHandedOver, whenPrepared, status, statusReasonCodeableConcept: reason } = fill;
  const prepared = whenPrepared ? t('prepared {date}', { date: shortDate(whenPrepared) }) : t('no date');
  const words = [amountOf(fill), status === 'completed' ? '' : plain(status), concept(reason)];
  return html`${link(fill, whenHandedOver ? shortDate(whenHandedOver) : prepared)}:
    ${words.filter(Boolean).join(', ')}`;
}

/** The quantity of a fill, and the days that it lasts. */
const amountOf = ({ quantity: amount, daysSupply }: MedicationDispense): string =>
  [quantity(amount), daysSupply ? t('for {amount}', { amount: quantity(daysSupply) ?? '' }) : '']
    .filter(Boolean)
    .join(', ');

/** What was given, each with its date, dose and status. There may be hundreds: they are made when they are opened. */
function administrations(list: MedicationAdministration[], context: SectionContext): TemplateResult | undefined {
  const [latest] = list;
  if (!latest) return undefined;
  const latestDate = shortDate(medicationDate(latest)) || t('no date');
  const counted = t('{n} administration, latest {date}|{n} administrations, latest {date}', {
    n: list.length,
    date: latestDate,
  });
  const all = (): TemplateResult =>
    html`<ul role="list">${list.map((one) => html`<li>${administrationView(one, context)}</li>`)}</ul>`;
  return html`<details class="fills"><summary>${counted}</summary>${whenOpen(all)}</details>`;
}

function administrationView(one: MedicationAdministration, { link }: SectionContext): TemplateResult {
  const words = [plain(statusOf(one)), dosages(one.dosage), concepts(one.statusReason)].filter(Boolean);
  return html`${link(one, clockDate(medicationDate(one)) || t('no date'))}${words.length > 0 ? ':' : ''}
    ${words.join(', ')}`;
}

/** The usual statuses, which go without saying. */
const USUAL: Readonly<Record<MedicationRecord['resourceType'], string>> = {
  MedicationRequest: 'active',
  MedicationStatement: 'active',
  MedicationAdministration: 'completed',
};

const codesOf = (record: MedicationRecord): string | undefined => {
  if (record.resourceType === 'MedicationRequest') return requestStatus(record);
  return record.resourceType === 'MedicationStatement' ? statementStatus(record) : administrationStatus(record);
};

/** The status in words, where it is not the usual one. */
export function statusOf(record: MedicationRecord): string | undefined {
  if (isEnteredInError(record)) return 'entered-in-error';
  if (record.status === undefined && record.resourceType !== 'MedicationRequest') return t('status unknown');
  const codes = (codesOf(record) ?? '').split(', ').filter((code) => code !== USUAL[record.resourceType]);
  return codes.map((code) => (code === 'unknown' ? t('status unknown') : plain(code))).join(', ') || undefined;
}

const TONES: Partial<Record<RequestState, Row['tone']>> = { avoid: 'alert', untaken: 'alert', past: 'quiet' };

/** The person who reported a medication, or else prescribed it. */
function authorOf({ reportedBoolean, reportedReference, requester }: MedicationRequest): TemplateResult | undefined {
  const author = personOf(reportedReference ?? requester, !reportedReference);
  return labelled(reportedBoolean || reportedReference ? t('Reported by') : t('Prescribed by'), author);
}

/** A person in words: the patient is called so. */
const personOf = (of: MedicationStatement['informationSource'], isPatientNamed = true): string | undefined =>
  isPatientNamed && /(?:^|\/)Patient\//.test(of?.reference ?? '') ? t('the patient') : reference(of);

/** The reports that derive from a request, where they say something that the request does not. */
function reportsOf({ resource, state, reports }: MedicationEntry, { link }: SectionContext): unknown[] {
  if (resource.resourceType !== 'MedicationRequest') return [];
  const dose = dosages(resource.dosageInstruction);
  return reports.map((report) => {
    const reported = dosages(report.dosage);
    const words = [
      statusOf(report) ?? (state === 'current' ? t('taken') : plain(report.status)),
      reported === dose ? '' : reported,
      concepts(report.statusReason),
      personOf(report.informationSource),
    ];
    return html`${link(report, t('Reported {date}', { date: shortDate(medicationDate(report)) || t('no date') }))}:
      ${words.filter(Boolean).join(', ')}`;
  });
}

/** The requests from which a report derives, where they are shown by themselves. */
function ordersOf(report: MedicationStatement, { store, link }: SectionContext): unknown[] {
  return requestsOf(report).flatMap((id) => {
    const request = store.findOfType('MedicationRequest', `MedicationRequest/${id}`);
    return request ? [link(request, t('The prescription of {date}', { date: shortDate(request.authoredOn) }))] : [];
  });
}

/** The details of a record by its type. */
function detailsOf(entry: MedicationEntry, context: SectionContext): unknown[] {
  const { resource: of } = entry;
  if (of.resourceType === 'MedicationRequest') {
    return [
      dosages(of.dosageInstruction),
      labelled(t('For'), reasons(of, context.store)),
      authorOf(of),
      labelled(t('Supply'), supplyOf(of)),
      labelled(t('Why'), concept(of.statusReason)),
      ...reportsOf(entry, context),
    ];
  }
  const isReport = of.resourceType === 'MedicationStatement';
  return [
    dosages(of.dosage),
    labelled(t('For'), reasons(of, context.store)),
    isReport
      ? labelled(t('Reported by'), personOf(of.informationSource))
      : labelled(t('Given by#medication'), references((of.performer ?? []).flatMap(({ actor }) => actor ?? []))),
    // The start alone is the date of the row.
    of.effectivePeriod?.end ? labelled(t('Time#of a medication'), period(of.effectivePeriod)) : undefined,
    labelled(t('Why'), concepts(of.statusReason)),
    ...(isReport ? ordersOf(of, context) : []),
  ];
}

function rowOf(entry: MedicationEntry, context: SectionContext, found: Found): Row {
  const { resource, state, given } = entry;
  return {
    resource,
    when: medicationDate(resource),
    title: medication(resource, found.included),
    status: statusOf(resource),
    tone: isEnteredInError(resource) ? 'error' : (TONES[state] ?? 'plain'),
    details: [
      ...detailsOf(entry, context),
      resource.resourceType === 'MedicationRequest' ? fills(found.fillsOf(resource), context) : undefined,
      administrations(given, context),
      ...(resource.note ?? []).map(({ text }) => text),
    ],
  };
}

/** What was given of one medication: the latest one, with those before it. */
function givenRow({ name, given }: GivenMedication, context: SectionContext): Row {
  const [latest, ...earlier] = given;
  return {
    resource: latest,
    when: medicationDate(latest),
    title: name,
    status: statusOf(latest),
    tone: isEnteredInError(latest) ? 'error' : latest.status === 'not-done' ? 'alert' : 'plain',
    details: [
      ...detailsOf({ resource: latest, state: 'past', reports: [], given: [] }, context),
      administrations(earlier, context),
      ...(latest.note ?? []).map(({ text }) => text),
    ],
  };
}

function dispenseRow(dispense: MedicationDispense, included: Resource[]): Row {
  const { whenHandedOver, whenPrepared, status, performer = [] } = dispense;
  return {
    resource: dispense,
    when: whenHandedOver ?? whenPrepared,
    title: medication(dispense, included),
    status: status === 'completed' ? undefined : status,
    tone: isEnteredInError(dispense) ? 'error' : 'plain',
    details: [
      dosages(dispense.dosageInstruction),
      amountOf(dispense),
      labelled(t('Handed over by'), references(performer.flatMap(({ actor }) => actor ?? []))),
      whenHandedOver ? clockDate(whenHandedOver) : '',
    ],
  };
}

/** The records of the section. */
interface Found {
  list: MedicationList;
  included: Resource[];
  loose: MedicationDispense[];
  fillsOf(request: MedicationRequest): MedicationDispense[];
}

function foundIn([requested, dispensed, stated, administered]: SearchResult[]): Found {
  const included = [requested, dispensed, stated, administered].flatMap((one) => one?.included ?? []);
  const requests = ofType('MedicationRequest', requested?.matches);
  const dispenses = newest(ofType('MedicationDispense', dispensed?.matches), (d) => d.whenHandedOver ?? d.whenPrepared);
  const list = medicationList(
    requests,
    ofType('MedicationStatement', stated?.matches),
    ofType('MedicationAdministration', administered?.matches),
    included,
  );
  return { list, included, loose: withoutOrder(dispenses, requests), fillsOf: fillsByOrder(dispenses) };
}

/** The records that say that there is no medication: their words, and that others are listed where they are. */
function noneView(none: MedicationStatement[], isContradicted: boolean, { link }: SectionContext): unknown {
  return none.map(
    (one) => html`<p class="statement" data-tone=${isContradicted ? 'unsure' : 'good'}><span class="mark"
      aria-hidden="true">${isContradicted ? '!' : '✓'}</span><span><strong>${medication(one, [])}</strong> ${
        isContradicted ? t('This contradicts the medications below.') : ''
      } ${link(one, t('Recorded {date}', { date: shortDate(medicationDate(one)) || t('no date') }))}</span></p>`,
  );
}

export const medications: Section = {
  id: 'medications',
  title: 'Medications',
  queries: [REQUESTS, DISPENSES, STATEMENTS, ADMINISTRATIONS],
  nothing: 'No data: no medication is recorded in this chart.',
  show(all, context) {
    const found = foundIn(all);
    const { list, loose, included } = found;
    const those = (state: RequestState): Row[] =>
      list.entries.filter((entry) => entry.state === state).map((entry) => rowOf(entry, context, found));
    const [current, past] = [those('current'), those('past')];
    const group = (title: PlainMessage, items: Row[]): unknown =>
      items.length ? html`<h3>${t(title)}</h3>${rows(items, context)}` : nothing;
    const isNone = list.none.length === 0 && list.given.length === 0 && list.entries.length > 0 && current.length === 0;
    return {
      count: current.length,
      of: current.length === 1 ? t('current#one medication') : t('current#medications'),
      none: isNone ? 'No current medication.' : undefined,
      body: html`
        ${noneView(list.none, current.length > 0, context)}
        ${current.length ? rows(current, context) : nothing}
        ${group('On hold', those('held'))}${group('Not to be taken', those('avoid'))}${group(
          'Not taken#medications',
          those('untaken'),
        )}${group('Planned, not started', those('planned'))}
        ${group(
          'Not given#medications',
          list.withheld.map((one) => givenRow(one, context)),
        )}${group(
          'Given, without an order that is shown here',
          list.given.map((one) => givenRow(one, context)),
        )}
        ${group(
          'Handed over, without an order that is shown here',
          loose.map((dispense) => dispenseRow(dispense, included)),
        )}
        ${
          past.length
            ? foldedMany(t('{n} past medication|{n} past medications', { n: past.length }), () => rows(past, context))
            : nothing
        }`,
    };
  },
};
