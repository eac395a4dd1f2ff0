// The settings of each Worker of each deployment, made of wrangler.toml, which a local server reads, and
// deployments.toml, which has what a deployment has of its own.

import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { Fault } from './commands.mjs';

/// The settings in a file of TOML or JSON, as they are written there.
export const read = (file) => (file.endsWith('.json') ? JSON.parse : parse)(readFileSync(file, 'utf8'));

/// Settings with further ones. An entry of a list stands for the one of the same name, or beside the others.
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

/// The settings of the Worker that answers requests, of a deployment: the bindings of the local server under names of
/// the deployment, and none of the local variables. A bucket is named together with its jurisdiction.
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
    // Deployments of one account count apart.
    ratelimits: each(local.ratelimits, ({ namespace_id: id }) => ({ namespace_id: `${number}${id}` })),
  };
  return merged({ ...local, ...named }, own);
}

/// A queue is consumed one message at a time, so that no two jobs write at the same time. What has failed too often
/// goes to a queue whose name ends with -failed, and ends its job with a fault.
const consumersOf = ({ queue }) => [
  { queue, max_batch_size: 1, max_concurrency: 1, max_retries: 5, dead_letter_queue: `${queue}-failed` },
  { queue: `${queue}-failed`, max_batch_size: 1, max_retries: 100 },
];

/// The settings of the Worker that does the jobs of another one: the same code over the same records, in another
/// script, so that a file that takes its memory or its time takes no request with it. It has no address, no limits and
/// no secret.
export function jobsOf({ name, vars, queues: { producers = [] } = {}, ...all }) {
  const same = ['account_id', 'compatibility_date', 'minify', 'observability', 'tail_consumers'];
  const bindings = ['d1_databases', 'kv_namespaces', 'r2_buckets', 'analytics_engine_datasets'];
  return {
    name: name.replace(/^[^-]+/, '$&-jobs'),
    main: 'worker.js',
    workers_dev: false,
    preview_urls: false,
    vars,
    queues: { producers, consumers: producers.flatMap(consumersOf) },
    // When what has ended is forgotten: sessions, spent codes and assertions, counters of guesses. Jobs without
    // progress go on, and records that lack a search parameter are indexed again then.
    triggers: { crons: ['*/10 * * * *'] },
    ...Object.fromEntries([...same, ...bindings].filter((one) => one in all).map((one) => [one, all[one]])),
  };
}
