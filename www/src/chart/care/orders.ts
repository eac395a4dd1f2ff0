//! Orders and referrals: open, planned, and done.

import { html, nothing } from 'lit-html';
import { newest, period, shortDate } from '#reading/fhir/date.ts';
import { textAt, valuesAt } from '#reading/fhir/element-text.ts';
import { isPlanned, requestStatus } from '#reading/fhir/request-state.ts';
import { siteText } from '#reading/fhir/site.ts';
import { normalCode } from '#reading/fhir/status-code.ts';
import { concepts, isEnteredInError, plain, reference, references } from '#reading/fhir/text.ts';
import type { ServiceRequest } from '#reading/fhir/types.ts';
import { ofType } from '#reading/fhir/types.ts';
import { joined } from '#reading/joined.ts';
import { reasons } from '#reading/records/reasons.ts';
import { testName } from '#reading/results/names/names.ts';
import { t, words } from '../../language/message.ts';
import { newestRows } from '../section/newest.ts';
import { counted } from '../section/other-count.ts';
import { foldedMany, labelled, type Row, rowsOf } from '../section/row.ts';
import type { Section } from '../section/section.ts';

export const ORDERS = 'ServiceRequest?patient={patient}&_count=200';

/** The statuses of an order that is over. An order with an unknown status is open. */
const OVER = ['completed', 'revoked', 'entered-in-error'];
const isGoing = ({ status }: ServiceRequest): boolean => !OVER.includes(status ?? '');

/** The priorities that are shown beside the name of an order. */
const PRESSING = ['stat', 'asap', 'urgent'];
const pressing = (s: ServiceRequest): string => {
  const priority = normalCode(valuesAt(s, 'priority')[0]);
  return isGoing(s) && PRESSING.includes(priority) ? plain(words(), priority) : '';
};

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
  show([found], context) {
    const all = newest(ofType('ServiceRequest', found?.matches), ({ authoredOn }) => authoredOn);
    const item = (s: ServiceRequest): Row => ({
      resource: s,
      when: s.authoredOn,
      title: testName(words(), s.code) ?? t('Order not named'),
      status: joined(pressing(s), plain(words(), requestStatus(s)?.replace(/^completed(?:, )?/, ''))) || undefined,
      tone: isEnteredInError(s) ? 'error' : s.doNotPerform ? 'alert' : isGoing(s) ? 'plain' : 'quiet',
      details: [
        concepts(words(), s.category),
        labelled(t('For'), reasons(words(), s, context.store)),
        labelled(
          t('Site'),
          siteText(words(), s, (address) => context.store.find(address)),
        ),
        textAt(words(), s, 'orderDetail', 'quantityQuantity', 'quantityRange', 'quantityRatio'),
        labelled(t('When'), whenOf(s)),
        labelled(t('As needed'), textAt(words(), s, 'asNeededBoolean', 'asNeededCodeableConcept')),
        labelled(t('Ordered by'), reference(words(), s.requester)),
        labelled(t('Sent to'), joined(textAt(words(), s, 'performerType'), references(words(), s.performer))),
        textAt(words(), s, 'patientInstruction', 'note'),
      ],
    });
    const going = all.filter(isGoing);
    const avoid = going.filter(({ doNotPerform }) => doNotPerform);
    const [planned, open] = [
      going.filter((s) => !s.doNotPerform && isPlanned(s)),
      going.filter((s) => !s.doNotPerform && !isPlanned(s)),
    ];
    const done = all.filter((s) => !going.includes(s));
    const isPressing = (s: ServiceRequest): boolean => pressing(s) !== '';
    const current = newestRows(open, item, { name: t('Orders and referrals'), stays: isPressing }, context);
    const prohibitions = html`<h3>${t('Not to be done')}</h3>${rowsOf(avoid, item, context)}`;
    const plans = html`<h3>${t('Planned, not ordered')}</h3>${rowsOf(planned, item, context)}`;
    return {
      ...counted(open, [
        { n: avoid.length, says: t('{n} not to be done|{n} not to be done', { n: avoid.length }) },
        { n: planned.length, says: t('{n} planned|{n} planned', { n: planned.length }) },
        { n: done.length, says: t('{n} past|{n} past', { n: done.length }) },
      ]),
      of: open.length === 1 ? t('open#one order') : t('open#orders'),
      none: open.length === 0 ? 'No open order.' : undefined,
      body: html`${avoid.length ? prohibitions : nothing}${current}${planned.length ? plans : nothing}${
        done.length
          ? foldedMany(t('{n} earlier order|{n} earlier orders', { n: done.length }), () => rowsOf(done, item, context))
          : nothing
      }`,
    };
  },
};
