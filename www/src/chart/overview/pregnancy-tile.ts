//! The tile of a current pregnancy, with the due date. Without one there is no tile.

import { html } from 'lit-html';
import { pregnancyLines } from '#reading/care/pregnancy.ts';
import { isOfType } from '#reading/fhir/types.ts';
import { words } from '../../language/message.ts';
import { tag } from '../../parts/tag.ts';
import { PROBLEMS, problems } from '../care/problems.ts';
import { PROCEDURES, procedures } from '../care/procedures.ts';
import { OBSERVATIONS } from '../loading/observation-searches.ts';
import type { ChartStore } from '../loading/store.ts';
import { loadedObservations } from '../results/loaded-tests.ts';
import { screening } from '../results/screening.ts';
import { entry, type Tile } from './tile.ts';

export function pregnancyTile(store: ChartStore, now: number): Tile {
  let isProblem = false;
  return {
    id: 'pregnancy',
    title: 'Pregnancy',
    get sections(): Tile['sections'] {
      return isProblem ? [problems, screening, procedures] : [screening, problems, procedures];
    },
    queries: [PROBLEMS, PROCEDURES, ...OBSERVATIONS],
    isWide: true,
    count: () => 0,
    entries: () => {
      const records = [PROBLEMS, PROCEDURES].flatMap((query) => store.found(query));
      const lines = pregnancyLines(words(), [...loadedObservations(store), ...records], now);
      isProblem = isOfType('Condition', lines[0]?.record);
      return lines.map(({ record, name, value, words: aside, caution }) => {
        return entry(name, aside, html`<span class="entry-value">${value}</span>${tag(caution)}`, { record });
      });
    },
  };
}
