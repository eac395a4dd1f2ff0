// Sends generated searches to a server and to the evaluator, and compares the results.

import { inFlight } from '../server/in-flight.mjs';
import { indexOf } from './data.mjs';
import { queries } from './queries.mjs';
import { addressOf } from './references.mjs';
import { search } from './search.mjs';

/// The codes of refusals of a search that names no patient.
const NEEDS_ANCHOR = ['required', 'too-costly'];

/// Sends `count` searches with `ask`, which resolves to one page {status, body}. Returns the numbers of searches that
/// were asked, that were answered, that found something, and that were too costly for the server; for each feature, the
/// numbers of searches that were answered, and that were left out because the server refuses the feature; and the
/// disagreements, as {query, missing, added, said}.
export async function agree(resources, { ask, statement, grant, base, now, count, seed, most = 1 }) {
  const index = indexOf(resources);
  const result = { asked: 0, answered: 0, tooCostly: 0, found: 0, features: new Map(), disagreements: [] };
  const generated = queries(index, statement, { seed, base }).take(count);
  await inFlight(
    generated,
    async ({ query, anchor, features }) => {
      result.asked += 1;
      let asked = query;
      let answer = await wholeAnswer(ask, asked);
      if (NEEDS_ANCHOR.includes(answer.issue)) {
        asked = `${query}&${anchor}`;
        answer = await wholeAnswer(ask, asked);
      }
      const isLeftOut = features.length > 0 && isNotOffered(answer.issue, features);
      // With several features, the answer does not say which of them is not offered.
      for (const feature of isLeftOut && features.length > 1 ? [] : features) {
        const counts = result.features.get(feature) ?? { answered: 0, leftOut: 0 };
        counts[isLeftOut ? 'leftOut' : 'answered'] += 1;
        result.features.set(feature, counts);
      }
      if (isLeftOut) return;
      if (answer.issue === 'too-costly') {
        result.tooCostly += 1;
        return;
      }
      result.answered += 1;
      const difference = differenceOf(resources, asked, answer, { grant, base, now });
      if (difference) result.disagreements.push({ query: asked, ...difference });
      else if (answer.ids.length > 0) result.found += 1;
    },
    most,
  );
  return result;
}

/// Returns whether a refusal says that a feature is not offered. An unsupported prefix has the code `value`.
const isNotOffered = (issue, features) =>
  ['not-supported', ...NEEDS_ANCHOR].includes(issue) ||
  (issue === 'value' && features.some((one) => one.endsWith(' ap')));

/// Resolves to all pages of an answer: {status, ids, pages: [{ids, included}], issue, said}.
async function wholeAnswer(ask, query) {
  const ids = [];
  const pages = [];
  for (let next = `${query}&_count=200`; next; ) {
    const { status, body } = await ask(next);
    if (status !== 200) {
      const [{ code, details, diagnostics }] = body.issue;
      return { status, ids, issue: code, said: [code, details?.text, diagnostics].filter(Boolean).join(': ') };
    }
    const of = (mode) =>
      (body.entry ?? []).filter(({ search }) => search.mode === mode).map(({ resource }) => addressOf(resource));
    pages.push({ ids: of('match'), included: of('include').sort() });
    ids.push(...of('match'));
    next = body.link.find(({ relation }) => relation === 'next')?.url;
  }
  return { status: 200, ids, pages };
}

/// Returns the difference between an answer and the evaluator's result, or undefined.
function differenceOf(resources, query, { status, ids, pages, said }, { grant, base, now }) {
  let expected;
  try {
    expected = search(resources, grant, query, { base, now });
  } catch (error) {
    // The server must refuse queries that the evaluator cannot parse.
    return status === 400 ? undefined : { said: `answered, and the evaluator says: ${error.message}` };
  }
  if (status !== 200) return { said };
  const [theirs, ours] = [new Set(ids), new Set(expected.ids)];
  const missing = expected.ids.filter((id) => !theirs.has(id));
  const added = ids.filter((id) => !ours.has(id));
  if (ids.length !== theirs.size) return { said: 'some ids twice' };
  if (missing.length + added.length > 0) return { missing, added };
  if (!query.includes('include')) return undefined;
  const { includedOf } = expected;
  const other = pages.find(({ ids, included }) => `${includedOf(ids)}` !== `${included}`);
  return other && { said: `includes ${other.included} with ${other.ids}, and not ${includedOf(other.ids)}` };
}
