#!/usr/bin/env node
// A stand-in for wrangler and an account, for tests. The account is a file. Calls for a remote database or namespace
// use a local one: the first call with some options runs wrangler itself. Every call is recorded.
//   ACCOUNT: a folder with account.json, calls.ndjson and the local state. FAIL: a word of calls that fail.
//   FORGET: whether rules of buckets are accepted and lost.

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { d1File } from '../../tools/server/d1-files.mjs';

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
/// Returns whether wrangler itself was called with these options before. A call takes two seconds, so after wrangler
/// has accepted options once, this script works on the same files instead.
function isKnown(options = words.filter((_, at) => !['--command', '--file'].includes(words[at - 1]))) {
  const known = join(folder, 'known.ndjson');
  const call = `${JSON.stringify(options)}\n`;
  if (existsSync(known) && readFileSync(known, 'utf8').includes(call)) return true;
  appendFileSync(known, call);
  return false;
}
/// Returns the settings of the call.
const settingsOf = () => JSON.parse(readFileSync(option('--config'), 'utf8'));
/// Calls `use` with the local database of the call.
function withDatabase(use) {
  const { database_id: id } = settingsOf().d1_databases.find(({ binding }) => words.includes(binding));
  const database = new DatabaseSync(d1File(join(folder, 'state'), id));
  try {
    return use(database);
  } finally {
    database.close();
  }
}
const lacksMigrations = () =>
  withDatabase((database) => {
    const { count } = database.prepare('SELECT count(*) AS count FROM d1_migrations').get();
    return count < readdirSync('migrations').length;
  });
/// Returns whether a call executes a file, or a single SELECT whose rows are printed as JSON.
const isSimple = () =>
  option('--file') !== undefined || (words.includes('--json') && /^SELECT [^;]*$/.test(option('--command')));
/// Executes a file as one transaction, or a SELECT.
const execute = () =>
  withDatabase((database) => {
    const file = option('--file');
    if (file) database.exec(`BEGIN;\n${readFileSync(file, 'utf8')}\n;COMMIT`);
    else console.log(JSON.stringify([{ results: database.prepare(option('--command')).all(), success: true }]));
  });
/// Returns the statements that recreate a database.
function dumped(database) {
  const schema = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'";
  const all = database.prepare(`${schema} ORDER BY type = 'table' DESC`).all();
  const rowsOf = ({ name }) => {
    const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(name);
    const values = columns.map((column) => `quote("${column.name}")`).join(" || ',' || ");
    const rows = database.prepare(`SELECT ${values} AS text FROM "${name}"`).all();
    return rows.map(({ text }) => `INSERT INTO "${name}" VALUES(${text});\n`).join('');
  };
  const statement = (one) => `${one.sql};\n${one.type === 'table' ? rowsOf(one) : ''}`;
  return `PRAGMA defer_foreign_keys=TRUE;\n${all.map(statement).join('')}`;
}
const create = (all, made) => {
  if (all.some(({ name, title }) => (name ?? title) === words.at(-1))) end('A thing with that name already exists');
  all.push(made);
  save();
  console.log('✅ Successfully created');
};
const info = (all) => {
  const found = all.find(({ name }) => name === words.at(-1));
  if (!found) end(`"${words.at(-1)}" does not exist. [code: 10006]`);
  console.log(`Queue Name: ${found.name}`);
};
/// Makes a Worker the consumer of its queues. A queue has one consumer.
function consume({ name: script, queues: { consumers = [] } = {} }) {
  for (const { queue: name } of consumers) {
    const queue = account.queues.find((one) => one.name === name);
    if (!queue) end(`Queue "${name}" does not exist. [code: 11000]`);
    if (queue.consumer && queue.consumer !== script) end(`Queue "${name}" already has a consumer. [code: 11004]`);
    queue.consumer = script;
  }
}
/// Changes the secrets of a Worker in the account. A null removes a secret.
function setSecrets(name, secrets) {
  const known = account.workers[name] ?? {};
  account.workers[name] = Object.fromEntries(
    Object.entries({ ...known, ...secrets }).filter(([, value]) => value !== null),
  );
  save();
}
const worker = () => option('--name') ?? settingsOf().name;

/// Prints entries in the form of wrangler: blocks of names and values.
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
      prefix: words[6]?.startsWith('--') ? '(all prefixes)' : (words[6] ?? '(all prefixes)'),
      action: `Expire objects after ${option('--expire-days')} days`,
    }),
};

const CALLS = {
  'd1 list': () => console.log(JSON.stringify(account.databases)),
  'd1 create': () => create(account.databases, { uuid: randomUUID(), name: words[2] }),
  'd1 migrations': () => (isKnown() && !lacksMigrations() ? console.log('✅ No migrations to apply!') : local()),
  'd1 execute': () => (isSimple() && isKnown() ? execute() : local()),
  'd1 export': () => writeFileSync(option('--output'), withDatabase(dumped)),
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
  'queues pause-delivery': () => info(account.queues),
  'queues resume-delivery': () => info(account.queues),
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
    const settings = settingsOf();
    const plain = words.filter((word) => word !== '--secrets-file' && word !== secrets && word !== '--dry-run');
    const outdir = option('--outdir') ? [] : ['--outdir', join(folder, 'bundle')];
    // A dry run that names a folder needs the files in it.
    if (option('--outdir') || !isKnown([...plain, settings])) {
      execFileSync(REAL, [...plain, '--dry-run', ...outdir], { stdio: 'inherit' });
    }
    if (words.includes('--dry-run')) return;
    consume(settings);
    setSecrets(settings.name, secrets ? JSON.parse(readFileSync(secrets, 'utf8')) : {});
  },
  tail: () => console.log(readFileSync(join(folder, 'tail.json'), 'utf8')),
};

const call = words[0] === 'deploy' || words[0] === 'tail' ? words[0] : words.slice(0, 2).join(' ');
if (process.env.FAIL && call.includes(process.env.FAIL)) end('the account does not answer');
if (!CALLS[call]) end(`${words.join(' ')}: no test expects this call`);
try {
  CALLS[call]();
} catch (error) {
  // The real wrangler has printed the reason.
  if (error.status === undefined) throw error;
  process.exitCode = error.status;
}
