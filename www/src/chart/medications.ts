//! Medications that were ordered or reported, each with its fills by the pharmacy.

import { html, nothing, type TemplateResult } from 'lit-html';
import { clockDate, newest, shortDate } from '../fhir/date.ts';
import { type RequestState, requestState } from '../fhir/request-state.ts';
import { concept, isEnteredInError, plain, plural, quantity, reference, references } from '../fhir/text.ts';
import type { MedicationDispense, MedicationRequest, Resource } from '../fhir/types.ts';
import { codeElement, ofType } from '../fhir/types.ts';
import { reasons } from './reasons.ts';
import { folded, labelled, type Row, rows } from './row.ts';
import type { Section, SectionContext } from './section.ts';

export const REQUESTS = 'MedicationRequest?patient={patient}&_include=MedicationRequest:medication&_count=200';
export const DISPENSES = 'MedicationDispense?patient={patient}&_include=MedicationDispense:medication&_count=200';

/** The medication's name: its own code, or that of the contained or included medication, or only the reference. */
export function medication(of: MedicationRequest | MedicationDispense, included: Resource[]): string {
  const named = concept(of.medicationCodeableConcept);
  if (named) return named;
  const { reference: address = '', display } = of.medicationReference ?? {};
  const target = address.startsWith('#')
    ? of.contained?.find(({ id }) => `#${id}` === address)
    : included.find(({ resourceType, id }) => address.endsWith(`${resourceType}/${id}`));
  return concept(codeElement(target)) ?? display ?? (address || 'Medication not named');
}

/** Returns whether a medication was handed over by an order. */
export const isFillOf = ({ authorizingPrescription }: MedicationDispense, { id }: MedicationRequest): boolean =>
  (authorizingPrescription ?? []).some(({ reference: to }) => to?.endsWith(`MedicationRequest/${id}`));

/** The quantity of an order with its refills. */
function supplyOf({ dispenseRequest }: MedicationRequest): string | undefined {
  const { quantity: amount, numberOfRepeatsAllowed: repeats } = dispenseRequest ?? {};
  if (!amount) return undefined;
  return [quantity(amount), repeats ? plural(repeats, 'refill') : ''].filter(Boolean).join(', ');
}

function fills(list: MedicationDispense[], context: SectionContext): TemplateResult | undefined {
  const [latest] = list;
  if (!latest) return undefined;
  const latestDate = latest.whenHandedOver ? shortDate(latest.whenHandedOver) : plain(latest.status);
  return html`<details class="fills"><summary>${plural(list.length, 'fill')}, latest ${latestDate}</summary>
    <ul role="list">${list.map((fill) => html`<li>${fillView(fill, context)}</li>`)}</ul></details>`;
}

function fillView(fill: MedicationDispense, { link }: SectionContext): TemplateResult {
  const { whenHandedOver, whenPrepared, status, statusReasonCodeableConcept: reason } = fill;
  const prepared = whenPrepared ? `prepared ${shortDate(whenPrepared)}` : 'no date';
  const words = [amountOf(fill), status === 'completed' ? '' : plain(status), concept(reason)];
  return html`${link(fill, whenHandedOver ? shortDate(whenHandedOver) : prepared)}:
    ${words.filter(Boolean).join(', ')}`;
}

/** The quantity of a fill, and the days that it lasts. */
const amountOf = ({ quantity: amount, daysSupply }: MedicationDispense): string =>
  [quantity(amount), daysSupply ? `for ${quantity(daysSupply)}` : ''].filter(Boolean).join(', ');

function statusOf(request: MedicationRequest): string | undefined {
  if (isEnteredInError(request)) return 'entered in error';
  const { status, intent, doNotPerform } = request;
  const words = [
    status === 'active' ? '' : status === 'unknown' ? 'status unknown' : status,
    requestState(request) === 'planned' && status !== 'draft' ? intent : '',
    doNotPerform ? 'do not take' : '',
  ];
  return words.filter(Boolean).join(', ') || undefined;
}

function toneOf(request: MedicationRequest): Row['tone'] {
  if (isEnteredInError(request)) return 'error';
  if (request.doNotPerform) return 'alert';
  return requestState(request) === 'past' ? 'quiet' : 'plain';
}

/** The person who reported a medication, or else prescribed it. */
function authorOf({ reportedBoolean, reportedReference, requester }: MedicationRequest): TemplateResult | undefined {
  const isPatient = !reportedReference && /^Patient\//.test(requester?.reference ?? '');
  const author = isPatient ? 'the patient' : reference(reportedReference ?? requester);
  return labelled(reportedBoolean || reportedReference ? 'Reported by' : 'Prescribed by', author);
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
      amountOf(dispense),
      labelled('Handed over by', references(performer.flatMap(({ actor }) => actor ?? []))),
      whenHandedOver ? clockDate(whenHandedOver) : '',
    ],
  };
}

export const medications: Section = {
  id: 'medications',
  title: 'Medications',
  queries: [REQUESTS, DISPENSES],
  nothing: 'No data: no medication is recorded in this chart.',
  show([requested, dispensed], context) {
    const included = requested?.included ?? [];
    const requests = newest(ofType('MedicationRequest', requested?.matches), ({ authoredOn }) => authoredOn);
    const dispenses = newest(
      ofType('MedicationDispense', dispensed?.matches),
      (d) => d.whenHandedOver ?? d.whenPrepared,
    );
    const fillsOf = (request: MedicationRequest): MedicationDispense[] =>
      dispenses.filter((fill) => isFillOf(fill, request));
    const loose = dispenses.filter((d) => !requests.some((request) => fillsOf(request).includes(d)));
    const item = (request: MedicationRequest): Row => ({
      resource: request,
      when: request.authoredOn,
      title: medication(request, included),
      status: statusOf(request),
      tone: toneOf(request),
      details: [
        (request.dosageInstruction ?? []).flatMap(({ text }) => text || []).join('; '),
        labelled('For', reasons(request, context.store)),
        authorOf(request),
        labelled('Supply', supplyOf(request)),
        labelled('Why', concept(request.statusReason)),
        fills(fillsOf(request), context),
        ...(request.note ?? []).map(({ text }) => text),
      ],
    });
    const those = (state: RequestState): MedicationRequest[] =>
      requests.filter((request) => requestState(request) === state);
    const [current, past] = [those('current'), those('past')];
    const group = (title: string, list: MedicationRequest[]): unknown =>
      list.length ? html`<h3>${title}</h3>${rows(list.map(item), context)}` : nothing;
    const looseRows = loose.map((dispense) => dispenseRow(dispense, dispensed?.included ?? []));
    return {
      count: current.length,
      of: 'current',
      body: html`
        ${
          current.length
            ? rows(current.map(item), context)
            : requests.length
              ? html`<p class="state empty">No current medication.</p>`
              : nothing
        }
        ${group('On hold', those('held'))}${group('Not to be taken', those('avoid'))}${group(
          'Planned, not started',
          those('planned'),
        )}
        ${
          loose.length
            ? html`<h3>Handed over, without an order that is shown here</h3>${rows(looseRows, context)}`
            : nothing
        }
        ${past.length ? folded(plural(past.length, 'past medication'), rows(past.map(item), context)) : nothing}`,
    };
  },
};
