// Computes the settings of the Workers of a deployment from wrangler.toml, which local servers use, and
// deployments.toml, which has the differences of each deployment.

import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { Fault } from './commands.mjs';

export const read = (file) => (file.endsWith('.json') ? JSON.parse : parse)(readFileSync(file, 'utf8'));

/// Merges settings. An entry of a list is merged with the entry of the same name, or added.
function merged(all, own) {
  if (Array.isArray(own) && typeof own[0] === 'object') {
    const nameOf = ({ binding, name, service, pattern }) => binding ?? name ?? service ?? pattern;
    const list = new Map((all ?? []).map((one) => [nameOf(one), one]));
    for (const one of own) list.set(nameOf(one), merged(list.get(nameOf(one)), one));
    return [...list.values()];
  }
  if (typeof own !== 'object' || Array.isArray(own)) return own;
  return {
    ...all,
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, merged(all?.[name], value)])),
  };
}

/// Returns the name of a Worker beside that for requests, such as edgechart-jobs-staging beside edgechart-staging.
const beside = (name, part) => name.replace(/^[^-]+/, `$&-${part}`);

/// Returns the settings of a deployment's Worker for requests: the bindings of the local server under names of the
/// deployment, and none of the local variables. Each bucket gets the jurisdiction of the deployment.
export function deploymentOf(local, deployments, environment) {
  const name = (text) => {
    if (!text.startsWith(local.name)) throw new Fault(`${text} of wrangler.toml does not begin with ${local.name}`);
    return text.replace(local.name, `${local.name}-${environment}`);
  };
  const each = (all = [], change) => all.map((one) => ({ ...one, ...change(one) }));
  const { jurisdiction, ...own } = deployments[environment];
  const number = Object.keys(deployments).indexOf(environment) + 1;
  const named = {
    name: name(local.name),
    vars: {},
    services: each(local.services, ({ service }) => ({
      service: beside(name(local.name), service.slice(local.name.length + 1)),
    })),
    d1_databases: each(local.d1_databases, ({ database_name: text }) => ({
      database_name: name(text),
      database_id: name(text),
      preview_database_id: undefined,
    })),
    kv_namespaces: each(local.kv_namespaces, ({ id, binding }) => ({ id: `${name(id)}-${binding.toLowerCase()}` })),
    r2_buckets: each(local.r2_buckets, ({ bucket_name: text }) => ({ bucket_name: name(text), jurisdiction })),
    queues: { producers: each(local.queues?.producers, ({ queue }) => ({ queue: name(queue) })) },
    analytics_engine_datasets: each(local.analytics_engine_datasets, ({ dataset }) => ({
      dataset: name(dataset).replaceAll('-', '_'),
    })),
    // Deployments in one account have separate rate limits.
    ratelimits: each(local.ratelimits, ({ namespace_id: id }) => ({ namespace_id: `${number}${id}` })),
  };
  return merged({ ...local, ...named }, own);
}

/// Returns the consumers of a queue. Messages are consumed one at a time, so that no two jobs write at the same time. A
/// message that fails too often goes to a queue whose name ends with -failed, where its job ends with a fault.
const consumersOf = ({ queue }) => [
  { queue, max_batch_size: 1, max_concurrency: 1, max_retries: 5, dead_letter_queue: `${queue}-failed` },
  { queue: `${queue}-failed`, max_batch_size: 1, max_retries: 100 },
];

/// Returns the settings of the Worker for jobs: the same code and records in a separate script, so that a file that
/// exceeds the memory or time limit does not affect requests. It has no address, no rate limits and no secrets.
export function jobsOf({ name, vars, queues: { producers = [] } = {}, ...all }) {
  const same = ['account_id', 'compatibility_date', 'minify', 'observability', 'tail_consumers'];
  const bindings = ['d1_databases', 'kv_namespaces', 'r2_buckets', 'analytics_engine_datasets'];
  return {
    name: beside(name, 'jobs'),
    main: 'worker.js',
    workers_dev: false,
    preview_urls: false,
    vars,
    queues: { producers, consumers: producers.flatMap(consumersOf) },
    // The cron trigger deletes expired sessions, used codes and assertions, and counters of guesses. It also resumes
    // stalled jobs and reindexes records that lack a search parameter.
    triggers: { crons: ['*/10 * * * *'] },
    ...Object.fromEntries([...same, ...bindings].filter((one) => one in all).map((one) => [one, all[one]])),
  };
}

/// Returns the settings of the Worker that writes summaries. It has no address, no binding and no secret.
export const readingOf = ({ name, account_id }) => ({
  ...read('reading/wrangler.toml'),
  name: beside(name, 'reading'),
  main: 'build/reading.js',
  account_id,
});
