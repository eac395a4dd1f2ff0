// The built Worker on workerd, without wrangler's proxy and reload: its bindings and vars as wrangler.toml has them.

import { readFileSync } from 'node:fs';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions as optionsOf } from 'wrangler';

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

/// The modules of the built Worker.
export const built = () => [
  { type: 'ESModule', path: 'build/index.js', contents: readFileSync('build/index.js', 'utf8') },
  { type: 'CompiledWasm', path: 'build/index_bg.wasm', contents: readFileSync('build/index_bg.wasm') },
];

/// The same, where sessions that may begin at a replica read from a database of their own, REPLICA: workerd's D1 has no replicas.
const lagging = () => [
  {
    type: 'ESModule',
    path: 'build/lagging.js',
    contents: `
    import worker from './index.js';
    class D1Database {
      constructor(env) { this.env = env; }
      withSession(start) { return (start === 'first-primary' ? this.env.DB : this.env.REPLICA).withSession(start); }
    }
    export default { fetch: (request, env, context) => worker.fetch(request, { ...env, DB: new D1Database(env) }, context) };`,
  },
  ...built(),
];

/// Starts the Worker over the local state in that folder, or another one in its place. Resolves to {url, close, miniflare}.
/// `limits`: other rate limits than wrangler.toml has, by name. `replica`: whether D1 has a replica that nothing is copied to.
/// `logged` is told each message of the log.
export async function start({
  port = 0,
  state = '.wrangler/state',
  vars = {},
  keys = '.dev.vars',
  quiet = true,
  replica = false,
  modules = replica ? lagging() : built(),
  limits = {},
  logged = () => {},
}) {
  const { workerOptions } = optionsOf('wrangler.toml');
  const { bindings, ...options } = workerOptions;
  const converted = convertV4MiniflareOptions({
    ...options,
    name: 'edgechart',
    host: '127.0.0.1',
    port,
    cf: false,
    bindings: { ...bindings, ...secrets(keys), ...vars },
    modules,
    ...(replica && { d1Databases: { ...options.d1Databases, REPLICA: 'replica' } }),
    ratelimits: Object.fromEntries(
      Object.entries(options.ratelimits).map(([name, { simple, ...limit }]) => [
        name,
        { ...limit, simple: { ...simple, limit: limits[name] ?? simple.limit } },
      ]),
    ),
    modulesRoot: 'build',
    resourcePersistencePath: `${state}/v3`,
  });
  // What the Worker logs is shown where someone looks on; of a test's, faults alone.
  const handleStructuredLogs = ({ level, message }) => {
    logged(message);
    if (!quiet || level === 'error') console.log(message);
  };
  const miniflare = new Miniflare({ ...converted, handleStructuredLogs, resourcePersistencePath: `${state}/v3` });
  const url = await miniflare.ready;
  return { url: url.origin, miniflare, close: () => miniflare.dispose() };
}
