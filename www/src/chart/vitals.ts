//! Vital signs, as tiles.

import { html, nothing } from 'lit-html';
import { shortDate } from '../fhir/date.ts';
import { flag } from '../fhir/flag.ts';
import { shortName } from '../fhir/names.ts';
import { value, when } from '../fhir/reading.ts';
import { ofType } from '../fhir/types.ts';
import { spark } from './plot.ts';
import { flagView, readingView } from './reading.ts';
import type { Section } from './section.ts';
import { groupsOf, type TestGroup, trendLink, VITALS } from './test-groups.ts';

export const vitals: Section = {
  id: 'vitals',
  title: 'Vital signs',
  queries: [VITALS],
  nothing: 'No data: no vital sign is recorded in this chart.',
  show([found], context) {
    const all = ofType('Observation', found?.matches);
    const groups = groupsOf(all);
    const order = ['85354-9', '8867-4', '9279-1', '8310-5', '59408-5', '2708-6', '29463-7', '8302-2', '39156-5'];
    const rank = ({ key }: TestGroup): number => {
      const at = order.indexOf(key);
      return at < 0 ? order.length : at;
    };
    return {
      count: all.length,
      of: all.length === 1 ? 'reading' : 'readings',
      body: html`<ul class="tiles" role="list">${[...groups]
        .sort((a, b) => rank(a) - rank(b))
        .map(
          (group) => html`<li class="tile">
        <p class="tile-name">${trendLink(context, group.key, shortName(group.name).main)}</p>
        <p class="tile-value" data-absent=${
          value(group.latest) === undefined && !group.latest.component?.some((part) => part.valueQuantity)
        }>${readingView(group.latest)}${flagView(flag(group.latest))}</p>
        ${spark(group.series)}
        <p class="tile-when">${shortDate(when(group.latest)) || 'no date'}${
          group.list.length > 1 ? html` · ${group.list.length} readings` : nothing
        }</p>
      </li>`,
        )}</ul>`,
    };
  },
};
