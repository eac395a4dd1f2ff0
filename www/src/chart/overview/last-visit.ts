//! The tile of the last or current visit: when, what kind, why, and where.

import { dischargeText } from '#reading/care/discharge.ts';
import { statusCaution } from '#reading/fhir/certainty.ts';
import { concepts, reference } from '#reading/fhir/text.ts';
import { type Encounter, ofType } from '#reading/fhir/types.ts';
import { joinedBy } from '#reading/joined.ts';
import { diagnosesOf, lastVisit, visitName, visitTime } from '#reading/timeline/visits.ts';
import { t, words } from '../../language/message.ts';
import { tag } from '../../parts/tag.ts';
import { VISITS, visits } from '../care/visits.ts';
import type { ChartStore } from '../loading/store.ts';
import { entry, type Tile } from './tile.ts';

export const lastVisitTile = (store: ChartStore, now: number): Tile => {
  let all: Encounter[] = [];
  return {
    id: 'last-visit',
    title: 'Last visit',
    sections: [visits],
    queries: [VISITS],
    nothing: () => (all.length > 0 ? t('No visit is recorded that has taken place.') : t('No visit is recorded.')),
    count: () => 0,
    entries: () => {
      all = ofType('Encounter', store.found(VISITS));
      const last = lastVisit(all, now);
      if (!last) return [];
      const discharge = dischargeText(words(), last);
      const why = concepts(words(), last.reasonCode) || diagnosesOf(words(), last, store);
      return [
        entry(
          joinedBy(': ', ...new Set([visitName(words(), last), why])),
          joinedBy(
            ' · ',
            visitTime(words(), last) || t('no date'),
            reference(words(), last.serviceProvider),
            discharge && t('discharge: {how}', { how: discharge }),
          ),
          tag(statusCaution(words(), last)),
          { record: last },
        ),
      ];
    },
  };
};
