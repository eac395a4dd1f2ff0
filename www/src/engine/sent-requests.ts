//! The requests that a thread has sent, from its resource timing entries (<https://www.w3.org/TR/resource-timing/>).

import type { SentRequest } from './types.ts';

/** Calls `tell` with the requests of this thread. With `earlier`, it includes those sent before the call. */
export function watchRequests(tell: (requests: SentRequest[]) => void, { earlier }: { earlier: boolean }): void {
  const observer = new PerformanceObserver((entries) =>
    tell(entries.getEntries().map(({ name, startTime }) => ({ url: name, at: performance.timeOrigin + startTime }))),
  );
  observer.observe({ type: 'resource', buffered: earlier });
}
