//! Adverse events: what happened and the suspected cause, as a group in the section of allergies. Serious events that
//! did happen are in the banner too. Adverse events do not count as allergies, nor change what is said about them.

import { html, nothing, type TemplateResult } from 'lit-html';
import { statusCaution } from '#reading/fhir/certainty.ts';
import { newest, shortDate } from '#reading/fhir/date.ts';
import { textAt } from '#reading/fhir/element-text.ts';
import { searchOf } from '#reading/fhir/other-types.ts';
import type { Resource } from '#reading/fhir/types.ts';
import { joined } from '#reading/joined.ts';
import { kept } from '#reading/kept.ts';
import * as adverse from '#reading/problems/adverse-event.ts';
import { t, words } from '../../language/message.ts';
import { aside } from '../../parts/notice.ts';
import { bannerLine } from '../banner-line.ts';
import { type ChartStore, matchesIn } from '../loading/store.ts';
import { byValidity, errorsFolded, labelled, type Row, rowsOf } from '../section/row.ts';

export const EVENTS = searchOf('AdverseEvent');

const nameOf = (event: Resource): string => adverse.eventName(words(), event) ?? t('Adverse event not named');

/** The loaded records as a list, made once for all events. */
const listOf = kept((loaded: ReadonlyMap<string, Resource>): readonly Resource[] => [...loaded.values()]);

const causesOf = (event: Resource, store: ChartStore): string =>
  adverse.suspectedCauses(words(), event, listOf(store.all())).join(', ');

function item(event: Resource, store: ChartStore): Row {
  return {
    resource: event,
    when: adverse.eventDate(event),
    title: nameOf(event),
    status: joined(adverse.isGrave(event) ? t('serious#event') : '', statusCaution(words(), event)) || undefined,
    tone: adverse.isGrave(event) ? 'alert' : adverse.isPotential(event) ? 'quiet' : 'plain',
    details: [
      labelled('Suspected cause', causesOf(event, store)),
      labelled('Seriousness', adverse.seriousnessText(words(), event)),
      labelled('Severity', adverse.severityText(words(), event)),
      labelled('Outcome', adverse.outcomeText(words(), event)),
      labelled('It led to', textAt(words(), event, 'resultingCondition')),
      labelled('Place', textAt(words(), event, 'location')),
      labelled('Recorded by', textAt(words(), event, 'recorder')),
      textAt(words(), event, 'description', 'note'),
    ],
  };
}

/** Returns the events in order: serious ones first, then the newest. */
const inOrder = (all: readonly Resource[]): Resource[] =>
  newest(all, adverse.eventDate).sort((a, b) => Number(adverse.isGrave(b)) - Number(adverse.isGrave(a)));

/** Draws the group of events, or nothing if there are none. `hasAllergies` says whether active allergies precede it. */
export function eventsView(
  all: readonly Resource[],
  hasAllergies: boolean,
  store: ChartStore,
): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  const { valid: happened, errors } = byValidity(all);
  const valid = inOrder(happened);
  return html`<h3>${t('Adverse events')} <span class="count">${valid.length}</span></h3>
    ${aside(
      !hasAllergies && t('An adverse event is not an allergy entry: it does not say whether there is an allergy.'),
    )}
    ${rowsOf(valid, item, store)}${errorsFolded(errors, item, store)}`;
}

/** Draws the serious events that happened, for the banner. Each opens its record. Draws nothing if there are none. */
export function eventLine(store: ChartStore): TemplateResult | typeof nothing {
  const state = store.load(EVENTS);
  const grave = newest(matchesIn(state).filter(adverse.isGrave), adverse.eventDate);
  return bannerLine(
    {
      title: 'Serious adverse events',
      kind: 'event-line',
      without: state.is === 'failed' ? t('could not be loaded') : undefined,
      records: grave.map((one) => ({ record: one, name: nameOf(one), about: aboutText(one, store), isAlert: true })),
    },
    store,
  );
}

function aboutText(event: Resource, store: ChartStore): string {
  const causes = causesOf(event, store);
  return joined(
    causes && t('suspected: {cause}', { cause: causes }),
    shortDate(words(), adverse.eventDate(event)),
    statusCaution(words(), event),
  );
}
