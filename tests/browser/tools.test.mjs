// The tools of assistants over whole charts, and under random grants.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUDGET } from '../../reading/tools/result.ts';
import { shared } from '../../tools/server/stage.mjs';
import { allowed } from '../oracle/access.mjs';
import { indexOf, load } from '../oracle/data.mjs';
import { addressOf } from '../oracle/references.mjs';
import { drawing, grantOf, hospital, marked, question, token } from '../oracle/trials.mjs';
import { answerOf, BASE, called, chartsIn, opened } from './tool-calls.mjs';

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

const { TRIALS = '2000', SEED = '1' } = process.env;
/// The number of calls for each population.
const EACH = 40;
const RESERVED = /^(?:_count|_total|_summary|_include|_revinclude|patient)\b/;

/// Returns a random tool and its arguments.
function callOf(draw, data) {
  const { chance, one } = draw;
  const patient = chance(0.3) ? { patient: one(['a', 'b', 'c']) } : {};
  const [type, asked] = question(draw).split('?');
  const filters = [...new URLSearchParams(asked)].filter(([name]) => !RESERVED.test(name));
  return one([
    ['overview', patient],
    [
      'query',
      { ...patient, type: /^[A-Za-z]+$/.test(type) ? type : 'Observation', filters: Object.fromEntries(filters) },
    ],
    ['trend', { ...patient, measure: one(['4548-4', '2339-0', 'mark']), ...(chance(0.5) ? { every: 'year' } : {}) }],
    ['search', { ...patient, query: 'mark' }],
    ['fetch', { id: addressOf(one(data)), raw: chance(0.3) }],
  ]);
}

test('under random grants, no tool tells of a resource that a search or a read would not', async (t) => {
  const draw = drawing(`tools ${SEED}`);
  let [told, marks] = [0, 0];
  for (let trials = 0; trials < Number(TRIALS); trials += EACH) {
    const data = marked(hospital(draw));
    const texts = data.map((one) => JSON.stringify(one));
    const resources = load(
      data.map((resource) => ({ resource, text: '' })),
      BASE,
    );
    const [index, whole] = [indexOf(resources), opened(texts)];
    // Closed records that say to whom others belong have other names instead of being left out.
    const targets = data.flatMap(({ target = [] }) => target.map(({ reference }) => reference));
    const others = data.map((one, at) =>
      one.resourceType === 'Patient' || targets.includes(addressOf(one)) ? texts[at].replace(/Mark\d+x/g, 'Other') : '',
    );
    for (let n = 0; n < EACH; n += 1) {
      const { groups: _, ...whose } = token(draw);
      const { userPatients, ...grant } = grantOf(whose);
      const [tool, args] = callOf(draw, data);
      const action = tool === 'fetch' ? 'read' : 'search';
      const isOpen = ({ resource }) => allowed({ ...grant, userPatients }, resource, action, index);
      const open = resources.map(isOpen);
      const permitted = opened(texts.map((text, at) => (open[at] ? text : others[at])));
      const [some, all] = await Promise.all(
        [permitted, whole].map(async (chart) => {
          const { text } = await called(chart, { ...grant, patients: userPatients }, tool, args);
          return text.replace(/,"next":"[^"]*"/, '');
        }),
      );
      const about = JSON.stringify({ tool, args, whose });
      for (const [, at] of all.matchAll(/Mark(\d+)x/g)) assert.ok(open[at], `${texts[at]} in ${all} ${about}`);
      assert.equal(all, some, about);
      [told, marks] = [told + (all.startsWith('{"told"') ? 1 : 0), marks + (all.match(/Mark\d+x/g)?.length ?? 0)];
      permitted.free();
    }
    whole.free();
  }
  t.diagnostic(`${TRIALS} grants; ${told} calls had a result, with ${marks} names of resources`);
  assert.ok(told > TRIALS / 4 && marks > TRIALS / 4, 'the trials tell too little');
});
