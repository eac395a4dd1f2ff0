//! What was measured: vital signs as tiles, laboratory results as a table, screenings with their members.

import { html, nothing, type TemplateResult } from 'lit-html';
import { instant, newest, shortDate } from '../fhir/date.ts';
import { absent, categoryCodes, flag, isPanel, seriesOf, value, when, type Series } from '../fhir/measure.ts';
import { shortName } from '../fhir/names.ts';
import { concept, isEnteredInError, isUuid, plural, reference } from '../fhir/text.ts';
import type { Observation } from '../fhir/types.ts';
import { spark } from './plot.ts';
import { flagView, rangeView, readingText, readingView } from './reading.ts';
import { chartAt } from '../routes.ts';
import { folded, labelled, rows, type Row } from './row.ts';
import type { Place, Section } from './section.ts';

export const keyOf = (o: Observation): string => o.code?.coding?.[0]?.code ?? o.code?.text ?? o.id;

export interface Group {
  key: string;
  name: string;
  list: Observation[];
  latest: Observation;
  series: Series[];
}

/** Observations by what they measure, each newest first. */
export function groupsOf(observations: readonly Observation[]): Group[] {
  const groups = new Map<string, Observation[]>();
  for (const o of observations) groups.set(keyOf(o), [...(groups.get(keyOf(o)) ?? []), o]);
  return [...groups].map(([key, all]) => {
    const list = newest(all, when);
    const valid = list.filter((o) => !isEnteredInError(o));
    return {
      key,
      name: concept(list[0]?.code) ?? 'Unnamed',
      list,
      latest: (valid[0] ?? list[0]) as Observation,
      series: seriesOf(valid),
    };
  });
}

const trendLink = ({ store }: Place, key: string, text: unknown): TemplateResult =>
  html`<a href=${chartAt(store.source.name, store.patient, 'trend', key)}>${text}</a>`;

export const VITALS = 'Observation?patient={patient}&category=vital-signs&_count=200';
export const LABS = 'Observation?patient={patient}&category=laboratory&_count=200';

export const vitals: Section = {
  id: 'vitals',
  title: 'Vital signs',
  queries: [VITALS],
  nothing: 'No data: no vital sign is recorded in this chart.',
  show([found], place) {
    const all = (found?.matches ?? []) as Observation[];
    const groups = groupsOf(all);
    const order = ['85354-9', '8867-4', '9279-1', '8310-5', '59408-5', '2708-6', '29463-7', '8302-2', '39156-5'];
    const rank = ({ key }: Group): number => {
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
        <p class="tile-name">${trendLink(place, group.key, shortName(group.name).main)}</p>
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

export const labs: Section = {
  id: 'labs',
  title: 'Laboratory results',
  queries: [LABS],
  nothing: 'No data: no laboratory result is recorded in this chart.',
  show([found], place) {
    const all = (found?.matches ?? []) as Observation[];
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
            <th scope="row">${trendLink(place, group.key, main)}${rest ? html`<small>${rest}</small>` : nothing}</th>
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

function single(o: Observation): Row {
  return {
    resource: o,
    when: when(o),
    title: shortName(concept(o.code) ?? 'Not named').main,
    status: isEnteredInError(o) ? 'entered in error' : o.status === 'final' ? undefined : o.status,
    tone: isEnteredInError(o) ? 'error' : 'plain',
    details: [html`<strong>${readingView(o)}</strong> ${flagView(flag(o))}`, ...(o.note ?? []).map(({ text }) => text)],
  };
}

/** The last part of a questionnaire's address, which often names it. */
function formName(address: string | undefined): string {
  const last =
    address
      ?.split('/')
      .at(-1)
      ?.replace(/^urn:uuid:|\|.*$/g, '') ?? '';
  return !last || isUuid(last) ? 'Questionnaire' : last.replaceAll('-', ' ');
}

export const screening: Section = {
  id: 'screening',
  title: 'Screening and social history',
  queries: [
    'Observation?patient={patient}&category=survey,sdoh,functional-status,disability-status,cognitive-status,social-history&_count=200',
    'QuestionnaireResponse?patient={patient}&_count=50',
  ],
  nothing: 'No data: no screening and nothing of the social history is recorded in this chart.',
  show([found, forms], place) {
    const all = newest((found?.matches ?? []) as Observation[], when);
    const panels = all.filter(isPanel);
    const members = new Set(
      panels.flatMap(({ hasMember }) => hasMember ?? []).map(({ reference: to }) => to?.split('/').slice(-2).join('/')),
    );
    const others = all.filter((o) => !isPanel(o) && !members.has(`Observation/${o.id}`));
    const social = others.filter((o) => categoryCodes(o).includes('social-history'));
    const singles = others.filter((o) => !social.includes(o));
    const panel = (o: Observation): TemplateResult => html`<article class="panel">
      <p class="title">${place.link(
        o,
        shortName(concept(o.code) ?? 'Screening').main,
      )} <span class="aside">${shortDate(when(o))}</span></p>
      <dl class="answers">${(o.hasMember ?? []).map((to) => {
        const address = to.reference?.split('/').slice(-2).join('/') ?? '';
        const member =
          all.find((one) => `Observation/${one.id}` === address) ??
          (place.store.known(address) as Observation | undefined);
        return html`<div><dt>${member ? shortName(concept(member.code) ?? 'Not named').main : reference(to)}</dt><dd>${
          member ? readingText(value(member) ?? absent(member) ?? 'No answer') : 'Not shown here'
        }${member ? flagView(flag(member)) : nothing}</dd></div>`;
      })}</dl></article>`;
    type Form = Observation & { authored?: string; questionnaire?: string };
    const form = (f: Form): Row => ({
      resource: f,
      when: f.authored,
      title: formName(f.questionnaire),
      status: f.status === 'completed' ? undefined : f.status,
      details: [labelled('Answered', shortDate(f.authored))],
    });
    return {
      count: panels.length + others.length,
      body: html`${panels.map(panel)}
        ${
          singles.length
            ? html`${panels.length ? html`<h3>Single findings</h3>` : nothing}${rows(singles.map(single), place)}`
            : nothing
        }
        ${social.length ? html`<h3>Social history</h3>${rows(social.map(single), place)}` : nothing}
        ${
          (forms?.matches.length ?? 0) > 0
            ? folded(
                plural(forms?.matches.length ?? 0, 'questionnaire as answered', 'questionnaires as answered'),
                rows(((forms?.matches ?? []) as Form[]).map(form), place),
              )
            : nothing
        }`,
    };
  },
};
