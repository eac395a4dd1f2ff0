//! Vital signs, as tiles.

import { html, nothing, type TemplateResult } from 'lit-html';
import { instant, shortDate } from '#reading/fhir/date.ts';
import { type Observation, ofType } from '#reading/fhir/types.ts';
import { hasGrowth } from '#reading/growth/measurements.ts';
import { isAnimal } from '#reading/people/in-use.ts';
import { notesOf } from '#reading/results/flags/observation-text.ts';
import { type UsualRange, usualRanges } from '#reading/results/flags/usual-range.ts';
import { nameOfValue, shortName } from '#reading/results/names/names.ts';
import { circumstances, isOfOther } from '#reading/results/names/told-apart.ts';
import { groupsOf, nameKeyOfGroup, observationsIn, type TestGroup } from '#reading/results/panels/test-groups.ts';
import { hasValue, when } from '#reading/results/values/reading.ts';
import { t, words } from '../../language/message.ts';
import { longList } from '../../parts/long-list.ts';
import { chartUrl } from '../../routes.ts';
import { VITALS } from '../loading/observation-searches.ts';
import type { ChartStore } from '../loading/store.ts';
import { PATIENT } from '../patient.ts';
import { recordMark } from '../record/record-mark.ts';
import { counted } from '../section/other-count.ts';
import type { Section } from '../section/section.ts';
import { briefView, flagsView, rangesView, statusMark } from '../values/reading.ts';
import { usualSources, usualView } from '../values/usual.ts';
import { trendLink } from './loaded-tests.ts';
import { sparkline } from './plot.ts';

/** The order of the tiles, by the LOINC codes of the signs. Within a sign, the newest comes first. */
const ORDER: readonly (readonly string[])[] = [
  ['85354-9'],
  ['8867-4'],
  ['9279-1'],
  ['8310-5'],
  ['59408-5', '2708-6'],
  ['29463-7'],
  ['8302-2'],
  ['39156-5'],
];

export const vitals: Section = {
  id: 'vitals',
  title: 'Vital signs',
  queries: [VITALS, PATIENT],
  onlyFirstShown: true,
  nothing: 'No data: no vital sign is recorded in this chart.',
  show([found, patients], store) {
    const all = observationsIn(found?.matches ?? []);
    const [person] = ofType('Patient', patients?.matches);
    const birth = person && isAnimal(person) ? undefined : person?.birthDate;
    const { source, patient } = store;
    const groups = groupsOf(words(), all);
    const rank = (group: TestGroup): number => {
      const at = ORDER.findIndex((codes) => codes.includes(nameKeyOfGroup(group)));
      return at < 0 || isOfOther(group.latest) ? ORDER.length : at;
    };
    const time = ({ latest }: TestGroup): number => instant(when(latest)) ?? 0;
    return {
      ...counted(all),
      of: all.length === 1 ? t('reading') : t('readings'),
      body: html`<ul class="tiles" role="list">${longList(
        groups.toSorted((a, b) => rank(a) - rank(b) || (rank(a) < ORDER.length ? time(b) - time(a) : 0)),
        (group) => tile(group, store),
      )}</ul>
        ${usualSources(groups.flatMap(({ readings }) => readings.flatMap((o) => usualRanges(words(), o))))}
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

const tile = (group: TestGroup, store: ChartStore): TemplateResult => html`<li class="tile">
  <p class="tile-name">${trendLink(store, group.key, shortName(words(), group.name).main)}${
    group.apart ? html` <small>${group.apart}</small>` : nothing
  }${circumstances(words(), group.latest).map((text) => html` <small>${text}</small>`)}</p>
  ${group.readings.map((o) => readingTile(o, group, usualRanges(words(), o)))}
  ${sparkline(group.series)}
  <p class="tile-when">${shortDate(words(), when(group.latest)) || t('no date')}${
    group.list.length > 1 ? html` · ${t('{n} reading|{n} readings', { n: timesOf(group) })}` : nothing
  }</p>
</li>`;

/** Returns the number of readings. Both numbers of a blood pressure at one time are one reading. */
const timesOf = ({ list, readings, latest }: TestGroup): number =>
  readings.length === 1 && readings[0] === latest ? list.length : new Set(list.map(when)).size;

/** Draws a reading of a tile. If there are two, each shows its name and date. */
function readingTile(o: Observation, { readings }: TestGroup, usual: UsualRange[]): TemplateResult {
  const isOne = readings.length < 2;
  const ranges = rangesView(o);
  return html`${
    isOne
      ? nothing
      : html`<p class="tile-usual">${nameOfValue(words(), o)}, ${shortDate(words(), when(o)) || t('no date')}</p>`
  }<p class="tile-value" data-absent=${!hasValue(o)}>${briefView(o)}${flagsView(o)}${statusMark(o)}${recordMark(
    o,
  )}</p>${ranges === nothing ? nothing : html`<p class="tile-usual">${ranges}</p>`}${usualLine(usual)}${notesOf(o).map(
    (note) => html`<p class="tile-usual">${note}</p>`,
  )}`;
}

const usualLine = (usual: UsualRange[]): TemplateResult | typeof nothing =>
  usual.length > 0 ? html`<p class="tile-usual">${usualView(usual)}</p>` : nothing;
