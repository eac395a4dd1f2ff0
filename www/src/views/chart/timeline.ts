//! The timeline of a chart: its events by day, with filters for their kind and year.

import { html, nothing, type TemplateResult } from 'lit-html';
import type { Section, SectionContext, SectionState } from '../../chart/section.ts';
import { SECTIONS } from '../../chart/sections.ts';
import { daysOf, eventsOf, kindsOf, type TimelineEvent, yearsOf } from '../../chart/timeline.ts';
import { date } from '../../fhir/date.ts';
import { plural } from '../../fhir/text.ts';
import { fieldValue } from '../../parts/form.ts';
import { waiting } from '../../parts/notice.ts';

export interface TimelineFilter {
  kind: string;
  year: string;
}

export function timelineView(
  context: SectionContext,
  stateOf: (section: Section) => SectionState,
  filter: TimelineFilter,
  redraw: () => void,
): TemplateResult {
  const pending = SECTIONS.some((section) => stateOf(section).is === 'waiting');
  // Events of all kinds stand among each other: they are shown when all are there.
  const queries = SECTIONS.flatMap((section) => section.queries);
  const events = pending ? [] : eventsOf(context.store, queries);
  const { kind, year } = filter;
  const shown = events.filter((event) => (!kind || event.kind === kind) && (!year || event.on.startsWith(year)));
  const select = (name: keyof TimelineFilter, label: string, all: string, values: string[]): TemplateResult => {
    const choose = (event: Event): void => {
      filter[name] = fieldValue(event);
      redraw();
    };
    return html`<p class="field"><label for=${name}>${label}</label><select id=${name} @change=${choose}>
      <option value="" ?selected=${filter[name] === ''}>${all}</option>${values.map(
        (one) => html`<option value=${one} ?selected=${one === filter[name]}>${one}</option>`,
      )}</select></p>`;
  };
  const none = html`<p class="state empty">Nothing with a date is shown.</p>`;
  return html`<section class="timeline" aria-labelledby="timeline-title"><h2 id="timeline-title">Timeline</h2>
    <div class="fields">${select('kind', 'Show', 'Everything', kindsOf(events))}${select(
      'year',
      'Year',
      'All years',
      yearsOf(events),
    )}</div>
    <p role="status" class="aside">${pending ? '' : plural(shown.length, 'entry', 'entries')}</p>
    ${pending ? waiting('the timeline') : nothing}${shown.length > 0 || pending ? nothing : none}
    <ol class="days" role="list">${daysOf(shown).map(({ on, list }) => dayView(on, list, context))}</ol></section>`;
}

/** One day. Its results stand together: a blood test of many results is one line, to be unfolded. */
function dayView(on: string, list: TimelineEvent[], { link }: SectionContext): TemplateResult {
  const results = list.filter(({ kind }) => kind === 'Result');
  const others = list.filter(({ kind }) => kind !== 'Result');
  const line = ({ kind, resource, title }: TimelineEvent): TemplateResult =>
    html`<li><span class="kind">${kind}</span> ${link(resource, title)}</li>`;
  return html`<li class="day"><h3>${date(on, { short: true })}</h3><ul role="list">
    ${others.map(line)}
    ${
      results.length > 3
        ? html`<li><details class="fills"><summary><span class="kind">Results</span> ${plural(
            results.length,
            'result',
          )}</summary><ul role="list">${results.map(
            ({ resource, title }) => html`<li>${link(resource, title)}</li>`,
          )}</ul></details></li>`
        : results.map(line)
    }
  </ul></li>`;
}
