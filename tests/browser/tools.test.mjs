// The tools of assistants over whole charts, and under random grants.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUDGET } from '../../reading/tools/result.ts';
import { shared } from '../../tools/server/stage.mjs';
import { answerOf, called, chartsIn, opened } from './tool-calls.mjs';

test('mcp107 the overview over the chosen records is the one over all of them', async (t) => {
  const isLarge = (texts) => texts.length >= 500 && texts.length <= 5_000;
  const further = shared('5-synthea-2020-normalised-derived');
  const large = further ? [...chartsIn(further)].filter(([, texts]) => isLarge(texts)).slice(0, 20) : [];
  const everything = (chart, request) =>
    answerOf(
      chart,
      request.replace('/$lastn', '').replace('&max=2', '').replace('_count=50', '_count=1000'),
      Number.POSITIVE_INFINITY,
    );
  BUDGET.overview = 1_000_000;
  const charts = [...chartsIn('sample'), ...large];
  for (const [patient, texts] of charts) {
    const chart = opened(texts);
    const [some, all] = await Promise.all(
      [answerOf, everything].map(async (answer) => {
        const { result } = await called(chart, { scopes: 'patient/*.rs', patient }, 'overview', {}, answer);
        const { left_out: _, complete: _c, ...facts } = result;
        return facts;
      }),
    );
    assert.deepEqual(some, all, patient);
    chart.free();
  }
  t.diagnostic(`${charts.length} charts`);
});
