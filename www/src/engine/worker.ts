//! The engine's own thread: the wasm module and the sample live here, so that a large answer never holds up the page.

import init, * as edgechart from '../../pkg/edgechart.js';
import type { Ask, Engine, Grant, Told } from './types.ts';

const ready = init({ module_or_path: WASM_URL });
let sample: Promise<edgechart.Chart> | undefined;
let report: ReturnType<Engine['open']>;
let granted: string | undefined;

const everything = Symbol('everything');

async function opened(base: string): Promise<edgechart.Chart> {
  await ready;
  const answer = await fetch(SAMPLE_URL);
  if (!answer.ok || !answer.body) throw new Error(`The sample could not be had: HTTP ${answer.status}.`);
  const text = await new Response(answer.body.pipeThrough(new DecompressionStream('gzip'))).text();
  const chart = new edgechart.Chart(base);
  report = chart.load(text);
  return chart;
}

function chart(): Promise<edgechart.Chart> {
  sample ??= opened(`${location.origin}/fhir/r4`).catch((error: unknown) => {
    sample = undefined;
    throw error;
  });
  return sample;
}

/** The sample, to be asked on that authority. */
async function asked(grant: Grant | undefined): Promise<edgechart.Chart> {
  const records = await chart();
  const wanted = grant ? JSON.stringify(grant) : everything.toString();
  if (granted !== wanted) records.authorize(grant ?? { scopes: all(records), patients: 'all' });
  granted = wanted;
  return records;
}

const all = (records: edgechart.Chart): string =>
  Object.keys(records.counts())
    .map((type) => `system/${type}.read`)
    .join(' ');

const answers: { [Op in keyof Engine]: (...args: Parameters<Engine[Op]>) => Promise<ReturnType<Engine[Op]>> } = {
  async open() {
    await chart();
    return report;
  },
  async search(query, grant) {
    return (await asked(grant)).search(query);
  },
  async read(type, id, grant) {
    return (await asked(grant)).read(type, id);
  },
  async counts() {
    return (await chart()).counts();
  },
  async scopes(text, patient) {
    await ready;
    const scopes = new edgechart.Scopes(text, patient);
    try {
      return { lines: scopes.lines(), matrix: scopes.matrix() };
    } finally {
      scopes.free();
    }
  },
  async explain(query, grant, base) {
    await ready;
    return edgechart.explain(query, grant, base);
  },
  async verify(token, jwks, now, expected) {
    await ready;
    return edgechart.verify(token, jwks, now, expected);
  },
  async capabilities(base) {
    await ready;
    return edgechart.capabilities(base);
  },
};

async function answer({ id, op, args }: Ask): Promise<Told> {
  let began = performance.now();
  try {
    await ready;
    if (op === 'search' || op === 'read') {
      // What is timed is the engine alone: neither its loading, nor a change of authority.
      await asked(args.at(-1) as Grant | undefined);
    }
    began = performance.now();
    const run = answers[op] as (...given: unknown[]) => Promise<unknown>;
    return { id, ok: true, value: await run(...args), ms: performance.now() - began };
  } catch (thrown) {
    const outcome =
      thrown instanceof Error
        ? {
            resourceType: 'OperationOutcome',
            issue: [{ severity: 'fatal', code: 'exception', details: { text: thrown.message } }],
          }
        : thrown;
    return { id, ok: false, outcome, ms: performance.now() - began };
  }
}

self.onmessage = async ({ data }: MessageEvent<Ask>) => {
  self.postMessage(await answer(data));
};
