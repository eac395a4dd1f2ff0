//! The requests that this page and the engine's thread send while a user's own files are open. They are counted by the
//! browser's own list of what was fetched, so that the page shows that nothing leaves it. A request comes into that
//! list once its answer was read (<https://www.w3.org/TR/resource-timing/>).

import { signal } from '@preact/signals-core';
import { engineRequests } from '../engine/client.ts';
import { watchRequests } from '../engine/sent-requests.ts';
import type { SentRequest } from '../engine/types.ts';

/** The addresses of the requests since the count began. */
export const sent = signal<readonly string[]>([]);

/** Returns whether a request is counted: it went over the network or to the cache of it, and not before `since`. */
export const isCounted = ({ url, at }: SentRequest, since: number): boolean => /^https?:/.test(url) && at >= since;

/** The start of the count, in milliseconds since 1970; nothing before there is one. */
let since: number | undefined;

function note(requests: readonly SentRequest[]): void {
  const start = since;
  if (start === undefined) return;
  const counted = requests.filter((request) => isCounted(request, start));
  if (counted.length > 0) sent.value = [...sent.value, ...counted.map(({ url }) => url)];
}

let isWatching = false;

/** Begins to count, from zero. */
export function beginCount(): void {
  if (!isWatching) {
    isWatching = true;
    watchRequests(note, { earlier: false });
    engineRequests.subscribe(note);
  }
  since = performance.timeOrigin + performance.now();
  sent.value = [];
}
