//! The events of the searches of a chart, made with pauses.

import { recordAddress } from '../../fhir/record-address.ts';
import type { SearchResult } from '../../source/source.ts';
import { type Day, daysOf, kindsOf } from './days.ts';
import { eventOf, isEventType, type TimelineEvent } from './events.ts';

/** The answer of a search. */
export interface Answer {
  found: SearchResult;
}

export interface TimelineContent {
  /** Each record once. */
  events: TimelineEvent[];
  days: Day[];
  kinds: string[];
  /** The number of records without a date of their own or of a visit. */
  undated: number;
}

/** The number of records between two pauses. */
const RECORDS = 50;

/** Makes the events of answers, with a pause after some records. */
export async function contentOf(answers: readonly Answer[], pause: () => Promise<void>): Promise<TimelineContent> {
  const known = new Set<string>();
  const dated: TimelineEvent[] = [];
  const undated: Omit<TimelineEvent, 'at'>[] = [];
  for (const { found } of answers) {
    for (const resource of found.matches) {
      if (!isEventType(resource.resourceType)) continue;
      const address = recordAddress(resource);
      if (known.has(address)) continue;
      known.add(address);
      const event = eventOf(resource, found.included);
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
  const ofVisits = undated.flatMap((event) => {
    const at = visits.get(event.visit ?? '');
    return at === undefined ? [] : [{ ...event, at }];
  });
  const events = [...dated, ...ofVisits];
  await pause();
  return { events, days: daysOf(events), kinds: kindsOf(events), undated: undated.length - ofVisits.length };
}
