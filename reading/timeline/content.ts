//! The events from the searches of a chart, made with pauses.

import { documentRelations, relationText } from '../documents/related-documents.ts';
import { recordAddress } from '../fhir/record-address.ts';
import type { Resource } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import { type Day, daysOf, kindsOf } from './days.ts';
import { eventOf, isEventType, type TimelineEvent } from './events.ts';

export interface Answer {
  found: { matches: Resource[]; included: Resource[] };
}

/** A record that would be an event, if it had a date. */
export type UndatedEvent = Omit<TimelineEvent, 'at'>;

export interface TimelineContent {
  /** The events, without duplicates. */
  events: TimelineEvent[];
  days: Day[];
  kinds: string[];
  /** The records without a date of their own or of an encounter. */
  undated: UndatedEvent[];
}

/** The number of records between two pauses. */
const RECORDS = 50;

/** Returns the events of answers, and pauses after some records. */
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
  // The date of a visit is that of its records without a date; they get no date of their own.
  const atVisit = (event: UndatedEvent): number | undefined => visits.get(event.visit ?? '');
  const ofVisits = undated.flatMap((event) => {
    const at = atVisit(event);
    return at === undefined ? [] : [{ ...event, at }];
  });
  const relations = documentRelations([...dated, ...ofVisits].map(({ resource }) => resource));
  const events = [...dated, ...ofVisits].map((event) => {
    const related = relationText(words, event.resource, relations);
    return related ? { ...event, status: [event.status, related].filter(Boolean).join(', ') } : event;
  });
  await pause();
  return {
    events,
    days: daysOf(events),
    kinds: kindsOf(events),
    undated: undated.filter((event) => atVisit(event) === undefined),
  };
}
