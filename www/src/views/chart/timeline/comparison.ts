//! Two visits side by side.

import { html, nothing, type TemplateResult } from 'lit-html';
import { dischargeText } from '#reading/care/discharge.ts';
import { date, shortDate } from '#reading/fhir/date.ts';
import { capital, reference } from '#reading/fhir/text.ts';
import { isOfType } from '#reading/fhir/types.ts';
import { isGiven } from '#reading/medications/given-courses.ts';
import { own } from '#reading/own.ts';
import type { MedicationAtVisit } from '#reading/timeline/compared-medications.ts';
import { compareVisits, reasonOf } from '#reading/timeline/comparison.ts';
import { countsOf, type Visit } from '#reading/timeline/days.ts';
import type { TimelineEvent } from '#reading/timeline/events.ts';
import { visitHours } from '#reading/timeline/visit-hours.ts';
import type { ChartStore } from '../../../chart/loading/store.ts';
import { recordButton } from '../../../chart/record/record-link.ts';
import { readingText } from '../../../chart/values/reading.ts';
import { type PlainMessage, t, translated, words } from '../../../language/message.ts';
import { empty } from '../../../parts/notice.ts';
import { tag } from '../../../parts/tag.ts';
import { flagOf } from './day.ts';
import type { Timeline } from './model.ts';

const ALSO = [
  'Report',
  'Procedure',
  'Immunization',
  'Fill',
  'Order',
  'Note',
  'Questionnaire',
  'Plan',
  'Goal',
  'Allergy',
];

export function comparisonView(timeline: Timeline): TemplateResult {
  const { compared, store } = timeline;
  const { value: content } = timeline.content;
  const [one, other] = compared.map((id) => timeline.visit(id));
  const back = timeline.url({ chosen: compared });
  if (!content || !one || !other || one === other) {
    return html`${empty(t('These two visits are not in this chart.'))}
      <p class="actions"><a class="button" href=${timeline.url({})}>${t('The timeline')}</a></p>`;
  }
  const { earlier, later, problems, results, medications } = compareVisits(words(), one, other);
  const pair = { earlier, later };
  const reading = (event: TimelineEvent): TemplateResult =>
    html`${recordButton(store, event.resource, readingText(event.value ?? ''))}${flagOf(event)}`;
  const linked = ({ event }: Visit): TemplateResult =>
    html`${shortDate(words(), event.on)}<small>${recordButton(store, event.resource, event.name)}</small>`;
  const named =
    (says: PlainMessage) =>
    (event: TimelineEvent): TemplateResult =>
      html`${recordButton(store, event.resource, t(says), event.status)}${tag(event.status)}`;
  return html`<p><a href=${back}>${t('Back to the timeline')}</a></p>
    ${table('Visits', pair, linked, visitRows(pair))}
    ${recordTable('Problems', pair, problems, named('Recorded'), 'No problem was recorded at these visits.')}
    ${recordTable('Results', pair, results, reading, 'No result was recorded at these visits.')}
    ${recordTable(
      'Medications',
      pair,
      medications,
      (all) => all.map((one) => medicationCell(one, store)),
      'No medication was recorded at these visits.',
    )}`;
}

/** Draws what the records of one type say about a drug at a visit, with its status and dose. */
function medicationCell({ event, count }: MedicationAtVisit, store: ChartStore): TemplateResult {
  const { resource, status, value } = event;
  const says = {
    MedicationRequest: t('Prescribed'),
    MedicationStatement: capital(t('reported#a medication')),
    MedicationAdministration: capital(t('given once|given {n} times', { n: count })),
  };
  const isWithheld = isOfType('MedicationAdministration', resource) && !isGiven(resource);
  const text = isWithheld ? translated('Administration') : (own(says, resource.resourceType) ?? '');
  return html`<div>${recordButton(store, resource, text, status)}${tag(status)}${
    value ? html`<small>${value}</small>` : nothing
  }</div>`;
}

const absent = (): TemplateResult =>
  html`<span class="none" aria-hidden="true">—</span><span class="visually-hidden">${t('none#at a visit')}</span>`;

interface Pair {
  earlier: Visit;
  later: Visit;
}

const headOf = ({ event }: Visit): TemplateResult => html`${shortDate(words(), event.on)}<small>${event.name}</small>`;

/** Draws one part of the comparison. The column widths are the same in all parts, so that the visits line up. */
function table(
  title: PlainMessage,
  { earlier, later }: Pair,
  head: (visit: Visit) => TemplateResult,
  body: unknown,
  change = false,
): TemplateResult {
  const id = `compared-${title.toLowerCase()}`;
  return html`<section class="compared" aria-labelledby=${id}><h3 id=${id}>${t(title)}</h3>
    <table><caption class="visually-hidden">${t('{title} of the visits of {earlier} and {later}', {
      title: t(title),
      earlier: date(words(), earlier.event.on),
      later: date(words(), later.event.on),
    })}</caption>
    <thead><tr><td></td><th scope="col">${head(earlier)}</th><th scope="col">${head(later)}</th>
      ${change ? html`<th scope="col" class="change">${t('Change')}</th>` : html`<td></td>`}</tr></thead>
    <tbody>${body}</tbody></table></section>`;
}

/** A row of a part: what each visit has, and the change. */
interface Row<T> {
  name: string;
  earlier: T;
  later: T;
  change: string;
}

function recordTable<T>(
  title: PlainMessage,
  pair: Pair,
  rows: readonly Row<T | undefined>[],
  cell: (of: T) => unknown,
  none: PlainMessage,
): TemplateResult {
  if (rows.length === 0) return html`<section class="compared"><h3>${t(title)}</h3>${empty(t(none))}</section>`;
  const isEmpty = (of: T | undefined): boolean => of === undefined || (Array.isArray(of) && of.length === 0);
  const cellOf = (of: T | undefined): unknown => (of === undefined || isEmpty(of) ? absent() : cell(of));
  return table(
    title,
    pair,
    headOf,
    rows.map(
      ({ name, earlier, later, change }) => html`<tr><th scope="row">${name}</th><td>${cellOf(earlier)}</td>
        <td>${cellOf(later)}</td><td class="change" data-name=${t('Change')}>${change}</td></tr>`,
    ),
    true,
  );
}

function visitRows({ earlier, later }: Pair): TemplateResult[] {
  const row = (name: PlainMessage, say: (visit: Visit) => unknown): TemplateResult =>
    html`<tr><th scope="row">${t(name)}</th><td>${say(earlier) || absent()}</td><td>${say(later) || absent()}</td>
      <td></td></tr>`;
  const encounter = ({ event: { resource } }: Visit) => (isOfType('Encounter', resource) ? resource : undefined);
  return [
    row('Reason', (one) => reasonOf(words(), one)),
    row('Time#of a clock', (visit) => visitHours(words(), encounter(visit)?.period)),
    row('Place', (visit) => reference(words(), encounter(visit)?.serviceProvider)),
    row('Discharge', (visit) => {
      const of = encounter(visit);
      return of && dischargeText(words(), of);
    }),
    row('Also recorded', ({ records }) =>
      countsOf(
        words(),
        records.filter(({ kind }) => ALSO.includes(kind)),
      ),
    ),
  ];
}
