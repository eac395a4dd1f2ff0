//! The content of a care plan: its text, and its other elements beside the text.

import { html, nothing, type TemplateResult } from 'lit-html';
import { period } from '#reading/fhir/date.ts';
import { textAt } from '#reading/fhir/element-text.ts';
import { concept, concepts, plain, reference } from '#reading/fhir/text.ts';
import type { Reference, ResourceOf } from '#reading/fhir/types.ts';
import { joined, joinedBy } from '#reading/joined.ts';
import { namesReferredTo, referredTo } from '#reading/records/reasons.ts';
import { narrative } from '../../fhir/narrative.ts';
import { t, words } from '../../language/message.ts';
import { fact } from '../../parts/fact.ts';
import type { ChartStore } from '../loading/store.ts';

type CarePlan = ResourceOf<'CarePlan'>;
type Activity = NonNullable<CarePlan['activity']>[number];

/** The elements for the product of an activity. */
const PRODUCT = ['productCodeableConcept', 'productReference'];

/** An activity in words, with what came of it. */
function activityText(activity: Activity, plan: CarePlan, store: ChartStore): string {
  const nameOf = (to: Reference): string => referredTo(words(), to, store, plan) ?? reference(words(), to) ?? '';
  const { detail, reference: to, outcomeCodeableConcept, outcomeReference = [] } = activity;
  const outcome = joined(concepts(words(), outcomeCodeableConcept), ...outcomeReference.map(nameOf));
  const planned = detail ? detailText(detail) : to ? nameOf(to) : '';
  if (planned === '') return outcome || t('Activity');
  return joinedBy(' · ', planned, outcome && `${t('Outcome')}: ${outcome}`);
}

/** A planned activity: what is done, when, and its status. */
function detailText(detail: NonNullable<Activity['detail']>): string {
  const named = joinedBy(': ', concept(words(), detail.code), textAt(words(), detail, ...PRODUCT), detail.description);
  const what = named || textAt(words(), detail, 'reasonCode', 'kind') || t('Activity');
  const when = joined(
    detail.scheduledString ?? (period(words(), detail.scheduledPeriod) || textAt(words(), detail, 'scheduledTiming')),
    textAt(words(), detail, 'dailyAmount', 'quantity'),
  );
  const status = [
    detail.doNotPerform ? t('not to be done') : '',
    detail.status ? plain(words(), detail.status) : '',
    textAt(words(), detail, 'statusReason'),
  ];
  return joinedBy(' · ', joined(what, when), status.filter(Boolean).join(', '));
}

/** Draws a fact of a plan with its label, or nothing if it is empty. */
function factOf(label: string, said: string[]): TemplateResult | typeof nothing {
  const all = said.filter(Boolean);
  if (all.length === 0) return nothing;
  const value = all.length === 1 ? all[0] : html`<ul>${all.map((one) => html`<li>${one}</li>`)}</ul>`;
  return fact(label, value);
}

/** Draws the text of a plan, and its facts beside the text. */
export function planSides(p: CarePlan, store: ChartStore): TemplateResult {
  const text = p.text?.div
    ? html`<div class="narrative">${narrative(p.text.div)}</div>`
    : p.description
      ? html`<p class="narrative">${p.description}</p>`
      : nothing;
  // Without a text, the description takes the place of the text.
  const description = p.text?.div && p.description ? [p.description] : [];
  const named = (element: string): string[] => namesReferredTo(words(), p, element, store);
  const activities = (p.activity ?? []).map((one) => activityText(one, p, store));
  const notes = (p.note ?? []).map((note) => note.text ?? '');
  const facts = [
    factOf(t('Description'), description),
    factOf(t('For'), named('addresses')),
    factOf(t('Goals'), named('goal')),
    factOf(t('Activities'), activities),
    factOf(t('Care team'), [...named('careTeam'), ...named('participant.member')]),
    factOf(t('Written by'), [reference(words(), p.author) ?? '']),
    factOf(t('Notes#of a record'), notes),
  ].filter((one) => one !== nothing);
  return html`<div class="plan-sides">${text}${facts.length > 0 ? html`<dl>${facts}</dl>` : nothing}</div>`;
}
