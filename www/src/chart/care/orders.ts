//! Orders and referrals: open, planned, and done.

import { html } from 'lit-html';
import { orderName, pressing } from '#reading/care/due.ts';
import { focusText } from '#reading/fhir/certainty.ts';
import { newest, period, shortDate } from '#reading/fhir/date.ts';
import { textAt } from '#reading/fhir/element-text.ts';
import { isPlanned, requestStatus } from '#reading/fhir/request-state.ts';
import { siteText } from '#reading/fhir/site.ts';
import { concepts, plain, reference, references } from '#reading/fhir/text.ts';
import { ofType, type ServiceRequest } from '#reading/fhir/types.ts';
import { joined } from '#reading/joined.ts';
import { reasons } from '#reading/records/reasons.ts';
import { t, words } from '../../language/message.ts';
import { counted } from '../section/other-count.ts';
import { byValidity, errorsFolded, foldedMany, labelled, newestRows, type Row, titledRows } from '../section/row.ts';
import type { Section } from '../section/section.ts';

export const ORDERS = 'ServiceRequest?patient={patient}&_count=200';

/** The statuses of an order that is over. An order with an unknown status is open. */
const OVER = ['completed', 'revoked'];
const isGoing = ({ status }: ServiceRequest): boolean => !OVER.includes(status ?? '');
const pressingOf = (s: ServiceRequest): string => (isGoing(s) ? pressing(words(), s) : '');

/** Returns the time at which an order should be carried out. */
const whenOf = (s: ServiceRequest): string | undefined =>
  s.occurrenceDateTime
    ? shortDate(words(), s.occurrenceDateTime)
    : period(words(), s.occurrencePeriod) || textAt(words(), s, 'occurrenceTiming') || undefined;

export const orders: Section = {
  id: 'orders',
  title: 'Orders and referrals',
  queries: [ORDERS],
  nothing: 'No data: no order is recorded in this chart.',
  show([found], store) {
    const all = newest(ofType('ServiceRequest', found?.matches), ({ authoredOn }) => authoredOn);
    const item = (s: ServiceRequest): Row => {
      const title = orderName(words(), s);
      return {
        resource: s,
        when: s.authoredOn,
        title,
        status: joined(pressingOf(s), plain(words(), requestStatus(s)?.replace(/^completed(?:, )?/, ''))) || undefined,
        tone: s.doNotPerform ? 'alert' : isGoing(s) ? 'plain' : 'quiet',
        details: [
          ...focusText(words(), s),
          concepts(words(), s.category),
          labelled('For', reasons(words(), s, store)),
          labelled('Site', siteText(words(), s, store.find)),
          textAt(words(), s, 'orderDetail', 'quantityQuantity', 'quantityRange', 'quantityRatio'),
          labelled('When', whenOf(s)),
          labelled('As needed', textAt(words(), s, 'asNeededBoolean', 'asNeededCodeableConcept')),
          labelled('Ordered by', reference(words(), s.requester)),
          labelled('Sent to', joined(textAt(words(), s, 'performerType'), references(words(), s.performer))),
          textAt(words(), s, 'patientInstruction', 'note'),
        ].filter((detail) => detail !== title),
      };
    };
    const { valid, errors } = byValidity(all);
    const going = valid.filter(isGoing);
    const {
      avoid = [],
      planned = [],
      open = [],
    } = Object.groupBy(going, (s) => (s.doNotPerform ? 'avoid' : isPlanned(s) ? 'planned' : 'open'));
    const done = valid.filter((s) => !going.includes(s));
    const isPressing = (s: ServiceRequest): boolean => pressingOf(s) !== '';
    const current = newestRows(open, item, { name: t('Orders and referrals'), stays: isPressing }, store);
    return {
      ...counted(open, [
        { n: avoid.length, says: '{n} not to be done|{n} not to be done' },
        { n: planned.length, says: '{n} planned|{n} planned' },
        { n: done.length, says: '{n} past|{n} past' },
      ]),
      of: open.length === 1 ? t('open#one order') : t('open#orders'),
      none: open.length === 0 ? 'No open order.' : undefined,
      body: html`${titledRows('Not to be done', avoid, item, store)}${current}
        ${titledRows('Planned, not ordered', planned, item, store)}
        ${foldedMany('{n} earlier order|{n} earlier orders', done, item, store)}${errorsFolded(errors, item, store)}`,
    };
  },
};
