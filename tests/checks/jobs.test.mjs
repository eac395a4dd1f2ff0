// The settings of the Worker that does the jobs, beside those of the Worker that answers requests.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { test } from 'node:test';
import { unstable_readConfig as readConfig } from 'wrangler';
import { disagreements } from '../../tools/deploy/agreement.mjs';
import { localSettings } from '../../tools/server/jobs-settings.mjs';

const of = (environment) =>
  ['wrangler.toml', 'jobs/wrangler.toml'].map((config) => readConfig({ config, env: environment }));

test('both files agree where they must, in each environment', () => {
  for (const environment of [undefined, 'staging', 'production'])
    assert.deepEqual(disagreements(...of(environment)), [], environment);
  const names = ['staging', 'production'].map((environment) => of(environment).map(({ name }) => name));
  assert.deepEqual(names, [
    ['edgechart-staging', 'edgechart-jobs-staging'],
    ['edgechart-production', 'edgechart-jobs-production'],
  ]);
});

test('the Worker that does the jobs has no address, no handler for requests and no secret', () => {
  const [, jobs] = of('production');
  assert.deepEqual(
    [jobs.workers_dev, jobs.preview_urls, jobs.route, jobs.routes],
    [false, false, undefined, undefined],
  );
  assert.equal(jobs.assets, undefined);
  const script = readFileSync('jobs/worker.js', 'utf8');
  assert.match(script, /^export default \{ queue, scheduled \};$/m);
  assert.doesNotMatch(readFileSync('jobs/wrangler.toml', 'utf8'), /SIGN_|PEPPER|secret =/);
});

test('each way in which the files can differ is said', () => {
  const [main, jobs] = of('staging');
  const differing = (change) => {
    const [one, other] = structuredClone([main, jobs]);
    change(one, other);
    return disagreements(one, other).join('; ');
  };
  const cases = [
    ['the variable INDEX is not the same', (one) => (one.vars.INDEX = 'r4')],
    ['the variable PASSKEYS of jobs/wrangler.toml means nothing', (_, other) => (other.vars.PASSKEYS = 'on')],
    ['the binding AUTH_DB (d1_databases)', (_, other) => (other.d1_databases[1].database_id = 'another')],
    ['the binding SHARD_1 (d1_databases)', (one) => one.d1_databases.push({ binding: 'SHARD_1', database_id: 'x' })],
    ['the binding INBOX (r2_buckets)', (_, other) => (other.r2_buckets[0].bucket_name = 'another')],
    ['the binding FURTHER (r2_buckets)', (one) => one.r2_buckets.push({ binding: 'FURTHER', bucket_name: 'x' })],
    ['the binding METRICS', (_, other) => (other.analytics_engine_datasets = [])],
    ['the producer JOBS is not the same', (_, other) => (other.queues.producers[0].queue = 'another')],
    ['jobs/wrangler.toml has no consumer of edgechart-staging-inbox', (_, other) => (other.queues.consumers = [])],
    ['a queue has one consumer', (one, other) => (one.queues.consumers = other.queues.consumers)],
    ['the cron trigger is that of jobs/wrangler.toml alone', (one) => (one.triggers.crons = ['* * * * *'])],
    ['jobs/wrangler.toml has no cron trigger', (_, other) => (other.triggers.crons = [])],
    ['tail_consumers is not the same', (one) => (one.tail_consumers = [{ service: 'edgechart-audit' }])],
    ['compatibility_date is not the same', (_, other) => (other.compatibility_date = '2026-01-01')],
    ['has no address', (_, other) => (other.workers_dev = true)],
    ['has no address', (_, other) => (other.routes = ['jobs.hospital.test/*'])],
  ];
  assert.equal(
    differing(() => {}),
    '',
  );
  for (const [expected, change] of cases)
    assert.ok(differing(change).includes(expected), `${expected}: ${differing(change)}`);
});

test('the local settings are those of the file, with other variables', () => {
  const text = readFileSync('jobs/wrangler.toml', 'utf8');
  const made = localSettings(text, { ORIGIN: 'http://localhost:1', INDEX: 'Observation\tencounter\n' });
  assert.ok(!made.includes('[env.'));
  assert.match(made, /^ORIGIN = "http:\/\/localhost:1"$/m);
  assert.match(made, /^INDEX = "Observation\\tencounter\\n"$/m);
  const [, main] = /^main = "(.*)"$/m.exec(made);
  assert.ok(isAbsolute(main) && main.endsWith('/jobs/worker.js'), main);
  assert.throws(() => localSettings(text, { UNKNOWN: 'x' }), /has no variable UNKNOWN/);
});
