// The built Worker and the one that does its jobs on workerd, without wrangler's proxy and reload: their bindings and
// vars as wrangler.toml has them.

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import workerd from 'workerd';
import { optionsOf } from './settings.mjs';

/// The secrets of `.dev.vars`.
function secrets(file) {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes('='));
  const unquoted = (text) => text.replace(/^'(.*)'$/s, '$1');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), unquoted(line.slice(line.indexOf('=') + 1))]),
  );
}

/// The modules of the built Worker, or of another build in that folder. Without `rehearses`, or in a build from before
/// there were rehearsals, its isolates start without one.
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

/// The modules of the Worker that does the jobs.
export const builtJobs = () => [
  { type: 'ESModule', path: 'jobs/worker.js', contents: readFileSync('jobs/worker.js', 'utf8') },
  ...built(),
];

/// The name of the Worker that does the jobs.
export const JOBS = 'edgechart-jobs';

/// The same, where sessions of both databases that may begin at any replica read from a database of their own, REPLICA:
/// workerd's D1 has no replicas. Nothing is copied to it, so that it reaches no bookmark: sessions that begin with one
/// are answered by the primary.
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

/// The same modules behind `front.mjs`, which comes first, since the first module is the Worker's.
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

/// A Worker that is there for its socket alone, which leads to another Worker. A socket of that one's own would lead to
/// the router of its assets.
const socketTo = (serviceName, port) => ({
  name: 'socket',
  modules: [{ type: 'ESModule', path: 'build/socket.js', contents: 'export default {};' }],
  modulesRoot: 'build',
  unsafeDirectSockets: [{ host: '127.0.0.1', port, serviceName }],
});

/// Has miniflare start workerd with its log in that file. Returns what the environment of workerd must have for it.
function toFile(log) {
  mkdirSync(dirname(log), { recursive: true });
  process.env.MINIFLARE_WORKERD_PATH = join(import.meta.dirname, 'logged-workerd.sh');
  process.env.WORKERD = workerd.default;
  return { WORKERD_LOG: resolve(log) };
}

/// Starts the Worker over the local state in that folder, or another one in its place, as the file of settings `config`
/// says. Resolves to {url, log, close, miniflare, databases}, of which `databases` are the ids of databases by binding.
/// `limits`: other rate limits than wrangler.toml has, by name. `replica`: whether D1 has a replica that nothing is
/// copied to. `twoDatabases`: whether DB and AUTH_DB are two databases and not one. `shards`: the number of shards
/// behind the first. `logged` is told each message of the log. `jobs`: whether the Worker that does the jobs runs too,
/// of which `jobModules` are the modules. `bare`: whether nothing of miniflare's is between the socket and the Worker.
/// Then the log is in the file `log` alone, one JSON object a line with its `message`, and `logged` and the terminal
/// get nothing.
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
  const workers = [worker];
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
  // The log of the Worker is printed; of a quiet one, only errors.
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
