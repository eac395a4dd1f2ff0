// Runs exports on a server of the benchmarks.

import { setTimeout as sleep } from 'node:timers/promises';

/// Exports a level: '', `Patient/` or `Group/ID/`. Resolves to the manifest, the seconds until it was complete, and the
/// number of resources.
export async function exported(server, headers, level) {
  const started = performance.now();
  const begun = await fetch(`${server.url}/fhir/r4/${level}$export`, {
    headers: { ...headers, prefer: 'respond-async' },
  });
  if (begun.status !== 202) throw new Error(`${begun.status}: ${await begun.text()}`);
  const status = new URL(begun.headers.get('content-location')).pathname;
  for (;;) {
    const answer = await fetch(`${server.url}${status}`, { headers });
    if (answer.status === 200) {
      const manifest = await answer.json();
      if (manifest.error.length > 0) throw new Error(JSON.stringify(manifest.error));
      const resources = manifest.output.reduce((sum, { count }) => sum + count, 0);
      return { manifest, seconds: (performance.now() - started) / 1_000, resources };
    }
    if (answer.status !== 202) throw new Error(`${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
    await sleep(50);
  }
}
