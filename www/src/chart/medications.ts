//! Medications that were ordered or reported, each with its fills by the pharmacy.

import { html, nothing, type TemplateResult } from 'lit-html';
import { clockDate, newest, shortDate } from '../fhir/date.ts';
import { medication } from '../fhir/medication.ts';
import { type RequestState, requestState, requestStatus } from '../fhir/request-state.ts';
import { concept, isEnteredInError, plain, quantity, reference, references } from '../fhir/text.ts';
import { type MedicationDispense, type MedicationRequest, ofType, type Resource } from '../fhir/types.ts';
import { type PlainMessage, t } from '../language/message.ts';
import { fillsByOrder, withoutOrder } from './fills.ts';
import { reasons } from './reasons.ts';
import { foldedMany, labelled, type Row, rows } from './row.ts';
import type { Section, SectionContext } from './section.ts';

export const REQUESTS = 'MedicationRequest?patient={patient}&_include=MedicationRequest:medication&_count=200';
export const DISPENSES = 'MedicationDispense?patient={patient}&_include=MedicationDispense:medication&_count=200';

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

function statusOf(request: MedicationRequest): string | undefined {
  if (isEnteredInError(request)) return 'entered-in-error';
  const codes = (requestStatus(request) ?? '').split(', ').filter((code) => code !== 'active');
  return codes.map((code) => (code === 'unknown' ? t('status unknown') : plain(code))).join(', ') || undefined;
}

function toneOf(request: MedicationRequest): Row['tone'] {
  if (isEnteredInError(request)) return 'error';
  if (request.doNotPerform) return 'alert';
  return requestState(request) === 'past' ? 'quiet' : 'plain';
}

/** The person who reported a medication, or else prescribed it. */
function authorOf({ reportedBoolean, reportedReference, requester }: MedicationRequest): TemplateResult | undefined {
  const isPatient = !reportedReference && /^Patient\//.test(requester?.reference ?? '');
  const author = isPatient ? t('the patient') : reference(reportedReference ?? requester);
  return labelled(reportedBoolean || reportedReference ? t('Reported by') : t('Prescribed by'), author);
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
      labelled(t('Handed over by'), references(performer.flatMap(({ actor }) => actor ?? []))),
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
    const fillsOf = fillsByOrder(dispenses);
    const loose = withoutOrder(dispenses, requests);
    const item = (request: MedicationRequest): Row => ({
      resource: request,
      when: request.authoredOn,
      title: medication(request, included),
      status: statusOf(request),
      tone: toneOf(request),
      details: [
        (request.dosageInstruction ?? []).flatMap(({ text }) => text || []).join('; '),
        labelled(t('For'), reasons(request, context.store)),
        authorOf(request),
        labelled(t('Supply'), supplyOf(request)),
        labelled(t('Why'), concept(request.statusReason)),
        fills(fillsOf(request), context),
        ...(request.note ?? []).map(({ text }) => text),
      ],
    });
    const those = (state: RequestState): MedicationRequest[] =>
      requests.filter((request) => requestState(request) === state);
    const [current, past] = [those('current'), those('past')];
    const group = (title: PlainMessage, list: MedicationRequest[]): unknown =>
      list.length ? html`<h3>${t(title)}</h3>${rows(list.map(item), context)}` : nothing;
    const looseRows = loose.map((dispense) => dispenseRow(dispense, dispensed?.included ?? []));
    return {
      count: current.length,
      of: current.length === 1 ? t('current#one medication') : t('current#medications'),
      none: requests.length > 0 && current.length === 0 ? 'No current medication.' : undefined,
      body: html`
        ${current.length ? rows(current.map(item), context) : nothing}
        ${group('On hold', those('held'))}${group('Not to be taken', those('avoid'))}${group(
          'Planned, not started',
          those('planned'),
        )}
        ${
          loose.length
            ? html`<h3>${t('Handed over, without an order that is shown here')}</h3>${rows(looseRows, context)}`
            : nothing
        }
        ${
          past.length
            ? foldedMany(t('{n} past medication|{n} past medications', { n: past.length }), () =>
                rows(past.map(item), context),
              )
            : nothing
        }`,
    };
  },
};
