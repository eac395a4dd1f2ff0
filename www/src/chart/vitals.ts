//! Vital signs, as tiles.

import { html, nothing, type TemplateResult } from 'lit-html';
import { shortDate } from '../fhir/date.ts';
import { flag } from '../fhir/flag.ts';
import { shortName } from '../fhir/names.ts';
import { hasValue, when } from '../fhir/reading.ts';
import { isEnteredInError } from '../fhir/text.ts';
import { ofType } from '../fhir/types.ts';
import { hasGrowth } from '../growth/measurements.ts';
import { t } from '../language/message.ts';
import { chartUrl } from '../routes.ts';
import { PATIENT } from './patient.ts';
import { spark } from './plot.ts';
import { flagView, readingView } from './reading.ts';
import type { Section } from './section.ts';
import { groupsOf, type TestGroup, trendLink, VITALS } from './test-groups.ts';
import { usualSources, usualView } from './usual.ts';
import { type UsualRange, usualRange } from './usual-ranges.ts';

export const vitals: Section = {
  id: 'vitals',
  title: 'Vital signs',
  queries: [VITALS, PATIENT],
  firstAlone: true,
  nothing: 'No data: no vital sign is recorded in this chart.',
  show([found, patients], context) {
    const all = ofType('Observation', found?.matches);
    const birth = ofType('Patient', patients?.matches)[0]?.birthDate;
    const { source, patient } = context.store;
    const groups = groupsOf(all);
    const usual = new Map(
      groups.map(({ key, latest }) => [key, isEnteredInError(latest) ? undefined : usualRange(latest, birth)]),
    );
    const order = ['85354-9', '8867-4', '9279-1', '8310-5', '59408-5', '2708-6', '29463-7', '8302-2', '39156-5'];
    const rank = ({ key }: TestGroup): number => {
      const at = order.indexOf(key);
      return at < 0 ? order.length : at;
    };
    return {
      count: all.length,
      of: all.length === 1 ? t('reading') : t('readings'),
      body: html`<ul class="tiles" role="list">${[...groups]
        .sort((a, b) => rank(a) - rank(b))
        .map(
          (group) => html`<li class="tile">
        <p class="tile-name">${trendLink(context, group.key, shortName(group.name).main)}</p>
        <p class="tile-value" data-absent=${!hasValue(group.latest)}>
          ${readingView(group.latest)}${flagView(flag(group.latest))}
        </p>
        ${usualLine(usual.get(group.key))}
        ${spark(group.series)}
        <p class="tile-when">${shortDate(when(group.latest)) || t('no date')}${
          group.list.length > 1 ? html` · ${t('{n} reading|{n} readings', { n: group.list.length })}` : nothing
        }</p>
      </li>`,
        )}</ul>
        ${usualSources([...usual.values()])}
        ${
          hasGrowth(all, birth)
            ? html`<p class="actions"><a class="button" href=${chartUrl(source.name, patient, 'growth')}>${t(
                'Growth curves',
              )}</a></p>`
            : nothing
        }`,
    };
  },
};

const usualLine = (range: UsualRange | undefined): TemplateResult | typeof nothing =>
  range ? html`<p class="tile-usual">${usualView(range)}</p>` : nothing;
