// Records of thousands of entries: timeline, chart, trend and find are drawn whole, and in parts.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AT_ONCE, changedDuring } from './browser.mjs';
import { openTimeline } from './timeline-stage.mjs';
import { WALKS } from './walks.mjs';

/// More elements than a timeline may lose at once: it has twice as many.
const GONE_AT_ONCE = 8_000;

let timeline;
before(async () => {
  timeline = await openTimeline();
});
after(() => timeline?.close());

for (const [name, walk] of Object.entries(WALKS)) {
  test(`${name}: drawn whole, in parts`, async (t) => {
    const changes = await walk(timeline, changedDuring);
    for (const [act, { added, removed }] of Object.entries(changes)) {
      t.diagnostic(`${act}: ${added} elements came at once at most, and ${removed} went`);
      assert.ok(added < AT_ONCE, `${act}: ${added} elements came at once`);
      // Another view takes the place of a whole one; a filter takes away the entries of a timeline in parts.
      if (act.startsWith('filter')) assert.ok(removed < GONE_AT_ONCE, `${act}: ${removed} elements went at once`);
    }
  });
}
