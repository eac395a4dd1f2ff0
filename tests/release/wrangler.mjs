#!/usr/bin/env node
// Stands for wrangler with an account, in tests: the account is a file, and what concerns a remote database or
// namespace is done by wrangler itself to a local one. Every call is recorded.
//   ACCOUNT: a folder, in which are account.json, calls.ndjson and the local state. FAIL: a word of calls that fail.

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
  : { databases: [], namespaces: [], buckets: [], queues: [], workers: {} };

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
    else create(account.buckets, { name: words[3] });
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
