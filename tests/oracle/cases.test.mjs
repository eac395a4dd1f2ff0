// The cases of tests/cases/ that find something, held against the evaluator: what one file claims, another reading of
// the rules says too.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { spelled } from '../cases/checks.mjs';
import { load } from './data.mjs';
import { parseDocument } from './decimals.mjs';
import { search } from './search.mjs';

const BASE = 'http://edge.test/fhir/r4';
const FOLDER = process.env.CASES ?? 'tests/cases';

/// Whether the evaluator answers a case: it asks for no page but the first, and leaves nothing out.
function isJudged({ ask, method = 'GET', headers = {}, expect }) {
  if (!expect.ids || (expect.status ?? 200) !== 200 || !['GET', 'HEAD'].includes(method)) return false;
  const isSearch = /^(Patient\/[\w.-]+\/)?[A-Z]\w*(\?|$)/.test(ask) && !/_cursor|_summary|_count=0/.test(ask);
  return isSearch && !/lenient/.test(headers.Prefer ?? '') && [undefined, 'suppressed'].includes(expect.issue);
}

for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.json'))) {
  const { data, access = {}, grants, cases, index } = parseDocument(readFileSync(join(FOLDER, name), 'utf8'));
  // What a star stands for is a matter of the parameters of the store.
  const judged = cases.filter((one) => isJudged(one) && !(index && /include=(\w+:)?\*/.test(one.ask)));
  if (judged.length === 0) continue;
  test(`${name}: what ${judged.length} cases find`, async (t) => {
    const resources = load(
      data.map((resource) => ({ resource, text: JSON.stringify(resource) })),
      BASE,
    );
    for (const { name, grant, ask, expect } of judged) {
      await t.test(name, () => {
        const { user, ...whom } = grants[grant] ?? {};
        const query = spelled(ask, { base: BASE });
        const whose = { ...whom, userPatients: access[user] };
        const { ids, included } = search(resources, whose, query, { page: expect.ids, base: BASE });
        const count = Number(/[?&]_count=(\d+)/.exec(query)?.[1] ?? 50);
        assert.deepEqual(ids.slice(0, count), expect.ids, query);
        assert.deepEqual(included, expect.included ?? [], query);
      });
    }
  });
}
