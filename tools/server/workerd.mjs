// Runs the built Worker and the Worker for jobs on workerd, without wrangler's proxy and reload. Their bindings and
// vars come from wrangler.toml.

import { existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import workerd from 'workerd';
import { optionsOf } from './settings.mjs';

/// Reads the secrets of a file such as `.dev.vars`.
function secrets(file) {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes('='));
  const unquoted = (text) => text.replace(/^'(.*)'$/s, '$1');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), unquoted(line.slice(line.indexOf('=') + 1))]),
  );
}

/// Returns the modules of the build in a folder. Without `rehearses`, or in a build without a rehearsal.js, isolates
/// start without a rehearsal.
export const built = (folder = 'build', { rehearses = false } = {}) => {
  const read = (name, encoding) => readFileSync(join(folder, name), encoding);
  const isThere = rehearses && existsSync(join(folder, 'rehearsal.js'));
  const rehearsal = isThere ? read('rehearsal.js', 'utf8') : 'export const rehearsal = () => {};';
  return [
    { type: 'ESModule', path: 'build/index.js', contents: read('index.js', 'utf8') },
    { type: 'CompiledWasm', path: 'build/index_bg.wasm', contents: read('index_bg.wasm') },
    { type: 'ESModule', path: 'build/rehearsal.js', contents: rehearsal },
  ];
};

export const builtJobs = () => [
  { type: 'ESModule', path: 'jobs/worker.js', contents: readFileSync('jobs/worker.js', 'utf8') },
  ...built(),
];

export const JOBS = 'edgechart-jobs';

/// The modules of the Worker that writes summaries, and its name where the settings bind none.
const READING = 'edgechart-reading';
const builtReading = () => [
  { type: 'ESModule', path: 'build/reading.js', contents: readFileSync('build/reading.js', 'utf8') },
];

/// The Worker that answers the requests of the server to others.
const OUTSIDE = 'edgechart-outside';
const outside = readFileSync(join(import.meta.dirname, 'outside.mjs'), 'utf8');

/// Returns the modules of the built Worker with a simulated D1 replica, which workerd lacks. Sessions of both databases
/// that may begin at any replica read from the separate database REPLICA. Nothing is copied to it, so sessions that
/// begin with a bookmark use the primary.
const lagging = () => [
  {
    type: 'ESModule',
    path: 'build/lagging.js',
    contents: `
    import worker from './index.js';
    class D1Database {
      constructor(primary, replica) { Object.assign(this, { primary, replica }); }
      withSession(start) {
        const database = start === 'first-unconstrained' ? this.replica : this.primary;
        return database.withSession(start);
      }
    }
    export default {
      fetch(request, env, context) {
        const [DB, AUTH_DB] = [env.DB, env.AUTH_DB].map((primary) => new D1Database(primary, env.REPLICA));
        return worker.fetch(request, { ...env, DB, AUTH_DB }, context);
      },
    };`,
  },
  ...built(),
];

/// Returns modules behind `front.mjs`, which comes first, since the first module is the main module of a Worker.
const fronted = (modules, addresses) => [
  {
    type: 'ESModule',
    path: 'build/front.js',
    contents: readFileSync(join(import.meta.dirname, 'front.mjs'), 'utf8').replace(
      "'./index.js'",
      `'./${basename(modules[0].path)}'`,
    ),
  },
  { type: 'ESModule', path: 'build/addresses.js', contents: `export default ${JSON.stringify(addresses)};` },
  ...modules,
];

/// Returns a Worker that only provides a socket to another Worker. A socket of that Worker itself would lead to the
/// router of its assets.
const socketTo = (serviceName, port) => ({
  name: 'socket',
  modules: [{ type: 'ESModule', path: 'build/socket.js', contents: 'export default {};' }],
  modulesRoot: 'build',
  unsafeDirectSockets: [{ host: '127.0.0.1', port, serviceName }],
});

/// The size of a log, in bytes, above which the next start renames it and begins another.
const MAX_LOG = 64 << 20;

/// Makes miniflare start workerd with its log in a file. Returns the environment variables that workerd needs for this.
function toFile(log) {
  mkdirSync(dirname(log), { recursive: true });
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG) renameSync(log, `${log}.1`);
  process.env.MINIFLARE_WORKERD_PATH = join(import.meta.dirname, 'logged-workerd.sh');
  process.env.WORKERD = workerd.default;
  return { WORKERD_LOG: resolve(log) };
}

/// Starts the Worker, or another one given by `modules`, on the local state in a folder, with the settings file
/// `config`. Resolves to {url, log, close, miniflare, databases}, where `databases` has the ids of databases by
/// binding. `limits`: rate limits by name that replace those of wrangler.toml. `replica`: D1 has a replica to which
/// nothing is copied. `twoDatabases`: DB and AUTH_DB are separate databases. `shards`: the number of shards besides the
/// first. `logged` is called with each log message. `jobs`: the Worker for jobs runs too, with the modules
/// `jobModules`. `reading`: the modules of the Worker that writes summaries. `bare`: no part of miniflare is between
/// the socket and the Worker. The log is then only in the file `log`, one JSON object with its `message` per line, and
/// `logged` and the terminal get nothing.
export async function start({
  port = 0,
  state = '.wrangler/state',
  config = 'wrangler.toml',
  vars = {},
  keys = '.dev.vars',
  quiet = true,
  replica = false,
  twoDatabases = false,
  shards = 0,
  modules = replica ? lagging() : built(),
  limits = {},
  logged = () => {},
  jobs = true,
  jobModules = builtJobs(),
  reading = builtReading(),
  bare = false,
  log = join(state, 'workerd.log'),
}) {
  const { bindings, assets, ...options } = await optionsOf(config);
  const further = {
    ...(twoDatabases && { AUTH_DB: 'auth' }),
    ...Object.fromEntries(Array.from({ length: shards }, (_, at) => [`SHARD_${at + 1}`, `shard-${at + 1}`])),
  };
  const worker = {
    ...options,
    name: 'edgechart',
    outboundService: OUTSIDE,
    assets: { ...assets, ...(bare && { binding: 'ASSETS' }) },
    bindings: { ...bindings, ...secrets(keys), ...vars },
    modules: bare ? fronted(modules, assets.run_worker_first) : modules,
    d1Databases: {
      ...options.d1Databases,
      ...(replica && { REPLICA: 'replica' }),
      ...further,
    },
    ratelimits: Object.fromEntries(
      Object.entries(options.ratelimits).map(([name, { simple, ...limit }]) => [
        name,
        { ...limit, simple: { ...simple, limit: limits[name] ?? simple.limit } },
      ]),
    ),
    modulesRoot: 'build',
  };
  const workers = [worker, { name: OUTSIDE, modules: [{ type: 'ESModule', path: 'outside.js', contents: outside }] }];
  const { bindings: none, ...ofReading } = await optionsOf('reading/wrangler.toml');
  const readingName = options.serviceBindings?.READING?.name ?? READING;
  workers.push({ ...ofReading, name: readingName, modules: reading, modulesRoot: 'build' });
  if (jobs) {
    const { bindings: own, ...ofJobs } = await optionsOf(config, { jobs });
    workers.push({
      ...ofJobs,
      name: JOBS,
      bindings: { ...own, ...vars },
      modules: jobModules,
      modulesRoot: '.',
      d1Databases: { ...ofJobs.d1Databases, ...further },
    });
  }
  if (bare) workers.push(socketTo('edgechart', port));
  const converted = convertV4MiniflareOptions({
    host: '127.0.0.1',
    port: bare ? 0 : port,
    cf: false,
    resourcePersistencePath: `${state}/v3`,
    workers,
  });
  // The log of the Worker is printed; with `quiet`, only errors.
  const handleStructuredLogs = ({ level, message }) => {
    logged(message);
    if (!quiet || level === 'error') console.log(message);
  };
  const miniflare = new Miniflare({
    ...converted,
    handleStructuredLogs,
    resourcePersistencePath: `${state}/v3`,
    ...(bare && { unsafeRuntimeEnv: toFile(log) }),
  });
  const url = await miniflare.ready;
  const { origin } = bare ? await miniflare.unsafeGetDirectURL('socket') : url;
  const databases = Object.fromEntries(
    Object.entries(worker.d1Databases).map(([binding, database]) => [binding, database.id ?? database]),
  );
  return { url: origin, log, miniflare, databases, close: () => miniflare.dispose() };
}
