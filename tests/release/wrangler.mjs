#!/usr/bin/env node
// Stands for wrangler with an account, in tests: the account is a file, and what concerns a remote database or
// namespace is done by wrangler itself to a local one. Every call is recorded.
//   ACCOUNT: a folder, in which are account.json, calls.ndjson and the local state. FAIL: a word of calls that fail.
//   FORGET: whether rules of buckets are accepted and lost.

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const REAL = join(import.meta.dirname, '../../node_modules/.bin/wrangler');
const folder = process.env.ACCOUNT;
const file = join(folder, 'account.json');
const words = process.argv.slice(2);
const account = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8'))
  : { databases: [], namespaces: [], buckets: [], queues: [], notifications: [], rules: [], workers: {} };

appendFileSync(join(folder, 'calls.ndjson'), `${JSON.stringify(words)}\n`);

function end(text) {
  console.error(text);
  process.exit(1);
}

const save = () => writeFileSync(file, JSON.stringify(account));
const option = (name) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined);
const local = () =>
  execFileSync(
    REAL,
    [...words.filter((word) => word !== '--remote'), '--local', '--persist-to', join(folder, 'state')],
    { stdio: 'inherit' },
  );
const create = (all, made) => {
  if (all.some(({ name, title }) => (name ?? title) === words.at(-1))) end('A thing with that name already exists');
  all.push(made);
  save();
  console.log('✅ Successfully created');
};
const info = (all) => {
  if (!all.some(({ name }) => name === words.at(-1))) end(`"${words.at(-1)}" does not exist. [code: 10006]`);
};
/// The secrets of a Worker, as in `account.json`. A Worker is there once it was deployed.
function setSecrets(name, secrets) {
  const known = account.workers[name] ?? {};
  account.workers[name] = Object.fromEntries(
    Object.entries({ ...known, ...secrets }).filter(([, value]) => value !== null),
  );
  save();
}
const worker = () => option('--name') ?? `edgechart-${option('--env')}`;

/// Prints entries as wrangler does: blocks of names and values.
const list = (entries) => {
  const block = (entry) => Object.entries(entry).map(([name, value]) => `${`${name}:`.padEnd(13)}${value}`);
  console.log(entries.map(({ bucket, ...entry }) => block(entry).join('\n')).join('\n\n'));
};
const add = (all, entry) => {
  all.push(entry);
  if (!process.env.FORGET) save();
};

const BUCKET_RULES = {
  'notification list': (bucket) => {
    const own = account.notifications.filter((one) => one.bucket === bucket);
    if (own.length === 0) end(`The event notification configuration of "${bucket}" does not exist. [code: 11015]`);
    console.log(`Fetching notification rules for bucket ${bucket}...`);
    list(own);
  },
  'notification create': (bucket) =>
    add(account.notifications, {
      bucket,
      rule_id: randomUUID(),
      created_at: '2026-11-24T07:00:00.000Z',
      queue_name: option('--queue'),
      prefix: '(all prefixes)',
      suffix: '(all suffixes)',
      event_type: 'PutObject,CompleteMultipartUpload,CopyObject',
    }),
  'lifecycle list': (bucket) => {
    const own = account.rules.filter((one) => one.bucket === bucket);
    console.log(`Listing lifecycle rules for bucket '${bucket}'...`);
    if (own.length === 0) console.log(`There are no lifecycle rules for bucket '${bucket}'.`);
    else list(own);
  },
  'lifecycle add': (bucket) =>
    add(account.rules, {
      bucket,
      name: words[5],
      enabled: 'Yes',
      prefix: '(all prefixes)',
      action: `Expire objects after ${option('--expire-days')} days`,
    }),
};

const CALLS = {
  'd1 list': () => console.log(JSON.stringify(account.databases)),
  'd1 create': () => create(account.databases, { uuid: randomUUID(), name: words[2] }),
  'd1 migrations': local,
  'd1 execute': local,
  'kv namespace': () => {
    if (words[2] === 'list') console.log(JSON.stringify(account.namespaces));
    else create(account.namespaces, { id: randomUUID().replaceAll('-', ''), title: words[3] });
  },
  'kv bulk': local,
  'r2 bucket': () => {
    if (words[2] === 'info') info(account.buckets);
    else if (words[2] === 'create') create(account.buckets, { name: words[3] });
    else BUCKET_RULES[`${words[2]} ${words[3]}`](words[4]);
  },
  'queues info': () => info(account.queues),
  'queues create': () => create(account.queues, { name: words[2] }),
  'secret list': () => {
    if (!account.workers[worker()]) end(`Worker "${worker()}" not found.`);
    console.log(JSON.stringify(Object.keys(account.workers[worker()]).map((name) => ({ name, type: 'secret_text' }))));
  },
  'secret bulk': () => {
    if (!account.workers[worker()]) end(`Worker "${worker()}" not found.`);
    setSecrets(worker(), JSON.parse(readFileSync(words[2], 'utf8')));
  },
  deploy: () => {
    const secrets = option('--secrets-file');
    const plain = words.filter((word) => word !== '--secrets-file' && word !== secrets && word !== '--dry-run');
    execFileSync(REAL, [...plain, '--dry-run', ...(option('--outdir') ? [] : ['--outdir', join(folder, 'bundle')])], {
      stdio: 'inherit',
    });
    if (words.includes('--dry-run')) return;
    setSecrets(worker(), secrets ? JSON.parse(readFileSync(secrets, 'utf8')) : {});
  },
  tail: () => console.log(readFileSync(join(folder, 'tail.json'), 'utf8')),
};

const call = words[0] === 'deploy' || words[0] === 'tail' ? words[0] : words.slice(0, 2).join(' ');
if (process.env.FAIL && call.includes(process.env.FAIL)) end('the account does not answer');
if (!CALLS[call]) end(`${words.join(' ')}: no test expects this call`);
try {
  CALLS[call]();
} catch (error) {
  // The real one has said why.
  if (error.status === undefined) throw error;
  process.exitCode = error.status;
}
