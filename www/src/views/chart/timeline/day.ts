//! One day of a timeline: its visits as cards, and its other records as lines.

import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { dischargeText } from '#reading/care/discharge.ts';
import { date, shortDate } from '#reading/fhir/date.ts';
import { clipped } from '#reading/fhir/text.ts';
import { isOfType } from '#reading/fhir/types.ts';
import { joinedBy } from '#reading/joined.ts';
import { usualRanges } from '#reading/results/flags/usual-range.ts';
import { reasonOf } from '#reading/timeline/comparison.ts';
import { countsOf, type Day, isOfOtherDay, namesOf, type Visit } from '#reading/timeline/days.ts';
import type { TimelineEvent } from '#reading/timeline/events.ts';
import { visitHours } from '#reading/timeline/visit-hours.ts';
import { placeAndPeople } from '#reading/timeline/visits.ts';
import type { ChartStore } from '../../../chart/loading/store.ts';
import { recordButton } from '../../../chart/record/record-link.ts';
import { labelled } from '../../../chart/section/row.ts';
import { flagsView, notesView, readingText } from '../../../chart/values/reading.ts';
import { usualMark } from '../../../chart/values/usual.ts';
import { t, translated, words } from '../../../language/message.ts';
import { tag } from '../../../parts/tag.ts';
import type { Timeline } from './model.ts';
import { partsOf, partsOfList, SLICE } from './slices.ts';

/** Draws the first `drawn` events of a day. */
export function dayView(day: Day, drawn: number, timeline: Timeline): TemplateResult {
  const { on, visits, records, results } = day;
  const { store } = timeline;
  const parts = partsOf(day, drawn);
  return html`<div class="day" role="listitem"><h3 tabindex="-1">${date(words(), on, { short: true })}</h3>
    ${parts.visits.map((count, i) => {
      const visit = visits[i];
      return visit ? visitCard(visit, count, timeline) : nothing;
    })}
    ${
      parts.records
        ? html`<ul class="records" role="list">${lines(records, parts.records, (...of) =>
            recordLine(store, ...of),
          )}</ul>`
        : nothing
    }
    ${
      parts.results
        ? html`<details class="folded-list held"><summary><span class="kind">${t('Results')}</span> ${countsOf(
            words(),
            results,
          )}</summary><ul class=${sizeClass(results)} role="list">${lines(results, parts.results, (one) =>
            resultLine(one, store),
          )}</ul></details>`
        : nothing
    }</div>`;
}

/** Returns the class of a list with more entries than the page lays out at once. */
const sizeClass = ({ length }: readonly TimelineEvent[]): string => (length > SLICE ? 'many' : '');

/** Returns the name of an event, with the value of a result or the dose of a medication. */
const eventTitle = ({ name, value }: TimelineEvent): TemplateResult | string =>
  value === undefined ? name : html`<bdi>${name}</bdi>: ${readingText(value)}`;

/** Draws the first records of a list, in parts that are each drawn once. */
const lines = (
  list: TimelineEvent[],
  drawn: number,
  line: (event: TimelineEvent, before: TimelineEvent | undefined) => TemplateResult,
): unknown[] =>
  partsOfList(list, drawn).map(({ from, until }) =>
    guard([list, from, until], () => list.slice(from, until).map((event, i) => line(event, list[from + i - 1]))),
  );

/** Draws the flags of a result and of its components, or the mark of a usual range. */
export function flagOf({ resource }: TimelineEvent): TemplateResult | typeof nothing {
  if (!isOfType('Observation', resource)) return nothing;
  return html` ${flagsView(resource)}${usualMark(usualRanges(words(), resource))}${notesView(resource)}`;
}

const resultLine = (event: TimelineEvent, store: ChartStore): TemplateResult =>
  html`<li>${recordButton(store, event.resource, eventTitle(event), event.status)}${flagOf(event)}${tag(
    event.status,
  )}</li>`;

/** Draws a record with its kind. Consecutive records of one kind show the kind once. */
function recordLine(
  store: ChartStore,
  event: TimelineEvent,
  before: TimelineEvent | undefined,
  visit?: TimelineEvent,
): TemplateResult {
  const same = before?.kind === event.kind;
  const name = translated(event.kind);
  const kind = same ? html`<span class="visually-hidden">${name}</span>` : name;
  const otherDay =
    visit && isOfOtherDay(event, visit) ? html` <span class="aside">${shortDate(words(), event.on)}</span>` : nothing;
  const title = recordButton(store, event.resource, eventTitle(event), event.status);
  return html`<li><span class="kind" data-same=${same}>${kind}</span> ${title}${flagOf(event)}${tag(
    event.status,
  )}${otherDay}</li>`;
}

/** Draws a visit as a card: the reason, the diagnoses and the place. Its records are folded under their counts. */
function visitCard(visit: Visit, drawn: number, timeline: Timeline): TemplateResult {
  const { event, records } = visit;
  const { store } = timeline;
  const { resource } = event;
  const encounter = isOfType('Encounter', resource) ? resource : undefined;
  const chosen = timeline.isChosen(visit);
  const details = [
    labelled('For#the reason of a visit', clipped(reasonOf(words(), visit), 200)),
    labelled('Problems', namesOf(words(), records, 'Problem')),
    joinedBy(' · ', visitHours(words(), encounter?.period), encounter && placeAndPeople(words(), encounter)),
    labelled('Discharge', encounter && dischargeText(words(), encounter)),
  ];
  return html`<article class="visit" data-visit=${resource.id} data-chosen=${chosen}>
    <header><h4>${recordButton(store, resource, event.name)}${tag(event.status)}</h4>
      <button type="button" class="quiet" aria-pressed=${chosen} @click=${() => timeline.toggle(visit)}>${t(
        'Compare',
      )}<span class="visually-hidden"> ${event.name}, ${shortDate(words(), event.on)}</span></button></header>
    ${details.map((detail) => (detail ? html`<p class="detail">${detail}</p>` : nothing))}
    ${
      records.length
        ? html`<details class="folded-list held"><summary>${countsOf(words(), records)}</summary><ul
            class=${`records ${sizeClass(records)}`} role="list">${lines(records, drawn, (...of) =>
              recordLine(store, ...of, event),
            )}</ul></details>`
        : html`<p class="aside">${t('Nothing else is recorded at this visit.')}</p>`
    }
  </article>`;
}
