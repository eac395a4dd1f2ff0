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

/** The quantity of an order with its refills. */
function supplyOf({ dispenseRequest }: MedicationRequest): string | undefined {
  const { quantity: amount, numberOfRepeatsAllowed: repeats } = dispenseRequest ?? {};
  if (!amount) return undefined;
  return [quantity(amount), repeats ? plural(repeats, 'refill') : ''].filter(Boolean).join(', ');
}

function fills(list: MedicationDispense[], context: SectionContext): TemplateResult | undefined {
  if (list.length === 0) return undefined;
  const [latest] = list;
  const one = (d: MedicationDispense): TemplateResult => html`${context.link(
    d,
    d.whenHandedOver
      ? shortDate(d.whenHandedOver)
      : d.whenPrepared
        ? `prepared ${shortDate(d.whenPrepared)}`
        : 'no date',
  )}:
    ${[
      quantity(d.quantity),
      d.daysSupply ? `for ${quantity(d.daysSupply)}` : '',
      d.status === 'completed' ? '' : plain(d.status),
      concept(d.statusReasonCodeableConcept),
    ]
      .filter(Boolean)
      .join(', ')}`;
  return html`<details class="fills"><summary>${plural(list.length, 'fill')}, latest ${
    latest?.whenHandedOver ? shortDate(latest.whenHandedOver) : plain(latest?.status)
  }</summary>
    <ul role="list">${list.map((d) => html`<li>${one(d)}</li>`)}</ul></details>`;
}

export const medications: Section = {
  id: 'medications',
  title: 'Medications',
  queries: [
    'MedicationRequest?patient={patient}&_include=MedicationRequest:medication&_count=200',
    'MedicationDispense?patient={patient}&_include=MedicationDispense:medication&_count=200',
  ],
  nothing: 'No data: no medication is recorded in this chart.',
  show([requested, dispensed], context) {
    const included = requested?.included ?? [];
    const requests = newest(ofType('MedicationRequest', requested?.matches), ({ authoredOn }) => authoredOn);
    const dispenses = newest(
      ofType('MedicationDispense', dispensed?.matches),
      (d) => d.whenHandedOver ?? d.whenPrepared,
    );
    const fillsOf = (request: MedicationRequest): MedicationDispense[] =>
      dispenses.filter(({ authorizingPrescription }) =>
        authorizingPrescription?.some(({ reference: address }) => address?.endsWith(`MedicationRequest/${request.id}`)),
      );
    const loose = dispenses.filter((d) => !requests.some((request) => fillsOf(request).includes(d)));
    const item = (request: MedicationRequest): Row => {
      return {
        resource: request,
        when: request.authoredOn,
        title: medication(request, included),
        status: isEnteredInError(request)
          ? 'entered in error'
          : [
              request.status === 'active' ? '' : request.status === 'unknown' ? 'status unknown' : request.status,
              requestState(request) === 'planned' && request.status !== 'draft' ? request.intent : '',
              request.doNotPerform ? 'do not take' : '',
            ]
              .filter(Boolean)
              .join(', ') || undefined,
        tone: isEnteredInError(request)
          ? 'error'
          : request.doNotPerform
            ? 'alert'
            : requestState(request) === 'past'
              ? 'quiet'
              : 'plain',
        details: [
          (request.dosageInstruction ?? [])
            .map(({ text }) => text)
            .filter(Boolean)
            .join('; '),
          labelled('For', reasons(request, context.store)),
          labelled(
            request.reportedBoolean || request.reportedReference ? 'Reported by' : 'Prescribed by',
            request.reportedReference
              ? reference(request.reportedReference)
              : /^Patient\//.test(request.requester?.reference ?? '')
                ? 'the patient'
                : reference(request.requester),
          ),
          labelled('Supply', supplyOf(request)),
          labelled('Why', concept(request.statusReason)),
          fills(fillsOf(request), context),
          ...(request.note ?? []).map(({ text }) => text),
        ],
      };
    };
    const those = (state: RequestState): MedicationRequest[] =>
      requests.filter((request) => requestState(request) === state);
    const [current, past] = [those('current'), those('past')];
    const group = (title: string, list: MedicationRequest[]): unknown =>
      list.length ? html`<h3>${title}</h3>${rows(list.map(item), context)}` : nothing;
    const dispenseRow = (d: MedicationDispense): Row => ({
      resource: d,
      when: d.whenHandedOver ?? d.whenPrepared,
      title: medication(d, dispensed?.included ?? []),
      status: d.status === 'completed' ? undefined : d.status,
      tone: isEnteredInError(d) ? 'error' : 'plain',
      details: [
        [quantity(d.quantity), d.daysSupply ? `for ${quantity(d.daysSupply)}` : ''].filter(Boolean).join(', '),
        labelled('Handed over by', references((d.performer ?? []).flatMap(({ actor }) => actor ?? []))),
        d.whenHandedOver ? clockDate(d.whenHandedOver) : '',
      ],
    });
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
            ? html`<h3>Handed over, without an order that is shown here</h3>${rows(loose.map(dispenseRow), context)}`
            : nothing
        }
        ${past.length ? folded(plural(past.length, 'past medication'), rows(past.map(item), context)) : nothing}`,
    };
  },
};
