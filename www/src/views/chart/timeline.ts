//! The timeline of a chart: its days with a rail of years, or the comparison of two visits.

import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { keyed } from 'lit-html/directives/keyed.js';
import { shortDate } from '#reading/fhir/date.ts';
import type { UndatedEvent } from '#reading/timeline/content.ts';
import { sizeOf, type Visit } from '#reading/timeline/days.ts';
import { recordButton } from '../../chart/record/record-link.ts';
import { hasUntypedOmissions, MORE_UNTYPED } from '../../chart/section/omissions.ts';
import { t, translated, words } from '../../language/message.ts';
import { openDrawer } from '../../parts/drawer.ts';
import { fieldValue } from '../../parts/form.ts';
import { aside, empty, waiting } from '../../parts/notice.ts';
import { navigate } from '../../routes.ts';
import { comparisonView } from './timeline/comparison.ts';
import { dayView } from './timeline/day.ts';
import type { MissingSection, Timeline } from './timeline/model.ts';
import { rail } from './timeline/rail.ts';
import { drawnIn, drawnOf } from './timeline/slices.ts';
import type { Run } from './timeline/years.ts';

export function timelineView(timeline: Timeline): TemplateResult {
  timeline.update();
  const { compared, position } = timeline;
  const [content, chosen] = [timeline.content.value, timeline.chosen.value];
  if (compared.length > 0) {
    return html`<section class="timeline comparison" aria-labelledby="timeline-title"><h2 id="timeline-title"
      >${t('Two visits compared')}</h2>${content ? comparisonView(timeline) : waiting(t('the visits'))}</section>`;
  }
  const { days, drawn } = timeline.shown.value;
  timeline.drawOn();
  position.update();
  return html`<div class="timeline-layout">
    ${content && days.length === 0 ? nothing : guard([days, position.current.value], () => rail(timeline))}
    <section class="timeline" aria-labelledby="timeline-title"><header class="timeline-head">
        <h2 id="timeline-title">${t('Timeline')}</h2>
        <p role="status" class="aside">${content ? countText(timeline) : ''}</p>
        ${kindField(timeline)}</header>
      ${content ? notes(timeline) : waiting(t('the timeline'))}
      ${guard([days, drawn, chosen], () => keyed(days, dayList(timeline)))}
      ${drawn < sizeOf(days) ? waiting(t('earlier entries')) : nothing}
      ${chosenBar(timeline)}
    </section></div>`;
}

function kindField(timeline: Timeline): TemplateResult {
  const { value: kind } = timeline.kind;
  const kinds = (timeline.content.value?.kinds ?? [])
    .map((one) => ({ one, name: translated(one) }))
    .sort((a, b) => a.name.localeCompare(b.name));
  const choose = (event: Event): void => timeline.choose(fieldValue(event));
  return html`<p class="field"><label for="kind">${t('Show')}</label><select id="kind" @change=${choose}>
    <option value="" ?selected=${kind === ''}>${t('Everything')}</option>${kinds.map(
      ({ one, name }) => html`<option value=${one} ?selected=${one === kind}>${name}</option>`,
    )}</select></p>`;
}

function countText({ shown }: Timeline): string {
  const { days, kind } = shown.value;
  const size = sizeOf(days);
  const visits = days.reduce((sum, day) => sum + day.visits.length, 0);
  if (kind === 'Visit') {
    const records = t('{n} record|{n} records', { n: size - visits });
    return t('{n} visit with {records}|{n} visits with {records}', { n: visits, records });
  }
  return t('{n} entry|{n} entries', { n: size });
}

/** Says which records are not on the timeline, and why. */
function notes(timeline: Timeline): TemplateResult {
  const undated = timeline.content.value?.undated ?? [];
  const titles = (which: MissingSection['is']): string =>
    timeline
      .missing()
      .flatMap(({ title, is }) => (is === which ? title : []))
      .join(', ');
  const incomplete = timeline.incomplete().join(', ');
  const [withheld, failed, missing] = [titles('withheld'), titles('failed'), titles('not offered')];
  const asides = [
    undated.length > 0 && undatedView(undated, timeline),
    incomplete &&
      t('Not everything can be shown: {sections}. Their sections in the summary say why.', { sections: incomplete }),
    hasUntypedOmissions(timeline.store) && t(MORE_UNTYPED),
    withheld && t('Not granted, and not shown here: {sections}.', { sections: withheld }),
    failed && t('Could not be loaded, and not shown here: {sections}.', { sections: failed }),
    missing && t('This server does not offer them: {sections}.', { sections: missing }),
  ];
  return html`${
    timeline.shown.value.days.length > 0 ? nothing : empty(t('Nothing with a date is shown.'))
  }${asides.map(aside)}`;
}

/** Draws the number of records without a date, with a button that lists them. */
function undatedView(undated: UndatedEvent[], { store }: Timeline): TemplateResult {
  const item = ({ resource, kind, name }: UndatedEvent): TemplateResult =>
    html`<li><span class="kind">${translated(kind)}</span> ${recordButton(store, resource, name)}</li>`;
  const open = (): void =>
    openDrawer(() => ({
      title: t('Records without a date'),
      body: html`<ul class="undated" role="list">${undated.map(item)}</ul>`,
    }));
  return html`${t('{n} record without a date: not shown here.|{n} records without a date: not shown here.', {
    n: undated.length,
  })} <button type="button" class="quiet inset" @click=${open}>${t('Show them')}</button>`;
}

/** Draws the days so far. Another filter must make new elements, since a settled run keeps its height. */
function dayList(timeline: Timeline): TemplateResult {
  const { runs, drawn } = timeline.shown.value;
  const { value: chosen } = timeline.chosen;
  // Not an HTML list, since the days are not its direct children.
  return html`<div class="days" role="list">${drawnIn(runs, drawn).map((run) =>
    guard([run, drawnOf(run, drawn), chosen], () => runView(run, timeline)),
  )}</div>`;
}

/** Draws the part of a run of days that is shown so far. */
function runView({ days, year }: Run, timeline: Timeline): TemplateResult {
  const { drawn } = timeline.shown.value;
  const { value: chosen } = timeline.chosen;
  return html`<div class="run" role="none" data-year=${year ?? nothing} id=${
    year === undefined ? nothing : `year-${year}`
  }>${drawnIn(days, drawn).map((day) => {
    const count = drawnOf(day, drawn);
    // A day is drawn again only if more of it is shown, or the choice of its visits changes.
    const marks = day.visits.map(({ event }) => chosen.includes(event.resource.id)).join();
    return guard([day, count, marks], () => dayView(day, count, timeline));
  })}</div>`;
}

/** Draws the visits that are chosen for a comparison, at the bottom of the page. */
function chosenBar(timeline: Timeline): TemplateResult | typeof nothing {
  const { value: chosen } = timeline.chosen;
  const visits = chosen.flatMap((id) => timeline.visit(id) ?? []);
  if (visits.length === 0) return nothing;
  const said = ({ event }: Visit): TemplateResult =>
    html`<span class="nowrap">${shortDate(words(), event.on)}</span> ${event.name}`;
  return html`<div class="chosen" role="region" aria-label=${t('Visits to compare')}><p>${visits.map(
    (visit, i) => html`${i ? html` <span class="aside">${t('and')}</span> ` : nothing}${said(visit)}`,
  )}${visits.length === 1 ? html` <span class="aside">${t('Choose a second visit to compare.')}</span>` : nothing}</p>
    ${
      visits.length === 2
        ? html`<button type="button" class="primary" @click=${() => navigate(timeline.url({ compare: chosen }))}>${t(
            'Show both',
          )}</button>`
        : nothing
    }
    <button type="button" @click=${() => timeline.setChosen([])}>${t('Clear#the chosen visits')}</button></div>`;
}
