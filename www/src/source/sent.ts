//! The requests that this page and the engine's thread send while a user's own files are open. They are counted from
//! the browser's own list of fetched resources, to show that no data leave the page. A request is added to that
//! list after its answer was read (<https://www.w3.org/TR/resource-timing/>).

import { signal } from '@preact/signals-core';
import { engineRequests } from '../engine/client.ts';
import { watchRequests } from '../engine/sent-requests.ts';
import type { SentRequest } from '../engine/types.ts';

/** The addresses of the requests since the count began. */
export const sent = signal<readonly string[]>([]);

/** Returns whether a request is counted: it used the network or the HTTP cache, and not before `since`. */
export const isCounted = ({ url, at }: SentRequest, since: number): boolean => /^https?:/.test(url) && at >= since;

/** The start of the count, in milliseconds since 1970; `undefined` before the first one. */
let since: number | undefined;

function note(requests: readonly SentRequest[]): void {
  const start = since;
  if (start === undefined) return;
  const counted = requests.filter((request) => isCounted(request, start));
  if (counted.length > 0) sent.value = [...sent.value, ...counted.map(({ url }) => url)];
}

let isWatching = false;

/** Starts the count, from zero. */
export function beginCount(): void {
  if (!isWatching) {
    isWatching = true;
    watchRequests(note, { earlier: false });
    engineRequests.subscribe(note);
  }
  since = performance.timeOrigin + performance.now();
  sent.value = [];
}
