// Calls of the tools of assistants in one process. The browser module answers their FHIR requests under a grant, as
// `src/api/mcp/tool.rs` does on a server.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import reading from '../../reading/worker.ts';
import { LOADED_AT } from '../../tools/server/loaded-at.mjs';
import { Chart, capabilities, initSync } from '../../www/pkg/edgechart.js';
import { textOf } from '../app/second-reading/records.mjs';
import { parseScope } from '../oracle/access.mjs';

initSync({ module: readFileSync('www/pkg/edgechart_bg.wasm') });

export const BASE = 'http://edge.test/fhir/r4';
export const NOW = '2026-11-01T00:00:00.000Z';

const SOURCE = readFileSync('src/api/mcp/tool.rs', 'utf8');
const DATES = /const DATES: .*?= \[(.*?)\];/s.exec(SOURCE)[1].match(/[\w-]+/g);
const { resource: SERVED } = JSON.parse(capabilities(BASE, '')).rest[0];
const dateOf = (type) => {
  const names = SERVED.find((one) => one.type === type)?.searchParam?.map(({ name }) => name) ?? [];
  return DATES.find((name) => names.includes(name)) ?? null;
};

/// Returns the texts of the records of each patient in a folder of NDJSON, with the medications that they may name.
export function chartsIn(folder) {
  const [charts, medications] = [new Map(), []];
  for (const name of readdirSync(folder).filter((one) => /\.ndjson(\.gz)?$/.test(one)))
    for (const line of textOf(readFileSync(join(folder, name)))
      .split('\n')
      .filter(Boolean)) {
      const ids = [...line.matchAll(/"Patient\/([\w.-]+)"/g)].map(([, id]) => id);
      if (/"resourceType": ?"Patient"/.test(line)) ids.push(JSON.parse(line).id);
      if (/"resourceType": ?"Medication"/.test(line)) medications.push(line);
      for (const id of new Set(ids)) charts.get(id)?.push(line) ?? charts.set(id, [line]);
    }
  return new Map([...charts].map(([id, lines]) => [id, [...lines, ...medications]]));
}

/// Opens records, which are texts of JSON.
export function opened(texts) {
  const chart = new Chart(BASE);
  chart.load(texts.join('\n'), LOADED_AT);
  return chart;
}

/// Returns the answer to a FHIR request: its status, and its text as it was sent.
export function answered(chart, request) {
  try {
    return { status: 200, text: chart.search(request, NOW) };
  } catch (thrown) {
    if (thrown.resourceType !== 'OperationOutcome') throw thrown;
    return { status: thrown.issue[0].code === 'not-found' ? 404 : 400, text: JSON.stringify(thrown) };
  }
}

const ENTRIES = '"entry":[';
const NEXT = /,\{"relation":"next","url":"([^"]+)"\}/;

/// Returns the answers of the pages of a request, by default of 1,000 matches. A page of the browser module has 200.
export function pagesOf(chart, request, most = 5) {
  const pages = [answered(chart, request)];
  for (let next = NEXT.exec(pages[0].text); next && pages.length < most; next = NEXT.exec(pages.at(-1).text))
    pages.push(answered(chart, next[1]));
  return pages;
}

/// Returns the answer to a request of a tool, as the server sends it.
export function answerOf(chart, request, most) {
  const pages = request.includes('_count=1000') ? pagesOf(chart, request, most) : [answered(chart, request)];
  const [{ status, text }, ...more] = pages;
  const entries = more.map((page) => `,${page.text.slice(page.text.indexOf(ENTRIES) + ENTRIES.length, -2)}`);
  const link = NEXT.exec(pages.at(-1).text)?.[0] ?? '';
  const body = more.length === 0 ? text : `${text.slice(0, -2).replace(NEXT, link)}${entries.join('')}]}`;
  return `{"status":${status},"body":${body}}`;
}

/// Returns the types that a grant opens for a search.
const typesOf = ({ scopes, patient, patients }) =>
  new Set(
    scopes
      .split(' ')
      .map(parseScope)
      .filter((scope) => scope?.search && { patient, user: patients, system: true }[scope.level])
      .flatMap(({ types }) => types),
  );

/// Resolves to the outcome of a call: its result or the reason of a refusal, and the text of either. `answer` answers
/// the requests of the tool.
export async function called(chart, grant, tool, args, answer = answerOf) {
  chart.authorize(grant);
  const { patient = null } = grant;
  const call = { tool, arguments: args, language: 'en', now: NOW, base: BASE, patient, types: [...typesOf(grant)] };
  const head = JSON.stringify({ ...call, date: dateOf(args.type ?? 'Observation') }).slice(0, -1);
  for (const rounds = []; rounds.length <= 6; ) {
    const asked = { url: '/tool', text: async () => `${head},"rounds":[${rounds.join(',')}]}` };
    const text = await (await reading.fetch(asked)).text();
    const { requests, told, refusal } = JSON.parse(text);
    if (requests === undefined) return { result: told?.result, refusal, text };
    if (requests.length > 16) throw new Error('a tool makes too many requests');
    rounds.push(`[${requests.map((request) => answer(chart, request)).join(',')}]`);
  }
  throw new Error('a tool makes too many requests');
}
