//! The engine's own thread. It holds the wasm module and its records, so that a large answer never blocks the page.

import init, * as edgechart from '../../pkg/edgechart.js';
import { askedOnce } from '../asked-once.ts';
import { withUnknownPatient } from './documents/claim.ts';
import type { Rewrite } from './load/file-documents.ts';
import type { LoadProgress, NamedFile, SamePeople } from './load/file-report.ts';
import { loadFiles } from './load/load-files.ts';
import { locate } from './locate.ts';
import { countsByType, grantOfIndex, Records } from './records.ts';
import { watchRequests } from './sent-requests.ts';
import { textOf } from './text/file-text.ts';
import { TextIndex } from './text-index.ts';
import type { Engine, EngineCall, EngineFault, EngineMessage, EngineReply, LoadedFiles, RecordsName } from './types.ts';

const BASE = `${location.origin}/fhir/r4`;
const post = (message: EngineMessage): void => self.postMessage(message);

// The page counts the requests that are sent while a user's own files are open, but cannot see those of this thread.
watchRequests((requests) => post({ requests }), { earlier: true });

/** Resolves once the module is there. A call after a failure fetches it again. */
const ready = askedOnce(() => init({ module_or_path: WASM_URL }));
// Each call reports a failure. A failure before the first call must not be an unhandled rejection.
ready().catch(() => undefined);
interface OpenedFiles {
  records: Records;
  list: NamedFile[];
  /** The rewrites that the load applied to their documents. */
  rewrites: readonly Rewrite[];
}
let files: OpenedFiles | undefined;
/** The records that `find` searches, and the key that they were added for. */
let remembered: { key: string; index: TextIndex } | undefined;

/** An error of this thread, with the code of its fault. */
class ThreadError extends Error {
  readonly code: EngineFault['code'];

  constructor(code: EngineFault['code'], says = '') {
    super(says);
    this.code = code;
  }
}

/** Returns the records of a file of the app. They are loaded once, and again after a failure. */
const loadedFrom = askedOnce(async (url) => {
  await ready();
  const answer = await fetch(url);
  if (!answer.ok) throw new ThreadError('no-sample', String(answer.status));
  let text = '';
  for await (const chunk of textOf(await answer.blob(), () => undefined)) text += chunk;
  const records = new Records(BASE);
  return { records, report: records.load(text) };
});

async function recordsOf(name: RecordsName): Promise<Records> {
  if (name !== 'files') return (await loadedFrom(name === 'sample' ? SAMPLE_URL : EXAMPLE_RECORDS_URL)).records;
  if (!files) throw new ThreadError('no-files');
  return files.records;
}

async function openFiles(id: number, list: NamedFile[], same: SamePeople[]): Promise<LoadedFiles> {
  files?.records.free();
  files = undefined;
  remembered = undefined;
  const now = new Date().toISOString();
  const told = (progress: LoadProgress): void => post({ id, progress });
  const { loader: records, report, rewrites, alike } = await loadFiles(() => new Records(BASE), list, now, told, same);
  files = { records, list, rewrites };
  // If no patient is known at all, the records without a patient get a chart of their own.
  if (records.absent().size === 0 && !records.counts().Patient) giveChart(records);
  const absent = records.absent();
  const absentPatients = [...absent.keys()].sort();
  return {
    ...report,
    alike: alike(absentPatients),
    counts: records.counts(),
    nobodys: countsByType(records.addresses()),
    absentPatients,
    absentRecords: Object.fromEntries([...absent].map(([patient, addresses]) => [patient, addresses.length])),
    absent: countsByType([...absent.values()].flat()),
  };
}

function scopes(...args: Parameters<Engine['scopes']>): ReturnType<Engine['scopes']> {
  const parsed = new edgechart.Scopes(...args);
  try {
    return { lines: parsed.lines(), matrix: parsed.matrix() };
  } finally {
    parsed.free();
  }
}

/** Returns the index for a key. A new key starts an empty index. */
function indexFor(key: string): TextIndex {
  if (remembered?.key !== key) remembered = { key, index: new TextIndex(edgechart.fold) };
  return remembered.index;
}

/** Assigns the records without a patient to the unknown patient. */
function giveChart(records: Records): void {
  const chart = records.for(undefined);
  const taken = records.addresses().flatMap((address) => {
    const [type = '', id = ''] = address.split('/');
    return withUnknownPatient(chart.read(type, id)) ?? [];
  });
  if (taken.length > 0) records.load(taken.join('\n'), new Date().toISOString());
}

/** Prepares what a call needs. The returned function does the engine's work alone, which is timed. */
async function prepare(call: EngineCall): Promise<() => unknown> {
  await ready();
  switch (call.operation) {
    case 'start':
      return () => undefined;
    case 'open': {
      const { report } = await loadedFrom(SAMPLE_URL);
      return () => report;
    }
    case 'loadFiles': {
      const loaded = await openFiles(call.id, ...call.args);
      return () => loaded;
    }
    case 'counts': {
      const records = await recordsOf(...call.args);
      return () => records.counts();
    }
    case 'ids': {
      const [name, type, most] = call.args;
      const records = await recordsOf(name);
      return () => records.ids(type, most);
    }
    case 'search': {
      const [name, query, grant, index] = call.args;
      const chart = (await recordsOf(name)).for(grant, index);
      return () => chart.search(query);
    }
    case 'read': {
      const [name, type, id, grant] = call.args;
      const chart = (await recordsOf(name)).for(grant);
      return () => chart.read(type, id);
    }
    case 'scopes':
      return () => scopes(...call.args);
    case 'explain': {
      const [query, grant, base, index] = call.args;
      return () => edgechart.explain(query, grantOfIndex(grant, index), base);
    }
    case 'verify':
      return () => edgechart.verify(...call.args);
    case 'capabilities':
      return () => edgechart.capabilities(...call.args);
    case 'addresses': {
      const [name, patient, absent] = call.args;
      const records = await recordsOf(name);
      return () => (absent ? [...records.absent().values()].flat() : records.addresses(patient));
    }
    case 'locate': {
      const found = await locate(files?.list ?? [], ...call.args, files?.rewrites);
      return () => found;
    }
    case 'texts': {
      const [name, patient] = call.args;
      const records = await recordsOf(name);
      return () => records.texts(patient);
    }
    case 'remember': {
      const [key, text] = call.args;
      return () => indexFor(key).add(text);
    }
    case 'rememberAll': {
      const [key, name, patient, types] = call.args;
      const records = await recordsOf(name);
      return () => indexFor(key).add(records.texts(patient), types);
    }
    case 'describe': {
      const [key, words] = call.args;
      return () => indexFor(key).describe(words);
    }
    case 'find':
      return () => remembered?.index.find(...call.args) ?? [];
  }
}

/** Returns the fault for an error. The wasm module traps without a message, mostly because its memory is full. */
function faultOf(error: Error): EngineFault {
  if (error instanceof ThreadError) return { code: error.code, says: error.message };
  return { code: error instanceof WebAssembly.RuntimeError ? 'broke-off' : 'other', says: error.message };
}

async function reply(call: EngineCall): Promise<EngineReply> {
  const { id } = call;
  let began = performance.now();
  try {
    const run = await prepare(call);
    began = performance.now();
    return { id, ok: true, value: run(), ms: performance.now() - began };
  } catch (error) {
    const refused = error instanceof Error ? { fault: faultOf(error) } : { outcome: error };
    return { id, ok: false, ...refused, ms: performance.now() - began };
  }
}

self.onmessage = async ({ data }: MessageEvent<EngineCall>) => {
  post(await reply(data));
};
