// The settings made from wrangler.toml and deployments.toml, for each deployment and for its Worker for jobs.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deploymentOf, jobsOf, read } from '../../tools/deploy/settings.mjs';

const [local, deployments] = ['wrangler.toml', 'deployments.toml'].map(read);
const all = Object.keys(deployments).map((name) => deploymentOf(local, deployments, name));

test('each deployment has the bindings and limits of local servers under its own names, and its own variables', () => {
  const shape = (settings) => ({
    databases: settings.d1_databases.map(({ binding, migrations_dir: folder }) => [binding, folder]),
    others: [...settings.kv_namespaces, ...settings.r2_buckets, ...settings.queues.producers].map((one) => one.binding),
    datasets: settings.analytics_engine_datasets.map(({ binding }) => binding),
    limits: settings.ratelimits.map(({ name, simple }) => [name, simple]),
    rest: [settings.assets, settings.triggers, settings.observability, settings.compatibility_flags],
  });
  for (const settings of all) {
    assert.deepEqual(shape(settings), shape(local));
    assert.equal(settings.vars.ENVIRONMENT, 'production');
    assert.equal(settings.vars.LINKS, undefined, 'a local variable is not taken over');
  }
  const names = ({ name, ...settings }) => [
    name,
    ...settings.d1_databases.flatMap((one) => [one.database_name, one.database_id, one.preview_database_id]),
    ...settings.kv_namespaces.map(({ id }) => id),
    ...settings.r2_buckets.map((one) => one.bucket_name),
    ...settings.queues.producers.map(({ queue }) => queue),
    ...settings.analytics_engine_datasets.map(({ dataset }) => dataset),
    ...settings.ratelimits.map((one) => one.namespace_id),
  ];
  const [staging, production] = all.map(names);
  const database = (name) => [name, name, undefined];
  assert.deepEqual(staging, [
    'edgechart-staging',
    ...database('edgechart-staging'),
    ...database('edgechart-staging-auth'),
    'edgechart-staging-charts',
    'edgechart-staging-files',
    'edgechart-staging-inbox',
    'edgechart-staging-inbox',
    'edgechart_staging',
    ...['11', '12', '13', '14'],
  ]);
  assert.deepEqual(
    production.filter((name) => name && staging.includes(name)),
    [],
  );
});

test('each bucket of a deployment is named with its jurisdiction', () => {
  const local = read('wrangler.toml');
  const made = deploymentOf(local, { here: { jurisdiction: 'eu', vars: {} } }, 'here');
  assert.deepEqual(new Set(made.r2_buckets.map((one) => one.jurisdiction)), new Set(['eu']));
  assert.equal(made.jurisdiction, undefined);
});

test('what a deployment has of its own stands for what is there, or beside it', () => {
  const own = {
    vars: { INDEX: 'r4' },
    routes: [{ pattern: 'chart.hospital.test', custom_domain: true }],
    d1_databases: [
      { binding: 'DB', database_id: 'an-id' },
      { binding: 'SHARD_1', database_name: 'edgechart-here-1', database_id: 'edgechart-here-1' },
    ],
    queues: { producers: [{ binding: 'JOBS', queue: 'ours' }] },
    ratelimits: [{ name: 'CLIENT', simple: { limit: 5, period: 60 } }],
    triggers: { crons: ['* * * * *'] },
    tail_consumers: [{ service: 'edgechart-audit' }],
  };
  const made = deploymentOf(local, { here: own }, 'here');
  assert.deepEqual([made.vars, made.routes, made.triggers], [own.vars, own.routes, own.triggers]);
  const ids = made.d1_databases.map((one) => [one.binding, one.database_name, one.database_id]);
  assert.deepEqual(ids, [
    ['DB', 'edgechart-here', 'an-id'],
    ['AUTH_DB', 'edgechart-here-auth', 'edgechart-here-auth'],
    ['SHARD_1', 'edgechart-here-1', 'edgechart-here-1'],
  ]);
  assert.deepEqual(made.queues, own.queues);
  const limits = made.ratelimits.map(({ name, namespace_id: id, simple }) => [name, id, simple.limit]);
  assert.deepEqual(limits, [
    ['NETWORK', '11', 10_000],
    ['AUTHORIZE', '12', 300],
    ['CLIENT', '13', 5],
    ['AGENT', '14', 60],
  ]);
  assert.deepEqual(jobsOf(made).tail_consumers, own.tail_consumers);
  const shared = { ...local, r2_buckets: [{ binding: 'FILES', bucket_name: 'of-everybody' }] };
  assert.throws(() => deploymentOf(shared, { here: own }, 'here'), /of-everybody .* does not begin with edgechart/);
});

test('the Worker that does the jobs has the records, variables and queues of the other one', () => {
  for (const settings of [local, ...all]) {
    const jobs = jobsOf(settings);
    assert.equal(jobs.name, settings.name.replace('edgechart', 'edgechart-jobs'));
    const same = ['vars', 'd1_databases', 'kv_namespaces', 'r2_buckets', 'analytics_engine_datasets', 'observability'];
    for (const member of [...same, 'compatibility_date']) assert.deepEqual(jobs[member], settings[member], member);
    assert.deepEqual(jobs.queues.producers, settings.queues.producers);
    const [{ queue }] = settings.queues.producers;
    const consumed = jobs.queues.consumers.map((one) => [one.queue, one.max_concurrency, one.dead_letter_queue]);
    assert.deepEqual(consumed, [
      [queue, 1, `${queue}-failed`],
      [`${queue}-failed`, undefined, undefined],
    ]);
    assert.deepEqual([settings.triggers.crons, jobs.triggers.crons.length], [[], 1]);
  }
});

test('the Worker that does the jobs has no address, no handler for requests, no limits and no secret', () => {
  const jobs = jobsOf({ ...all[0], workers_dev: true, routes: ['jobs.hospital.test/*'] });
  const { workers_dev: dev, preview_urls: previews, route, routes, assets, ratelimits } = jobs;
  assert.deepEqual([dev, previews, route, routes, assets, ratelimits], [false, false, ...Array(4).fill(undefined)]);
  assert.match(readFileSync('jobs/worker.js', 'utf8'), /^export default \{ queue, scheduled \};$/m);
  assert.doesNotMatch(JSON.stringify(jobs), /SIGN_|PEPPER/);
});
