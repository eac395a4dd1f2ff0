// `make deploy`: creates the resources that a deployment's settings name and the account lacks, and deploys. Each step
// checks the account first, so that it may be repeated. docs/operations.md describes it.
//   node tools/deploy.mjs deploy staging     DRY_RUN=1: prints all commands, and runs only those that change nothing
//   node tools/deploy.mjs config staging     writes the settings of each Worker, with the ids of the account

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFiles, makeInbox } from './deploy/bucket-rules.mjs';
import { change, DRY_RUN, Fault, isAbsent, look, say, show, WRANGLER } from './deploy/commands.mjs';
import { checkRedirect } from './deploy/redirect.mjs';
import { deploymentOf, jobsOf, read, readingOf } from './deploy/settings.mjs';

const { LOCATION, EDGECHART = 'build/edgechart' } = process.env;
const TOML = 'deployments.toml';
const DESCRIPTION = 'www/dist/openapi.json';
/// The secrets that a server needs. A server that accepts only tokens of other issuers needs only the last one.
const SECRETS = ['SIGN_ES256_CURRENT', 'SIGN_RS256_CURRENT', 'PEPPER'];

const deployments = read(TOML);
const [task, environment] = process.argv.slice(2);
const { jurisdiction } = deployments[environment] ?? {};
const where = jurisdiction ? ['--jurisdiction', jurisdiction] : [];
const near = LOCATION && !jurisdiction ? ['--location', LOCATION] : [];

/// Says once, before the first resource with a location is created, that its location cannot be changed later.
let isPlaced = false;
function sayPlace() {
  const place = [...where, ...near].at(-1) ?? 'chosen by the platform (LOCATION or a jurisdiction sets another)';
  if (!isPlaced) say(`the location of new databases and buckets is ${place}; it cannot be changed later`);
  isPlaced = true;
}

/// The kinds of resources to which the account assigns an id. `named` returns the entries of the settings that have a
/// name in place of an id, and `ids` reads the names and ids from the account's list.
const WITH_IDS = [
  {
    what: 'database',
    hasPlace: true,
    named: ({ d1_databases: all }) => all.filter((one) => one.database_id === one.database_name),
    name: (one) => one.database_name,
    list: ['d1', 'list', '--json'],
    ids: (all) => all.map(({ name, uuid }) => [name, uuid]),
    make: (name) => ['d1', 'create', name, ...where, ...near],
  },
  {
    what: 'namespace',
    // The id of a namespace has 32 hexadecimal digits.
    named: ({ kv_namespaces: all }) => all.filter(({ id }) => !/^[0-9a-f]{32}$/.test(id)),
    name: (one) => one.id,
    list: ['kv', 'namespace', 'list'],
    ids: (all) => all.map(({ title, id }) => [title, id]),
    make: (name) => ['kv', 'namespace', 'create', name, ...where],
  },
];

/// The kinds of resources that are bound by name.
const WITH_NAMES = [
  {
    what: 'bucket',
    hasPlace: true,
    names: ({ r2_buckets: all }) => all.map(({ bucket_name: name }) => name),
    info: (name) => ['r2', 'bucket', 'info', name, ...where],
    make: (name) => ['r2', 'bucket', 'create', name, ...where, ...near],
  },
  {
    what: 'queue',
    names: ({ queues: { producers = [], consumers = [] } }) =>
      [...producers, ...consumers].flatMap((one) => [one.queue, one.dead_letter_queue].filter(Boolean)),
    info: (name) => ['queues', 'info', name],
    make: (name) => ['queues', 'create', name],
  },
];

const unique = (names) => [...new Set(names)];

/// Creates missing databases or namespaces if `making` is true. Returns pairs of names and ids for the settings.
function idsOf({ what, hasPlace, named, name, list, ids, make }, settings, making) {
  const names = unique(named(settings).map(name));
  if (names.length === 0) return [];
  const known = () => new Map(ids(JSON.parse(look(list) ?? '[]')));
  let found = known();
  const missing = names.filter((one) => !found.has(one));
  if (missing.length === 0) {
    say(`${what}s: ${names.join(', ')}: there`);
  } else if (!making) {
    throw new Fault(`the account has no ${what} ${missing.join(', ')}: make deploy makes it`);
  } else {
    if (hasPlace) sayPlace();
    for (const one of missing) {
      say(`making the ${what} ${one}`);
      change([WRANGLER, ...make(one)]);
    }
    found = known();
  }
  const unknown = names.filter((one) => !found.has(one));
  if (unknown.length > 0 && !DRY_RUN) throw new Fault(`${unknown.join(', ')}: the account does not list what was made`);
  return names.filter((one) => found.has(one)).map((one) => [one, found.get(one)]);
}

/// Creates missing buckets or queues.
function makeNamed({ what, hasPlace, names, info, make }, settings) {
  for (const name of unique(names(settings))) {
    if (look(info(name), isAbsent) !== undefined) {
      say(`${what} ${name}: there`);
      continue;
    }
    if (hasPlace) sayPlace();
    say(`making the ${what} ${name}`);
    change([WRANGLER, ...make(name)]);
  }
}

/// Returns the paths of the settings of the Workers. Relative paths in the settings start from their folders.
const filesOf = (environment) => [
  `wrangler.${environment}.json`,
  `jobs/wrangler.${environment}.json`,
  `wrangler.${environment}-reading.json`,
];

/// Writes the settings of the Workers, with the ids of databases and namespaces in place of names.
function write(files, settings, [databases, namespaces] = [new Map(), new Map()]) {
  const withId = (member, ids) => (one) => ({ ...one, [member]: ids.get(one[member]) ?? one[member] });
  const all = {
    ...settings,
    d1_databases: settings.d1_databases.map(withId('database_id', databases)),
    kv_namespaces: settings.kv_namespaces.map(withId('id', namespaces)),
  };
  const each = [all, jobsOf(all), readingOf(all)];
  for (const [at, one] of each.entries()) writeFileSync(files[at], JSON.stringify(one, null, 2));
}

/// Finds or creates all resources that have an id, and writes the settings with the ids.
function writeConfig(environment, settings, making) {
  const ids = WITH_IDS.map((kind) => new Map(idsOf(kind, settings, making)));
  const files = filesOf(environment);
  say(`writing ${files.join(', ')}`);
  if (!DRY_RUN) write(files, settings, ids);
}

/// Returns the names of the secrets that a Worker lacks and of those that it has.
function secretsOf(settings) {
  const needed = isEdgeOnly(settings) ? SECRETS.slice(-1) : SECRETS;
  const said = look(['secret', 'list', '--name', settings.name], (text) => /Worker .* not found/s.test(text));
  const present = JSON.parse(said ?? '[]').map(({ name }) => name);
  return { missing: needed.filter((name) => !present.includes(name)), present };
}

/// Writes the secrets that the Worker lacks to `target` for wrangler. They come from the file of secrets, to which new
/// ones are added if necessary. Returns whether any secrets are missing.
function writeSecrets(environment, settings, target) {
  const { missing, present } = secretsOf(settings);
  if (missing.length === 0) {
    say('secrets: there');
    return false;
  }
  const file = `.secrets.${environment}`;
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lost = SECRETS.filter((name) => present.includes(name) && !kept.includes(`${name}=`));
  if (lost.length > 0) {
    throw new Fault(
      `the Worker has ${lost.join(', ')}, and not ${missing.join(', ')}: put the kept secrets into ${file}`,
    );
  }
  say(`secrets ${missing.join(', ')}: from ${file}, to be kept in a vault`);
  const words = [EDGECHART, 'keys', '--production', '--into', file, '--json'];
  if (DRY_RUN) {
    show(words);
    return true;
  }
  const all = JSON.parse(execFileSync(words[0], words.slice(1), { encoding: 'utf8' }));
  const sent = Object.fromEntries(missing.map((name) => [name, all[name]]));
  writeFileSync(target, JSON.stringify(sent), { mode: 0o600 });
  return true;
}

/// Writes the OpenAPI description of this environment to the file that is served with the app. An INDEX with a tab is a
/// list of parameters. The command line reads it from `file`.
function describe(settings, file) {
  const { INDEX = 'us-core', GUIDES = '' } = settings.vars;
  const isNames = !INDEX.includes('\t');
  const names = `${INDEX} ${GUIDES}`.trim();
  if (!isNames) writeFileSync(file, `${INDEX}\n${GUIDES}\n`);
  say(`describing the API with the search parameters of ${isNames ? names : 'the list in INDEX'}`);
  const words = [EDGECHART, 'openapi', '--index', isNames ? names : file];
  if (isEdgeOnly(settings)) words.push('--edge-only');
  const described = change(words, { stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26 });
  if (described) writeFileSync(DESCRIPTION, described);
}

/// Returns whether other authorization servers issue the tokens.
const isEdgeOnly = ({ vars: { TRUSTED_ISSUERS = '[]' } }) => JSON.parse(TRUSTED_ISSUERS || '[]').length > 0;

/// Refuses addresses that are not https, that end with a slash, or that are still those of the template.
function checkAddresses({ vars: { ORIGIN, ATTACHMENT_BASE_URL } }, environment) {
  const faultOf = (address = '') => {
    if (!address.startsWith('https://') || address.endsWith('/')) return 'is no https address that ends without /';
    if (/\.example(\.\w+)?$/.test(new URL(address).hostname)) return 'is an example: set the real address';
  };
  for (const [name, address] of Object.entries({ ORIGIN, ...(ATTACHMENT_BASE_URL && { ATTACHMENT_BASE_URL }) })) {
    const fault = faultOf(address);
    if (fault === undefined) continue;
    const text = `${name} of ${environment} in ${TOML}, ${address}, ${fault}`;
    if (!DRY_RUN) throw new Fault(text);
    say(text);
  }
}

/// Prints the next steps after a deployment.
function sayNext(environment, settings) {
  const { tail_consumers: tails } = settings;
  const admin = `npx node tools/admin.mjs ${environment}`;
  if (!isEdgeOnly(settings)) say(`its clients and users: ${admin} register apps.json, ${admin} user users.json`);
  say(`its records: make load TARGET=remote ENV=${environment} CLIENT=… KEY=key.json DATA="path …"`);
  if (!tails?.length)
    say('its audit log is kept for days only: deploy the Worker of audit/ (docs/operations.md, "Audit")');
}

function deploy(environment, settings) {
  const jobs = jobsOf(settings);
  const [config, jobsConfig, readingConfig] = filesOf(environment);
  checkAddresses(settings, environment);
  writeConfig(environment, settings, true);
  const [buckets, queues] = WITH_NAMES;
  makeNamed(buckets, settings);
  makeNamed(queues, jobs);
  makeInbox(settings, where);
  makeFiles(settings, where);
  for (const { binding } of settings.d1_databases) {
    say(`applying the migrations to ${binding}`);
    change([WRANGLER, 'd1', 'migrations', 'apply', binding, '--remote', '--config', config]);
  }
  const folder = mkdtempSync(join(tmpdir(), 'edgechart-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.on('exit', remove);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
  const secrets = join(folder, 'secrets.json');
  const sent = writeSecrets(environment, settings, secrets) ? ['--secrets-file', secrets] : [];
  describe(settings, join(folder, 'index'));
  // The Worker for jobs comes first, so that it knows every kind of message that the other one sends.
  say(`deploying ${jobs.name}, which does the jobs`);
  change([WRANGLER, 'deploy', '--config', jobsConfig]);
  say(`deploying ${readingOf(settings).name}, which writes summaries`);
  change([WRANGLER, 'deploy', '--config', readingConfig]);
  say(`deploying ${settings.name} to ${settings.vars.ORIGIN}`);
  change([WRANGLER, 'deploy', '--config', config, ...sent]);
  sayNext(environment, settings);
  checkRedirect(settings.vars.ORIGIN);
  if (DRY_RUN) bundle(settings);
}

/// Builds what would be deployed, from temporary settings.
function bundle(settings) {
  say('building what would be deployed');
  const files = filesOf('dry-run');
  write(files, settings);
  try {
    for (const [at, config] of files.entries()) {
      const words = ['deploy', '--dry-run', '--outdir', `.wrangler/bundle-${at}`, '--config', config];
      execFileSync(WRANGLER, words, { stdio: ['ignore', 'inherit', 'inherit'] });
    }
  } finally {
    for (const file of files) rmSync(file);
  }
}

function main() {
  const names = Object.keys(deployments);
  if (!names.includes(environment)) throw new Fault(`ENV is ${names.join(' or ')}, not ${environment}`);
  const settings = deploymentOf(read('wrangler.toml'), deployments, environment);
  const tasks = {
    deploy: () => deploy(environment, settings),
    config: () => writeConfig(environment, settings, false),
  };
  if (!tasks[task]) throw new Fault(`${task} is none of ${Object.keys(tasks).join(', ')}`);
  tasks[task]();
}

try {
  main();
} catch (error) {
  // The failed command has already printed the reason.
  if (!(error instanceof Fault) && error.status === undefined) throw error;
  console.error(`· ${error.message}`);
  process.exitCode = 1;
}
