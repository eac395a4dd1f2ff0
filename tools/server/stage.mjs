// Starts a separate server for a test or a benchmark: the built Worker on workerd, with a fresh local D1 that the
// command line has loaded, and with a fresh local KV if it answers from shelves.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as generator from '../populate.mjs';
import { d1File } from './d1-files.mjs';
import { LOADED_AT } from './loaded-at.mjs';
import { answerOf, raw } from './raw.mjs';
import { EDGECHART, servedTypes } from './served.mjs';
import { PREPARED } from './settings.mjs';
import { JOBS, start } from './workerd.mjs';

/// The origin of the links of these servers. It differs from the address at which they listen, so that tests fail if a
/// link is built from a request.
export const ORIGIN = 'http://edge.test';
export const BASE = `${ORIGIN}/fhir/r4`;

/// Scopes that allow every type.
export const EVERYTHING = Object.keys(servedTypes())
  .map((type) => `system/${type}.read`)
  .join(' ');

export const ndjson = (...resources) => resources.map((resource) => `${JSON.stringify(resource)}\n`).join('');

/// Runs the command line to its end and returns its output.
export const edgechart = (...words) =>
  execFileSync(EDGECHART, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 26 });

/// The users and clients of the sandbox, with their secrets.
export const SANDBOX = JSON.parse(fs.readFileSync('src/api/authorization/sandbox.json', 'utf8'));
export const passwordOf = (name) => SANDBOX.users.find(({ username }) => username === name)?.password ?? '';

/// Returns the file with a population of so many patients. Patient k is the same in all populations that have it. The
/// first call creates the file for all processes, until the generator or the sample changes.
export function populate(patients) {
  fs.mkdirSync(PREPARED, { recursive: true });
  const made = ['tools/populate.mjs', ...filesIn('sample')].map((path) => fs.statSync(path).mtimeMs);
  const file = join(PREPARED, `population-${patients}-${keyOf(made)}.ndjson`);
  if (fs.existsSync(file)) return file;
  const own = `${file}.${process.pid}`;
  generator.populate(own, patients);
  fs.renameSync(own, file);
  return file;
}

const keyOf = (...of) => createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 16);

/// Returns the path of public test data beside the checkout, or `undefined` if it is absent.
export function shared(name) {
  const path = join('../shared/data', name);
  return fs.existsSync(path) ? path : undefined;
}

/// Starts a server with the files and folders in `data` that answers from `store`: d1 or kv. Its links are under
/// `vars.ORIGIN`; by default, and with a port, the links lead to the server itself. With `replica`, D1 has a replica
/// that keeps the state of this load. `index` is the set of search parameters. `twoDatabases`, `shards`, `jobs`,
/// `jobModules`, `reading`, `bare` and `log` are as for `start`; with `bare`, `audit` finds nothing.
export async function stage({
  data = [],
  apps = [],
  store = 'd1',
  index = 'us-core',
  vars = {},
  port = 0,
  limits,
  replica = false,
  twoDatabases = false,
  shards = 0,
  modules,
  jobs,
  jobModules,
  reading,
  bare = false,
  log,
} = {}) {
  const origin = vars.ORIGIN ?? (port ? `http://localhost:${port}` : ORIGIN);
  const state = fs.mkdtempSync(join(tmpdir(), 'edgechart-'));
  const isProduction = vars.ENVIRONMENT === 'production';
  const isPrepared = origin === ORIGIN && !replica && !data.some(isOfOneTest);
  if (isPrepared) {
    fs.cpSync(await prepared({ data, store, index, origin, isProduction, twoDatabases, shards }), state, {
      recursive: true,
    });
  } else {
    writeKeys(state, isProduction);
  }
  const lines = [];
  const messages = [];
  const logged = (message) => {
    messages.push(message);
    if (message.startsWith('{"audit":')) lines.push(JSON.parse(message));
  };
  const server = await start({
    port,
    state,
    keys: keysIn(state),
    vars: { STORE: store, INDEX: index, ...vars, ORIGIN: origin },
    limits,
    replica,
    twoDatabases,
    shards,
    modules,
    jobs,
    jobModules,
    reading,
    logged,
    bare,
    log,
  });
  /// Resolves to the lines of the audit log about a request. They may come after its answer.
  const audit = async (request, { most = 5_000 } = {}) => {
    for (let waited = 0; ; waited += 20) {
      const own = lines.filter((line) => line.request === request);
      if (own.length > 0 || waited >= most) return own;
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
  };
  try {
    const furnished = await furnish(server, { state, store, index, origin, shards, isPrepared });
    if (!isPrepared) await furnished.fill(data, { replica });
    if (apps.length > 0) furnished.registerApps(apps);
    return { ...furnished, audit, messages };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/// Returns whether a file belongs to a single test, so that no other test needs the resulting state.
const isOfOneTest = (path) => resolve(path).startsWith(tmpdir());

const keysIn = (state) => join(state, '.dev.vars');
const writeKeys = (state, isProduction) =>
  fs.writeFileSync(keysIn(state), edgechart('keys', ...(isProduction ? ['--production'] : [])));

/// Resolves to a folder with the initial state of servers: keys, and databases with this data and the sandbox. The
/// first call creates it for all processes and later runs, until the command line, the settings or the data change.
async function prepared({ data, isProduction, ...options }) {
  const made = [EDGECHART, 'wrangler.toml', ...data.flatMap(filesIn)].map((path) => [path, fs.statSync(path).mtimeMs]);
  const folder = join(PREPARED, keyOf(made, data, isProduction, options));
  if (fs.existsSync(folder)) return folder;
  const state = fs.mkdtempSync(join(tmpdir(), 'edgechart-prepared-'));
  writeKeys(state, isProduction);
  const { store, index, origin, twoDatabases, shards } = options;
  const server = await start({
    state,
    keys: keysIn(state),
    vars: { STORE: store, ORIGIN: origin },
    twoDatabases,
    shards,
    jobs: false,
  });
  try {
    await (await furnish(server, { state, store, index, origin, shards })).fill(data);
  } finally {
    await server.close();
  }
  fs.mkdirSync(PREPARED, { recursive: true });
  const own = `${folder}.${process.pid}`;
  fs.cpSync(state, own, { recursive: true });
  fs.rmSync(state, { recursive: true, force: true });
  try {
    fs.renameSync(own, folder);
  } catch {
    // Another process was faster.
    fs.rmSync(own, { recursive: true, force: true });
  }
  return folder;
}

/// Returns a file as a list, or the files of a folder.
const filesIn = (path) =>
  fs.statSync(path).isDirectory() ? fs.readdirSync(path, { recursive: true }).map((name) => join(path, name)) : [path];

async function furnish(server, { state, store, index, origin, shards, isPrepared = false }) {
  const keys = keysIn(state);
  const base = `${origin}/fhir/r4`;
  /// Resolves to the file of a database. A query creates the file if it is missing.
  const fileOf = async (binding) => {
    const file = d1File(state, server.databases[binding]);
    if (!fs.existsSync(file)) await (await server.miniflare.getD1Database(binding)).prepare('SELECT 1').run();
    return file;
  };
  const db = await fileOf('DB');
  const authDb = await fileOf('AUTH_DB');
  const shardFiles = [];
  for (let number = 1; number <= shards; number++) shardFiles.push(await fileOf(`SHARD_${number}`));
  const files = ['--db', db, '--auth-db', authDb, ...shardFiles.flatMap((file) => ['--shard', file])];
  const values = join(state, 'v3/kv');
  if (store === 'kv' && !isPrepared) {
    await (await server.miniflare.getKVNamespace('CHARTS')).put('_/made', 'now');
  }
  const shelves = store === 'kv' ? ['--kv', values] : [];
  const indexed = index === 'us-core' ? [] : ['--index', index];
  const documents = ['--files', join(state, 'v3/r2/edgechart-files')];
  const load = (...paths) =>
    edgechart('load', ...paths, ...files, ...documents, '--base', base, '--at', LOADED_AT, ...shelves, ...indexed);
  const fill = async (data, { replica = false } = {}) => {
    if (data.length > 0) load(...data);
    if (replica) edgechart('load', ...data, '--db', await fileOf('REPLICA'), '--base', base, ...indexed);
    edgechart('sandbox', '--db', authDb, '--keys', keys, '--origin', origin);
  };
  /// Writes a file into the folder of the state, and returns its path.
  const write = (name, content) => {
    const file = join(state, name);
    fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  /// Loads NDJSON or a Bundle, and returns the output of the load.
  const loadText = (text) => load(write('loaded.ndjson', text));
  const registerApps = (apps) => edgechart('register', write('apps.json', apps), '--db', authDb);

  const token = (scope, { patient, user, fhirUser, client, life, mcp } = {}) => {
    const options = Object.entries({ patient, user, 'fhir-user': fhirUser, client, life }).filter(
      ([, value]) => value !== undefined,
    );
    const words = [...options.flatMap(([name, value]) => [`--${name}`, String(value)]), ...(mcp ? ['--mcp'] : [])];
    return edgechart('token', scope, '--origin', origin, '--keys', keys, '--db', authDb, ...words).trim();
  };
  const register = (users) => edgechart('user', write('users.json', users), '--db', authDb, '--keys', keys);
  /// Sets the patients whom users may see: a list of patients, or "all".
  const enrol = (access) => register(Object.entries(access).map(([username, patients]) => ({ username, patients })));
  const isSecure = origin.startsWith('https:');
  /// Sends a request to the server at its address, or, if its links use https, as a request that came over https.
  const reach = (path, init) =>
    isSecure ? server.miniflare.dispatchFetch(`${origin}${path}`, init) : fetch(`${server.url}${path}`, init);
  /// Resolves to an answer under the FHIR base: {status, headers, text, body}. `path` may be a link of the server.
  const ask = async (path, { token: bearer, headers = {}, ...init } = {}) => {
    const local = path.startsWith(base) ? path.slice(base.length) : `/${path}`;
    const authorization = bearer ? { authorization: `Bearer ${bearer}` } : {};
    const asked = { ...init, headers: { ...authorization, ...headers } };
    if (isSecure) return answerOf(await reach(`/fhir/r4${local}`, asked));
    const { pathname, search } = new URL(`/fhir/r4${local}`, server.url);
    return raw(server.url, `${pathname}${search}`, asked);
  };
  const close = async () => {
    await server.close();
    fs.rmSync(state, { recursive: true, force: true });
  };
  return {
    url: server.url,
    log: server.log,
    origin,
    base,
    miniflare: server.miniflare,
    jobs: () => server.miniflare.getWorker(JOBS),
    db,
    files,
    keys,
    state,
    fill,
    registerApps,
    load,
    loadText,
    write,
    register,
    enrol,
    token,
    ask,
    reach,
    close,
  };
}

/// Waits until the current minute of the clock has at least so many seconds left. Simulated rate limits count per
/// minute of the clock, so requests that must be counted together have to be in the same minute.
export async function minuteWith(seconds) {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < seconds * 1_000)
    await new Promise((resolve) => {
      setTimeout(resolve, left + 10);
    });
}

/// Returns the matches and the included resources of a search as `Type/id`.
export function found(bundle) {
  const ids = (mode) =>
    (bundle.entry ?? [])
      .filter((entry) => entry.search.mode === mode)
      .map((entry) => `${entry.resource.resourceType}/${entry.resource.id}`);
  return { ids: ids('match'), included: ids('include') };
}

/// Returns the number of rows that D1 read for an answer, and of round trips to D1.
export function cost(answer) {
  const [, rows, trips] = /rows_read=(\d+), trips=(\d+)/.exec(answer.headers.get('server-timing') ?? '') ?? [];
  return { rows: Number(rows), trips: Number(trips) };
}

/// Returns the number of values that were read from KV for an answer.
export const reads = (answer) => Number(/^kv;desc="reads=(\d+)"$/.exec(answer.headers.get('server-timing'))?.[1]);

/// The types whose searches without a patient use rows, and not charts.
const WITH_ROWS = new Set([
  'CareTeam',
  'Endpoint',
  'Location',
  'Medication',
  'Organization',
  'Patient',
  'Practitioner',
  'PractitionerRole',
  'Questionnaire',
  'RelatedPerson',
]);

/// Returns whether a search is answered from rows only, and not from charts.
export const isOfRows = (query) => WITH_ROWS.has(query.split('?')[0]) && !/[?&](patient|_revinclude)=/.test(query);

/// Returns the number of rows that D1 may read for an answer of so many entries, and of sequential round trips to D1. A
/// chart takes a row for its compartment, one for its head, and one for each of eight pages. For a type with more than
/// 512 resources, further pages take another trip. For types with rows, this budget holds for a single clause in the
/// order of the answer; tests/oracle/cost.mjs has the budget of other searches.
export function budget(entries, query) {
  const [type, parameters = ''] = query.split('?');
  const includes = /(^|&)_(rev)?include=/.test(parameters);
  const values = (name) => new RegExp(`(?:^|&)${name}=([^&]*)`).exec(parameters)?.[1].split(',').length ?? 0;
  const patients = values('patient');
  // What refers to the matches is in charts that are read at the same time.
  if (patients > 0) return { rows: patients * (includes ? 20 : 12), trips: /(^|&)_include=/.test(parameters) ? 2 : 1 };
  if (WITH_ROWS.has(type)) {
    return { rows: includes ? 6 * entries + 30 : 3 * entries + 20, trips: parameters.includes('_revinclude=') ? 2 : 1 };
  }
  // The locator has their compartments; an identifier without a value may be in many. For a single value the charts are
  // read in the same trip; for several values, only as far as their texts are on the last pages.
  const named = values('_id') + values('identifier');
  const isOfSystem = /(%7C|\|)(&|$)/i.test(parameters);
  const charts = isOfSystem ? Math.max(entries, 1) : named;
  const trips = named === 1 && !isOfSystem ? 1 : 2;
  return { rows: charts * (includes ? 22 : 14), trips: includes ? trips + 1 : trips };
}
