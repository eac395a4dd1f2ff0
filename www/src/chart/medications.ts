//! Medications: what was ordered or reported, each with what the pharmacy handed over for it.

import { html, nothing, type TemplateResult } from 'lit-html';
import { clockDate, newest, shortDate } from '../fhir/date.ts';
import { concept, concepts, isEnteredInError, plain, plural, quantity, reference, references } from '../fhir/text.ts';
import type { Concept, Medication, MedicationDispense, MedicationRequest, Reference, Resource } from '../fhir/types.ts';
import { standingOf, type Standing } from '../fhir/standing.ts';
import { folded, labelled, rows, type Row } from './row.ts';
import type { Place, Section } from './section.ts';

interface OfMedication extends Resource {
  medicationCodeableConcept?: Concept;
  medicationReference?: Reference;
}

/** The medication's name: said at once, contained, included, or only referred to. */
export function medication(of: OfMedication, included: Resource[]): string {
  const named = concept(of.medicationCodeableConcept);
  if (named) return named;
  const { reference: address = '', display } = of.medicationReference ?? {};
  const target = address.startsWith('#')
    ? of.contained?.find(({ id }) => `#${id}` === address)
    : included.find(({ resourceType, id }) => address.endsWith(`${resourceType}/${id}`));
  return concept((target as Medication | undefined)?.code) ?? display ?? (address || 'Medication not named');
}

function fills(list: MedicationDispense[], place: Place): TemplateResult | undefined {
  if (list.length === 0) return undefined;
  const [latest] = list;
  const one = (d: MedicationDispense): TemplateResult => html`${place.link(
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
  show([requested, dispensed], place) {
    const included = requested?.included ?? [];
    const requests = newest((requested?.matches ?? []) as MedicationRequest[], ({ authoredOn }) => authoredOn);
    const dispenses = newest(
      (dispensed?.matches ?? []) as MedicationDispense[],
      (d) => d.whenHandedOver ?? d.whenPrepared,
    );
    const fillsOf = (request: MedicationRequest): MedicationDispense[] =>
      dispenses.filter(({ authorizingPrescription }) =>
        authorizingPrescription?.some(({ reference: address }) => address?.endsWith(`MedicationRequest/${request.id}`)),
      );
    const loose = dispenses.filter((d) => !requests.some((request) => fillsOf(request).includes(d)));
    const item = (request: MedicationRequest): Row => {
      const reasons = [
        concepts(request.reasonCode),
        ...(request.reasonReference ?? []).map(
          (to) =>
            to.display ??
            concept((place.store.known(to.reference ?? '') as { code?: Concept } | undefined)?.code) ??
            '',
        ),
      ].filter(Boolean);
      const quantityOf = request.dispenseRequest?.quantity;
      return {
        resource: request,
        when: request.authoredOn,
        title: medication(request, included),
        status: isEnteredInError(request)
          ? 'entered in error'
          : [
              request.status === 'active' ? '' : request.status === 'unknown' ? 'status unknown' : request.status,
              standingOf(request) === 'planned' && request.status !== 'draft' ? request.intent : '',
              request.doNotPerform ? 'do not take' : '',
            ]
              .filter(Boolean)
              .join(', ') || undefined,
        tone: isEnteredInError(request)
          ? 'error'
          : request.doNotPerform
            ? 'alert'
            : standingOf(request) === 'past'
              ? 'quiet'
              : 'plain',
        details: [
          (request.dosageInstruction ?? [])
            .map(({ text }) => text)
            .filter(Boolean)
            .join('; '),
          labelled('For', [...new Set(reasons)].join(', ')),
          labelled(
            request.reportedBoolean || request.reportedReference ? 'Reported by' : 'Prescribed by',
            request.reportedReference
              ? reference(request.reportedReference)
              : /^Patient\//.test(request.requester?.reference ?? '')
                ? 'the patient'
                : reference(request.requester),
          ),
          labelled(
            'Supply',
            quantityOf
              ? `${quantity(quantityOf)}${request.dispenseRequest?.numberOfRepeatsAllowed ? `, ${plural(request.dispenseRequest.numberOfRepeatsAllowed, 'refill')}` : ''}`
              : undefined,
          ),
          labelled('Why', concept(request.statusReason)),
          fills(fillsOf(request), place),
          ...(request.note ?? []).map(({ text }) => text),
        ],
      };
    };
    const those = (standing: Standing): MedicationRequest[] =>
      requests.filter((request) => standingOf(request) === standing);
    const [current, past] = [those('current'), those('past')];
    const group = (title: string, list: MedicationRequest[]): unknown =>
      list.length ? html`<h3>${title}</h3>${rows(list.map(item), place)}` : nothing;
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
            ? rows(current.map(item), place)
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
            ? html`<h3>Handed over, without an order that is shown here</h3>${rows(loose.map(dispenseRow), place)}`
            : nothing
        }
        ${past.length ? folded(plural(past.length, 'past medication'), rows(past.map(item), place)) : nothing}`,
    };
  },
};
