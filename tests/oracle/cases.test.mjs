// Compares the cases of tests/cases/ that read or find something with the evaluator, which implements the rules
// independently.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { spelled } from '../cases/checks.mjs';
import { load } from './data.mjs';
import { parseDocument } from './decimals.mjs';
import { read, search } from './search.mjs';

const BASE = 'http://edge.test/fhir/r4';
const FOLDER = process.env.CASES ?? 'tests/cases';

/// Returns whether a case reads a resource, and not the content of an attachment.
const isRead = ({ ask, method = 'GET', expect }, file) =>
  /^[A-Z]\w*\/[\w.-]+$/.test(ask) &&
  ['GET', 'HEAD'].includes(method) &&
  [200, 401, 404].includes(expect.status ?? 200) &&
  file !== 'attachments.json';

/// Returns whether the evaluator can answer a search: only the first page, and without leaving anything out.
function isSearched({ ask, method = 'GET', headers = {}, expect }) {
  if (!expect.ids || (expect.status ?? 200) !== 200 || !['GET', 'HEAD'].includes(method)) return false;
  const isSearch = /^(Patient\/[\w.-]+\/)?[A-Z]\w*(\?|$)/.test(ask) && !/_cursor|_summary|_count=0/.test(ask);
  return isSearch && !/lenient/.test(headers.Prefer ?? '') && [undefined, 'suppressed'].includes(expect.issue);
}

for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.json'))) {
  const {
    data,
    access = {},
    grants,
    cases,
    index,
    public: open,
  } = parseDocument(readFileSync(join(FOLDER, name), 'utf8'));
  // The meaning of `*` depends on the parameters of the store.
  const isJudged = (one) => isRead(one, name) || isSearched(one);
  const judged = cases.filter((one) => isJudged(one) && !(index && /include=(\w+:)?\*/.test(one.ask)));
  if (judged.length === 0) continue;
  test(`${name}: what ${judged.length} cases read and find`, async (t) => {
    const resources = load(
      data.map((resource) => ({ resource, text: JSON.stringify(resource) })),
      BASE,
    );
    for (const one of judged) {
      const { name: sentence, grant, ask, expect } = one;
      await t.test(sentence, () => {
        const { user, ...whom } = grants[grant] ?? { scopes: '' };
        const query = spelled(ask, { base: BASE });
        // A search that names no patient finds what a stranger finds, if the token is of no patient.
        const isPublic = open && !whom.patient && /^Basic\?(?!.*(_id|patient|subject|author))/.test(query);
        const whose = isPublic ? { scopes: '', open } : { ...whom, userPatients: access[user], open };
        if (isRead(one, name)) {
          assert.equal(read(resources, whose, query), (expect.status ?? 200) === 200);
          return;
        }
        const { ids, includedOf } = search(resources, whose, query, { base: BASE });
        const count = Number(/[?&]_count=(\d+)/.exec(query)?.[1] ?? 50);
        assert.deepEqual(ids.slice(0, count), expect.ids, query);
        assert.deepEqual(includedOf(expect.ids), expect.included ?? [], query);
      });
    }
  });
}
