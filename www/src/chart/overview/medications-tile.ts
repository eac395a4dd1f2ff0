//! The tile of the medications at a glance.

import { html, nothing, type TemplateResult } from 'lit-html';
import { medicationRecords } from '#reading/medications/medication-records.ts';
import { type MedicationLine, type MedicationsOverview, medicationsOverview } from '#reading/medications/overview.ts';
import type { PlannedMedication } from '#reading/medications/planned-medications.ts';
import { t, words } from '../../language/message.ts';
import type { ChartStore } from '../loading/store.ts';
import { MEDICATION_SEARCHES, medications } from '../medications/medications.ts';
import { recordLink } from '../record/record-link.ts';
import { entry, type Tile } from './tile.ts';

/** The most entries that are not folded. */
const MAX = 5;

/** The most planned medications that are named. The section has all of them. */
const MAX_PLANNED = 5;

/** Draws a line of medications that are planned, not ordered, each with a link. They must not read as current ones. */
function plannedLine(planned: readonly PlannedMedication[], store: ChartStore): TemplateResult | undefined {
  if (planned.length === 0) return undefined;
  const items = planned
    .slice(0, MAX_PLANNED)
    .map(
      ({ record, name, words }, i) =>
        html`${i > 0 ? '; ' : ''}${recordLink(store, record, name, words)}${words === '' ? '' : ` (${words})`}`,
    );
  const more = planned.length > MAX_PLANNED ? ` ${t('and {n} more', { n: planned.length - MAX_PLANNED })}` : '';
  return html`<p class="note planned"><strong>${t('Planned, not ordered#medications')}:</strong> ${items}${more}</p>`;
}

const aside = ({ warning, words }: MedicationLine): TemplateResult | string =>
  warning === undefined ? words : html`<strong>${warning}</strong>${warning.endsWith(':') ? ' ' : ', '}${words}`;

export function medicationsTile(store: ChartStore): Tile {
  let made: MedicationsOverview | undefined;
  return {
    id: 'medications',
    title: 'Medications',
    sections: [medications],
    queries: [...MEDICATION_SEARCHES],
    nothing: () => t('No current medication is recorded.'),
    // The line of planned medications takes the room of an entry: all tiles fit on one screen.
    get most(): number {
      return made && made.planned.length > 0 ? MAX - 1 : MAX;
    },
    count: () => made?.current ?? 0,
    foot: () => plannedLine(made?.planned ?? [], store),
    hasNames: true,
    linesPerEntry: 2,
    entries: () => {
      const matches = MEDICATION_SEARCHES.flatMap((query) => store.found(query));
      const included = MEDICATION_SEARCHES.flatMap((query) => store.included(query));
      made = medicationsOverview(words(), medicationRecords(matches, included));
      return made.lines.map((line) =>
        entry(line.name, aside(line), nothing, { record: line.record, told: line.words }),
      );
    },
  };
}
