// Computes the hashes of answers, in Node and in a page. tests/agree.rs does the same in Rust.

import { inFlight } from '../server/in-flight.mjs';

/// The most pages of an answer to follow.
const PAGES = 5;

/// Returns the lines `query<TAB>hash` for a list of queries. `ask` returns the text of the answer to a query or a link.
/// The first occurrences of the parts that differ each time are removed: the Bundle's id and time, and the signature of
/// a cursor. At most `most` queries are asked at a time.
export async function answers(queries, ask, most = 1) {
  const lines = [];
  const answerTo = async ([at, query]) => {
    const pages = [];
    for (let next = query; next && pages.length < PAGES; ) {
      let text = await ask(next);
      const page = JSON.parse(text);
      next = undefined;
      if (page.resourceType === 'Bundle') {
        next = page.link.find(({ relation }) => relation === 'next')?.url;
        for (const own of [page.id, page.meta.lastUpdated, next?.split('.').at(-1) ?? '']) text = text.replace(own, '');
      }
      pages.push(text);
    }
    lines[at] = `${query}\t${await sha256(pages.join(''))}\n`;
  };
  await inFlight(queries.entries(), answerTo, most);
  return lines.join('');
}

async function sha256(text) {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/// Returns a function that queries a chart of the browser module. A refusal is also an answer.
export const asked = (chart) => (query) => {
  try {
    return chart.search(query);
  } catch (thrown) {
    if (thrown.resourceType !== 'OperationOutcome') throw thrown;
    return JSON.stringify(thrown);
  }
};
