// Records of thousands of entries: timeline, chart, trend and find are drawn completely, and in parts.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { AT_ONCE, changedDuring } from './browser.mjs';
import { openTimeline } from './timeline-stage.mjs';
import { WALKS } from './walks.mjs';

/// The limit of elements that a timeline may lose at once. The timeline has more than twice as many.
const GONE_AT_ONCE = 8_000;

const timeline = await openTimeline();
after(() => timeline.close());

for (const [title, name] of [
  ['thousands of entries of a timeline are drawn in parts, and whole', 'timeline'],
  ['the first find in a chart of 23,300 records has the engine take them, and the page none', 'find'],
  ['a chart of 20,000 observations, and a trend of a thousand, are drawn in parts, and whole', 'long chart'],
  ['a chart whose sections have a thousand rows each is drawn in parts, and whole', 'wide chart'],
]) {
  test(title, async (t) => {
    const changes = await WALKS[name](timeline, changedDuring);
    for (const [act, { added, removed }] of Object.entries(changes)) {
      t.diagnostic(`${act}: ${added} elements came at once at most, and ${removed} went`);
      assert.ok(added < AT_ONCE, `${act}: ${added} elements came at once`);
      // Another view replaces a view at once. A filter removes the entries of a timeline in parts.
      if (act.startsWith('filter')) assert.ok(removed < GONE_AT_ONCE, `${act}: ${removed} elements went at once`);
    }
  });
}
