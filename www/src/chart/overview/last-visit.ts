//! The tile of the last visit, and of one that is under way: when, what kind, why, and where.

import { html, nothing } from 'lit-html';
import { cautionOf } from '#reading/fhir/certainty.ts';
import { instant, period, periodDate, shortDate } from '#reading/fhir/date.ts';
import { capital, concepts, reference } from '#reading/fhir/text.ts';
import type { Encounter } from '#reading/fhir/types.ts';
import { t } from '../../language/message.ts';
import type { ChartStore } from '../store.ts';
import { byTime, diagnosesOf, VISITS, visitName, visits } from '../visits.ts';
import { entry, type Tile } from './tile.ts';

/** Statuses of visits that did not take place, or not yet. */
const NOT_HELD = ['planned', 'cancelled', 'entered-in-error'];
const UNDER_WAY = ['arrived', 'triaged', 'in-progress', 'onleave'];

/**
 * The latest visit that took place or has begun. One without a date counts where none has a date. A status that is not
 * known counts as held: its words are shown.
 */
export function lastVisit(all: readonly Encounter[], now: number): Encounter | undefined {
  const held = all.filter(({ status }) => !NOT_HELD.includes(status ?? ''));
  const begun = held.filter((e) => (instant(periodDate(e.period)) ?? Number.NEGATIVE_INFINITY) <= now);
  return byTime(begun)[0];
}

/** The time of a visit. Without an end, one that is over was on its first day, as far as is known. */
export function visitTime({ status, period: time }: Encounter): string {
  const goesOn = UNDER_WAY.includes(status ?? '');
  return goesOn || time?.end ? period(time) : shortDate(time?.start);
}

export const lastVisitTile = (store: ChartStore, now: number): Tile => {
  let all: Encounter[] = [];
  return {
    id: 'last-visit',
    title: 'Last visit',
    sections: [visits],
    queries: [VISITS],
    nothing: () => (all.length > 0 ? t('No visit is recorded that has taken place.') : t('No visit is recorded.')),
    count: () => 0,
    entries: (found) => {
      all = found('Encounter', VISITS);
      const last = lastVisit(all, now);
      if (!last) return [];
      const caution = cautionOf(last);
      const why = concepts(last.reasonCode) || diagnosesOf(last, store);
      return [
        entry(
          [visitName(last), why].filter(Boolean).join(': '),
          [visitTime(last) || t('no date'), reference(last.serviceProvider)].filter(Boolean).join(' · '),
          caution ? html`<span class="tag">${capital(caution)}</span>` : nothing,
          { record: last },
        ),
      ];
    },
  };
};
