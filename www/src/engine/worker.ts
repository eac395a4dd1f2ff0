//! The engine's own thread: the wasm module and the sample live here, so that a large answer never holds up the page.

import init, * as edgechart from '../../pkg/edgechart.js';
import { checked } from '../shape.ts';
import { type Engine, type EngineCall, type EngineReply, engineCall, type Grant } from './types.ts';

const ready = init({ module_or_path: WASM_URL });
let sample: Promise<{ chart: edgechart.Chart; report: ReturnType<Engine['open']> }> | undefined;
/** The records that `find` looks through, and the key that they were added for. */
let remembered: { key: string; finder: edgechart.Finder } | undefined;
/** The grant that the sample is open for, as JSON. */
let authorized: string | undefined;

async function loadSample(): Promise<{ chart: edgechart.Chart; report: ReturnType<Engine['open']> }> {
  await ready;
  const answer = await fetch(SAMPLE_URL);
  if (!answer.ok || !answer.body) throw new Error(`The sample could not be had: HTTP ${answer.status}.`);
  const text = await new Response(answer.body.pipeThrough(new DecompressionStream('gzip'))).text();
  const chart = new edgechart.Chart(`${location.origin}/fhir/r4`);
  return { chart, report: chart.load(text) };
}

function loadedSample(): NonNullable<typeof sample> {
  sample ??= loadSample().catch((error: unknown) => {
    sample = undefined;
    throw error;
  });
  return sample;
}

const everyScope = (chart: edgechart.Chart): string =>
  Object.keys(chart.counts())
    .map((type) => `system/${type}.read`)
    .join(' ');

/** The sample, open for a grant; without one, open for everything. */
async function sampleFor(grant: Grant | undefined): Promise<edgechart.Chart> {
  const { chart } = await loadedSample();
  const wanted = grant ? JSON.stringify(grant) : 'everything';
  if (authorized !== wanted) chart.authorize(grant ?? { scopes: everyScope(chart), patients: 'all' });
  authorized = wanted;
  return chart;
}

function scopes(text: string, patient: string | undefined): ReturnType<Engine['scopes']> {
  const parsed = new edgechart.Scopes(text, patient);
  try {
    return { lines: parsed.lines(), matrix: parsed.matrix() };
  } finally {
    parsed.free();
  }
}

function remember(key: string, text: string): boolean {
  if (remembered?.key !== key) {
    remembered?.finder.free();
    remembered = { key, finder: new edgechart.Finder() };
  }
  remembered.finder.add(text);
  return true;
}

/** Makes what a call needs; the call itself is then the engine's work alone, and what is timed. */
async function prepare(call: EngineCall): Promise<() => unknown> {
  await ready;
  switch (call.operation) {
    case 'open': {
      const { report } = await loadedSample();
      return () => report;
    }
    case 'counts': {
      const { chart } = await loadedSample();
      return () => chart.counts();
    }
    case 'search': {
      const [query, grant] = call.args;
      const chart = await sampleFor(grant);
      return () => chart.search(query);
    }
    case 'read': {
      const [type, id, grant] = call.args;
      const chart = await sampleFor(grant);
      return () => chart.read(type, id);
    }
    case 'scopes':
      return () => scopes(...call.args);
    case 'explain':
      return () => edgechart.explain(...call.args);
    case 'verify':
      return () => edgechart.verify(...call.args);
    case 'capabilities':
      return () => edgechart.capabilities(...call.args);
    case 'remember':
      return () => remember(...call.args);
    case 'find':
      return () => remembered?.finder.find(...call.args) ?? [];
  }
}

const outcomeOf = (error: unknown): unknown =>
  error instanceof Error
    ? {
        resourceType: 'OperationOutcome',
        issue: [{ severity: 'fatal', code: 'exception', details: { text: error.message } }],
      }
    : error;

async function reply(call: EngineCall): Promise<EngineReply> {
  const { id } = call;
  let began = performance.now();
  try {
    const run = await prepare(call);
    began = performance.now();
    return { id, ok: true, value: run(), ms: performance.now() - began };
  } catch (error) {
    return { id, ok: false, outcome: outcomeOf(error), ms: performance.now() - began };
  }
}

self.onmessage = async ({ data }: MessageEvent<unknown>) => {
  self.postMessage(await reply(checked(engineCall, data, 'call')));
};
