//! Laboratory results, as a table with the latest of each test.

import { html, nothing } from 'lit-html';
import { instant, shortDate } from '../fhir/date.ts';
import { flag } from '../fhir/flag.ts';
import { shortName } from '../fhir/names.ts';
import { when } from '../fhir/reading.ts';
import { isEnteredInError, plural } from '../fhir/text.ts';
import { ofType } from '../fhir/types.ts';
import { spark } from './plot.ts';
import { flagView, rangeView, readingView } from './reading.ts';
import type { Section } from './section.ts';
import { groupsOf, LABS, trendLink } from './test-groups.ts';

export const labs: Section = {
  id: 'labs',
  title: 'Laboratory results',
  queries: [LABS],
  nothing: 'No data: no laboratory result is recorded in this chart.',
  show([found], context) {
    const all = ofType('Observation', found?.matches);
    const groups = groupsOf(all).sort(
      (a, b) => (instant(when(b.latest)) ?? 0) - (instant(when(a.latest)) ?? 0) || (a.name < b.name ? -1 : 1),
    );
    return {
      count: all.length,
      of: `results of ${plural(groups.length, 'test')}`,
      body: html`<div class="table-frame" tabindex="0" role="region" aria-label="Latest result of each test">
        <table class="results">
        <caption class="visually-hidden">Laboratory results: the latest of each test, with its reference range and its
          trend</caption>
        <thead><tr><th scope="col">Test</th><th scope="col" class="number">Latest</th><th scope="col">Flag</th>
          <th scope="col">Range</th><th scope="col">Trend</th><th scope="col">When</th></tr></thead>
        <tbody>${groups.map((group) => {
          const { main, rest } = shortName(group.name);
          const error = isEnteredInError(group.latest);
          return html`<tr data-tone=${error ? 'error' : 'plain'}>
            <th scope="row">${trendLink(context, group.key, main)}${rest ? html`<small>${rest}</small>` : nothing}</th>
            <td class="number">${
              error ? html`<span class="tag" data-tone="error">Entered in error</span>` : readingView(group.latest)
            }</td>
            <td class="flags">${error ? nothing : flagView(flag(group.latest))}</td>
            <td class="quiet range">${
              rangeView(group.latest.referenceRange?.[0]) ?? html`<span class="visually-hidden">no range given</span>`
            }</td>
            <td class="trend">${spark(group.series)}<span
              class="visually-hidden">${plural(group.list.length, 'result')}</span></td>
            <td class="quiet nowrap date">${shortDate(when(group.latest)) || 'no date'}</td>
          </tr>`;
        })}</tbody></table></div>`,
    };
  },
};
