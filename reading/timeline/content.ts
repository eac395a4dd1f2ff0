//! The events of the searches of a chart, made with pauses.

import { recordAddress } from '../fhir/record-address.ts';
import type { Resource } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import { type Day, daysOf, kindsOf } from './days.ts';
import { eventOf, isEventType, type TimelineEvent } from './events.ts';

/** The answer of a search. */
export interface Answer {
  found: { matches: Resource[]; included: Resource[] };
}

/** A record that would be an event, if it had a date. */
export type UndatedEvent = Omit<TimelineEvent, 'at'>;

export interface TimelineContent {
  /** Each record once. */
  events: TimelineEvent[];
  days: Day[];
  kinds: string[];
  /** The records without a date of their own or of a visit. */
  undated: UndatedEvent[];
}

/** The number of records between two pauses. */
const RECORDS = 50;

/** Makes the events of answers, with a pause after some records. */
export async function contentOf(
  words: Words,
  answers: readonly Answer[],
  pause: () => Promise<void>,
): Promise<TimelineContent> {
  const known = new Set<string>();
  const dated: TimelineEvent[] = [];
  const undated: UndatedEvent[] = [];
  for (const { found } of answers) {
    for (const resource of found.matches) {
      if (!isEventType(resource.resourceType)) continue;
      const address = recordAddress(resource);
      if (known.has(address)) continue;
      known.add(address);
      const event = eventOf(words, resource, found.included);
      if (event) {
        const { at } = event;
        if (at === undefined) undated.push(event);
        else dated.push({ ...event, at });
      }
      if (known.size % RECORDS === 0) await pause();
    }
  }
  const visits = new Map<string, number>(
    dated.flatMap(({ kind, resource, at }) => (kind === 'Visit' ? [[`Encounter/${resource.id}`, at] as const] : [])),
  );
  // The date of a visit is that of its records which have none; those keep no date of their own.
  const atVisit = (event: UndatedEvent): number | undefined => visits.get(event.visit ?? '');
  const ofVisits = undated.flatMap((event) => {
    const at = atVisit(event);
    return at === undefined ? [] : [{ ...event, at }];
  });
  const events = [...dated, ...ofVisits];
  await pause();
  return {
    events,
    days: daysOf(events),
    kinds: kindsOf(events),
    undated: undated.filter((event) => atVisit(event) === undefined),
  };
}
