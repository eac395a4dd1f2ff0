//! The timeline of a chart: its days with a rail of years, or the comparison of two visits.

import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { sizeOf, type Visit } from '../../chart/timeline/days.ts';
import { drawnDays, drawnOf } from '../../chart/timeline/slices.ts';
import { firstDays } from '../../chart/timeline/years.ts';
import { shortDate } from '../../fhir/date.ts';
import { plural } from '../../fhir/text.ts';
import { fieldValue } from '../../parts/form.ts';
import { waiting } from '../../parts/notice.ts';
import { navigate } from '../../routes.ts';
import { comparisonView } from './timeline/comparison.ts';
import { dayView } from './timeline/day.ts';
import type { Timeline } from './timeline/model.ts';
import { rail } from './timeline/rail.ts';

export function timelineView(timeline: Timeline): TemplateResult {
  timeline.update();
  const { content, days, compared } = timeline;
  if (compared.length > 0) {
    return html`<section class="timeline comparison" aria-labelledby="timeline-title"><h2 id="timeline-title"
      >Two visits compared</h2>${content ? comparisonView(timeline) : waiting('the visits')}</section>`;
  }
  timeline.drawOn();
  timeline.position.update();
  return html`<div class="timeline-layout">
    ${content && days.length === 0 ? nothing : guard([days, timeline.position.current], () => rail(timeline))}
    <section class="timeline" aria-labelledby="timeline-title"><header class="timeline-head">
        <h2 id="timeline-title">Timeline</h2>
        <p role="status" class="aside">${content ? countText(timeline) : ''}</p>
        ${kindField(timeline)}</header>
      ${content ? notes(timeline) : waiting('the timeline')}
      ${guard([days, timeline.drawn, timeline.chosen], () => dayList(timeline))}
      ${timeline.drawn < sizeOf(days) ? waiting('earlier entries') : nothing}
      ${chosenBar(timeline)}
    </section></div>`;
}

function kindField(timeline: Timeline): TemplateResult {
  const { content, kind } = timeline;
  const choose = (event: Event): void => timeline.choose(fieldValue(event));
  return html`<p class="field"><label for="kind">Show</label><select id="kind" @change=${choose}>
    <option value="" ?selected=${kind === ''}>Everything</option>${(content?.kinds ?? []).map(
      (one) => html`<option value=${one} ?selected=${one === kind}>${one}</option>`,
    )}</select></p>`;
}

function countText({ days, kind }: Timeline): string {
  const size = sizeOf(days);
  const visits = days.reduce((sum, day) => sum + day.visits.length, 0);
  if (kind === 'Visit') return `${plural(visits, 'visit')} with ${plural(size - visits, 'record')}`;
  return plural(size, 'entry', 'entries');
}

/** The records that are not on the timeline, and why. */
function notes(timeline: Timeline): TemplateResult {
  const undated = timeline.content?.undated ?? 0;
  const titles = (which: 'withheld' | 'failed'): string =>
    timeline
      .missing()
      .flatMap(({ title, is }) => (is === which ? title : []))
      .join(', ');
  const [withheld, failed] = [titles('withheld'), titles('failed')];
  return html`${
    timeline.days.length > 0 ? nothing : html`<p class="state empty">Nothing with a date is shown.</p>`
  }${undated ? html`<p class="aside">${plural(undated, 'record')} without a date: not shown here.</p>` : nothing}${
    withheld ? html`<p class="aside">Not granted, and not shown here: ${withheld}.</p>` : nothing
  }${failed ? html`<p class="aside">Could not be loaded, and not shown here: ${failed}.</p>` : nothing}`;
}

function dayList(timeline: Timeline): TemplateResult {
  const { days, drawn, chosen } = timeline;
  const first = firstDays(days);
  return html`<ol class="days" role="list">${drawnDays(days, drawn).map((day) => {
    const count = drawnOf(day, drawn);
    // A day whose visits are not chosen, and were not, stays as it is.
    const marks = day.visits.map(({ event }) => chosen.includes(event.resource.id)).join();
    return guard([day, count, marks], () => dayView(day, count, first.has(day), timeline));
  })}</ol>`;
}

/** The visits that are chosen to be compared, at the bottom of the page. */
function chosenBar(timeline: Timeline): TemplateResult | typeof nothing {
  const { chosen } = timeline;
  const visits = chosen.flatMap((id) => timeline.visit(id) ?? []);
  if (visits.length === 0) return nothing;
  const said = ({ event }: Visit): TemplateResult =>
    html`<span class="nowrap">${shortDate(event.on)}</span> ${event.name}`;
  return html`<div class="chosen" role="region" aria-label="Visits to compare"><p>${visits.map(
    (visit, i) => html`${i ? html` <span class="aside">and</span> ` : nothing}${said(visit)}`,
  )}${visits.length === 1 ? html` <span class="aside">Choose a second visit to compare.</span>` : nothing}</p>
    ${
      visits.length === 2
        ? html`<button type="button" class="primary" @click=${() => navigate(timeline.url({ compare: chosen }))}>Show
            both</button>`
        : nothing
    }
    <button type="button" @click=${() => timeline.setChosen([])}>Clear</button></div>`;
}
