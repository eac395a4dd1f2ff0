// Runs a command of build/edgechart on the local server, or on a deployment by means of wrangler. docs/operations.md
// lists the commands:
//   npx node tools/admin.mjs local register apps.json
//   npx node tools/admin.mjs production disable client portal
// STATE, STORE, INDEX and PORT describe the local server, as in the Makefile. Tests set WRANGLER to a substitute.

import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { d1File } from './server/d1-files.mjs';
import { optionsOf } from './server/settings.mjs';

const EDGECHART = 'build/edgechart';
const { WRANGLER = 'wrangler', STATE = '.wrangler/state', STORE = 'd1', INDEX = 'r4', PORT = '8787' } = process.env;
/// The commands that change the database of the authorization server.
const OF_AUTH = ['register', 'user', 'access', 'opt-out', 'disable', 'enable', 'replay', 'sandbox', 'token'];
/// The commands that use the databases of records.
const OF_RECORDS = ['load', 'reindex', 'shard', 'dump', 'documents'];
/// The seconds after which every isolate knows a new map of shards. A part of a job takes at most four times as long.
const LEARNED = Number(process.env.LEARNED ?? 15);

const say = (text) => console.log(`· ${text}`);
const shardsOf = (databases) => Object.keys(databases).filter((name) => /^SHARD_\d+$/.test(name));

/// The failure of a program that has already printed the reason.
class Failed extends Error {}

/// Runs a program. Throws `Failed` with its exit status if `allowed` does not list the status.
function run(program, words, { allowed = [0], ...options } = {}) {
  const { status, stdout, error } = spawnSync(program, words, { stdio: 'inherit', encoding: 'utf8', ...options });
  if (error) throw error;
  if (!allowed.includes(status)) throw Object.assign(new Failed(program), { status });
  return { status, stdout };
}
const edgechart = (words, options) => run(EDGECHART, words, options);
/// Returns the output of the command line.
const printed = (words) => edgechart(words, { stdio: ['inherit', 'pipe', 'inherit'], maxBuffer: 2 ** 28 }).stdout;

/// Runs the statements of a SQL file on a database file in one transaction.
async function runStatements(text, file) {
  const database = new DatabaseSync(file);
  database.exec('BEGIN');
  let [statement, rest] = ['', ''];
  for await (const chunk of fs.createReadStream(text, 'utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      statement += `${line}\n`;
      // A quote within a string literal is doubled, so an odd number of quotes means that a literal is still open.
      if (!line.endsWith(';') || statement.split("'").length % 2 === 0) continue;
      database.exec(statement);
      statement = '';
    }
  }
  database.exec(`${statement}${rest};COMMIT`);
  database.close();
}

/// Inserts the files of the databases into a command: after its name, and for `shard` after the action.
function withFiles([command, ...rest], files) {
  const at = command === 'shard' ? 1 : 0;
  if (command === 'shard' && rest.length === 0) rest.push('status');
  return [command, ...rest.slice(0, at), ...files, ...rest.slice(at)];
}

/// Runs a command on the databases of the local server.
async function local(words) {
  const [command, ...rest] = words;
  const { d1Databases, r2Buckets, bindings } = await optionsOf('wrangler.toml');
  const file = (binding) => d1File(STATE, d1Databases[binding].id);
  const origin = `http://localhost:${PORT}`;
  const { ATTACHMENT_BASE_URL = bindings.ATTACHMENT_BASE_URL } = process.env;
  const env = { ...process.env, ATTACHMENT_BASE_URL, FHIR_BASE: `${origin}/fhir/r4`, ORIGIN: origin };
  if (OF_AUTH.includes(command)) return edgechart(withFiles(words, ['--db', file('AUTH_DB')]), { env });
  if (command === 'keys') return edgechart(['keys', '--into', '.dev.vars', ...rest]);
  if (command === 'audit') {
    const logs = ['workerd.log.1', 'workerd.log'].map((name) => join(STATE, name)).filter(fs.existsSync);
    const input = Buffer.concat(logs.map((log) => fs.readFileSync(log)));
    return edgechart(['audit', '-', ...rest], { input, stdio: ['pipe', 'inherit', 'inherit'], env });
  }
  if (!OF_RECORDS.includes(command)) throw new Error(`${command} needs no server: ${EDGECHART} ${command}`);
  const files = ['--db', file('DB'), '--auth-db', file('AUTH_DB')];
  files.push(...shardsOf(d1Databases).flatMap((binding) => ['--shard', file(binding)]));
  if (command === 'load') files.push('--files', join(STATE, 'v3/r2', r2Buckets.FILES.id));
  if (['load', 'reindex'].includes(command)) {
    files.push(
      ...(INDEX && !words.includes('--index') ? ['--index', INDEX] : []),
      ...(STORE === 'kv' ? ['--kv', join(STATE, 'v3/kv')] : []),
    );
  }
  return edgechart(withFiles(words, files), { env });
}

/// Returns the path of a deployment's settings with the ids of the account. Writes the file anew if it is older than
/// its sources.
function configOf(environment) {
  const config = `wrangler.${environment}.json`;
  const isFresh = ({ mtimeMs }) =>
    ['wrangler.toml', 'deployments.toml'].every((one) => fs.statSync(one).mtimeMs <= mtimeMs);
  if (!fs.existsSync(config) || !isFresh(fs.statSync(config))) run('node', ['tools/deploy.mjs', 'config', environment]);
  return config;
}

/// A deployment, which is a table of deployments.toml.
class Deployment {
  constructor(environment, config, folder, options) {
    Object.assign(this, options, { environment, at: ['--config', config], folder });
  }

  /// Runs wrangler with the settings of the deployment.
  wrangler(words, options) {
    return run(WRANGLER, [...words, ...this.at], options);
  }

  /// Sends statements to a database as a file, which D1 applies completely or not at all. D1 recognizes a file by its
  /// digest, so a unique first line makes each file new.
  send(binding, statements) {
    say(`sending to ${binding} of ${this.environment}`);
    const file = join(this.folder, 'statements.sql');
    fs.writeFileSync(file, `-- ${new Date().toISOString()} ${this.folder}\n${statements}`);
    this.wrangler(['d1', 'execute', binding, '--remote', '--yes', '--file', file]);
  }

  /// Registers clients and users, changes access lists or who has opted out, or repeats jobs.
  administer(words) {
    const keys = words[0] === 'user' ? ['--keys', `.secrets.${this.environment}`] : [];
    this.send('AUTH_DB', printed(withFiles(words, ['--sql', ...keys])));
  }

  /// Shows or changes an access list.
  access(words) {
    if (!words.includes('--user')) return this.administer(words);
    return this.wrangler(['d1', 'execute', 'AUTH_DB', '--remote', '--yes', '--command', printed([...words, '--sql'])]);
  }

  /// Runs `disable` (the emergency stop) or `enable`. Sends D1 a query, which is faster than a file.
  stop(words) {
    const sql = printed(withFiles(words, ['--sql']));
    say(`sending to ${this.environment}:\n${sql}`);
    const call = ['d1', 'execute', 'AUTH_DB', '--remote', '--yes', '--json', '--command', sql];
    const { stdout } = this.wrangler(call, { stdio: ['inherit', 'pipe', 'inherit'] });
    console.log(stdout);
    if (/"outcome": *"unknown"/.test(stdout)) throw new Error('no client or user has this name');
  }

  /// Performs a step of the key rotation, or sends the secrets of the file unchanged.
  keys([, ...rest]) {
    const [kept, file] = [`.secrets.${this.environment}`, join(this.folder, 'secrets.json')];
    if (!fs.existsSync(kept)) throw new Error(`${kept} is not here: put it back from the vault`);
    fs.writeFileSync(file, printed(['keys', '--into', kept, '--production', '--json', ...rest]));
    say(`sending the keys to ${this.environment}`);
    this.wrangler(['secret', 'bulk', file]);
  }

  audit([, ...rest]) {
    const tail = ['tail', ...this.at, '--format', 'json'];
    const { stdout } = spawn(WRANGLER, tail, { stdio: ['ignore', 'pipe', 'inherit'] });
    const words = ['audit', '-', '--origin', this.bindings.ORIGIN, ...rest];
    stdout.pipe(spawn(EDGECHART, words, { stdio: ['pipe', 'inherit', 'inherit'] }).stdin);
  }

  /// Deletes the charts of a patient in every database.
  discard(words) {
    const statements = printed(words);
    for (const binding of Object.keys(this.d1Databases)) this.send(binding, statements);
  }

  /// Loads or reindexes the records of a deployment on KV: into a local database, from which the shelves are sent.
  shelve([command, ...rest]) {
    const folder = join('.wrangler/kv', this.environment);
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const [values, blocks] = [join(folder, 'values'), join(folder, 'files')];
    const files = ['--db', join(folder, 'records.sqlite'), '--kv', values];
    if (command === 'load') files.push('--files', blocks);
    const { ORIGIN, ATTACHMENT_BASE_URL } = this.bindings;
    const env = { ATTACHMENT_BASE_URL, FHIR_BASE: `${ORIGIN}/fhir/r4`, ...process.env };
    const { status } = edgechart([command, ...files, ...rest], { env, allowed: [0, 3] });
    // Files are sent before the records that refer to them.
    const list = join(blocks, 'put.json');
    if (fs.existsSync(list)) {
      const { r2_buckets: buckets } = JSON.parse(fs.readFileSync(this.at[1], 'utf8'));
      const { jurisdiction } = buckets.find(({ binding }) => binding === 'FILES');
      const place = jurisdiction ? ['--jurisdiction', jurisdiction] : [];
      this.wrangler(['r2', 'bulk', 'put', this.r2Buckets.FILES.id, '--remote', '--filename', list, ...place]);
      for (const { file } of JSON.parse(fs.readFileSync(list, 'utf8')))
        fs.renameSync(file, join(blocks, 'sent', basename(file)));
      fs.rmSync(list);
    }
    for (const name of fs
      .readdirSync(values)
      .filter((one) => one.endsWith('.json'))
      .sort()) {
      const file = join(values, name);
      const what = name.endsWith('-put.json') ? ['put'] : ['delete', '--force'];
      this.wrangler(['kv', 'bulk', ...what, '--binding', 'CHARTS', '--remote', file]);
      fs.rmSync(file);
    }
    if (status !== 0) throw Object.assign(new Failed('faults'), { status });
  }

  /// Shows the content of each database, or moves charts and rows. Works on copies of the databases; moves pause jobs.
  async shard(words) {
    const copies = [];
    const isMove = ['add', 'move'].includes(words[1]);
    const queue = (what) =>
      spawnSync(WRANGLER, ['queues', what, this.queueProducers.JOBS.queueName], { stdio: 'inherit' });
    if (isMove) {
      say('jobs wait until the charts are moved');
      if (queue('pause-delivery').status !== 0) throw new Failed('pause-delivery');
      process.on('exit', () => queue('resume-delivery'));
      await sleep(LEARNED * 4_000);
    }
    for (const binding of ['DB', ...shardsOf(this.d1Databases)]) {
      say(`copying ${binding} of ${this.environment}`);
      const [text, file] = ['sql', 'sqlite'].map((end) => join(this.folder, `${binding}.${end}`));
      this.wrangler(['d1', 'export', binding, '--remote', '--output', text]);
      await runStatements(text, file);
      copies.push(binding === 'DB' ? '--db' : '--shard', file);
    }
    const sql = join(this.folder, 'sql');
    edgechart(withFiles(words, [...copies, ...(isMove ? ['--sql', sql, '--wait', '0'] : [])]));
    if (!isMove) return;
    this.sendFiles(join(sql, '1-move'));
    say(`waiting ${LEARNED} s for isolates that use the map of before`);
    await sleep(LEARNED * 1_000);
    this.sendFiles(join(sql, '2-delete'));
  }

  /// Sends the SQL files of a step in this order: further shards, first database, authorization server.
  sendFiles(folder) {
    const inside = (name) => {
      const names = fs.existsSync(join(folder, name)) ? fs.readdirSync(join(folder, name)) : [];
      return names
        .filter((one) => one.endsWith('.sql'))
        .sort()
        .map((one) => join(folder, name, one));
    };
    for (const binding of [...shardsOf(this.d1Databases), 'DB', 'AUTH_DB']) {
      for (const file of inside(binding === 'DB' ? '.' : binding)) this.send(binding, fs.readFileSync(file, 'utf8'));
    }
  }

  run(words) {
    const [command] = words;
    if (['register', 'user', 'opt-out', 'replay'].includes(command)) return this.administer(words);
    if (['disable', 'enable'].includes(command)) return this.stop(words);
    if (['access', 'keys', 'audit', 'discard', 'shard'].includes(command)) return this[command](words);
    const isKv = this.bindings.STORE === 'kv';
    if (isKv && ['load', 'reindex'].includes(command)) return this.shelve(words);
    if (command === 'load') return edgechart([...words, '--to', this.bindings.ORIGIN]);
    throw new Error(`${command} is not for a deployment: docs/operations.md`);
  }
}

async function main([where, ...words]) {
  process.env.PATH = `${resolve('node_modules/.bin')}:${process.env.PATH}`;
  if (words.length === 0 || !['local', 'staging', 'production'].includes(where)) {
    throw new Error('npx node tools/admin.mjs local|staging|production COMMAND …');
  }
  if (where === 'local') return local(words);
  process.umask(0o077);
  const folder = fs.mkdtempSync(join(tmpdir(), 'edgechart-'));
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
  const config = configOf(where);
  return new Deployment(where, config, folder, await optionsOf(config)).run(words);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Failed)) console.error(`· ${error.message}`);
  process.exitCode = error.status || 1;
}
