//! The requests that a thread has sent, from its list of what was fetched (<https://www.w3.org/TR/resource-timing/>).

import type { SentRequest } from './types.ts';

/** Watches the requests of this thread. `earlier`: those from before are told of too. */
export function watchRequests(tell: (requests: SentRequest[]) => void, { earlier }: { earlier: boolean }): void {
  const observer = new PerformanceObserver((entries) =>
    tell(entries.getEntries().map(({ name, startTime }) => ({ url: name, at: performance.timeOrigin + startTime }))),
  );
  observer.observe({ type: 'resource', buffered: earlier });
}
