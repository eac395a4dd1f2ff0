// A new deployment, and its administration, against a stand-in for wrangler's account: the dry run prints the actual
// calls, a second run makes nothing, and the deployed server answers.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { decodeProtectedHeader } from 'jose';
import { d1File } from '../../tools/server/d1-files.mjs';
import { start } from '../../tools/server/workerd.mjs';
import { temporaryFolder } from '../server/folder.mjs';
import { within } from '../server/until.mjs';
import { plainHttp } from './plain-http.mjs';

const ORIGIN = 'https://chart.hospital.test';
const NAMES = ['SIGN_ES256_CURRENT', 'SIGN_RS256_CURRENT', 'PEPPER'];
const SECRET = 'a-secret-of-the-backend';
const PASSWORD = 'a password of some length';
const [PROFILE, NATIVE_PROFILE] = ['build/profile', 'build/native-profile'].map((file) =>
  fs.readFileSync(file, 'utf8').trim(),
);

const place = temporaryFolder();
const inside = (...names) => join(place, ...names);
for (const name of fs.readdirSync('.')) {
  const isOwn = ['.git', '.wrangler', '.dev.vars', 'wrangler.toml', 'deployments.toml', 'jobs', 'www'].includes(name);
  if (!isOwn && !/^(wrangler|\.secrets)\./.test(name)) fs.symlinkSync(resolve(name), inside(name));
}
for (const name of ['account', 'jobs', 'tmp', 'www']) fs.mkdirSync(inside(name));
fs.cpSync('jobs/worker.js', inside('jobs/worker.js'));
// A deployment writes into the built app, which other tests serve, so use a copy.
for (const name of fs.readdirSync('www').filter((name) => name !== 'dist')) {
  fs.symlinkSync(resolve('www', name), inside('www', name));
}
fs.cpSync('www/dist', inside('www/dist'), { recursive: true, preserveTimestamps: true });
const { atime, mtime } = fs.statSync('wrangler.toml');
// Deploy the existing build. Keep the time of the settings, so that the app is not built again while other tests serve
// it.
fs.writeFileSync(
  inside('wrangler.toml'),
  fs.readFileSync('wrangler.toml', 'utf8').replace(/^\[build\]\n(?:.+\n)*\n/m, ''),
);
fs.utimesSync(inside('wrangler.toml'), atime, mtime);
/// Writes the settings of the deployments, and removes the settings that were generated before.
function configure(deployments) {
  fs.writeFileSync(inside('deployments.toml'), deployments);
  fs.rmSync(inside('wrangler.staging.json'), { force: true });
}
// An operator has set the address. The bucket and the queue stand for future additions.
const table = fs.readFileSync('deployments.toml', 'utf8');
const deployments = `${table.replaceAll(/https:\/\/(chart|documents)(-staging)?\.example\.org/g, ORIGIN)}
[[staging.r2_buckets]]
binding = "FURTHER"
bucket_name = "edgechart-staging-further"

[[staging.queues.producers]]
binding = "WORK"
queue = "edgechart-staging-work"
`;
configure(deployments);

/// Returns the temporary files that were left behind, except for those of node and wrangler themselves.
const left = () => fs.readdirSync(inside('tmp')).filter((name) => !/^(node-compile-cache|update-check)$/.test(name));

const network = await plainHttp(inside('plain'));
after(network.close);
const plain = (text) => fs.writeFileSync(inside('plain'), text);
plain(`301 ${ORIGIN}/`);
fs.writeFileSync(inside('.curlrc'), `proxy = "${network.url}"\n`);

/// Runs a program in the folder. Returns {status, said}.
function run(program, words, env) {
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd: place,
    encoding: 'utf8',
    env: {
      ...process.env,
      PROFILE,
      NATIVE_PROFILE,
      WRANGLER: resolve('tests/release/wrangler.mjs'),
      ACCOUNT: inside('account'),
      TMPDIR: inside('tmp'),
      // Only curl uses the proxy.
      CURL_HOME: place,
      // Simulate a start of make by a service. Its shells must not mistake a socket as input for a remote login.
      SHLVL: undefined,
      ...env,
    },
  });
  return { status, said: `${stdout}${stderr}` };
}
const make = (words, env) => run('make', ['--no-print-directory', ...words], env);
/// Runs an administration command for the deployment.
const administer = (words, env) => run('node', ['tools/admin.mjs', 'staging', ...words], env);

/// Asserts that a program succeeded, and returns its output.
function succeeded({ status, said }) {
  assert.equal(status, 0, said);
  // No file that could contain a secret is left behind.
  assert.deepEqual(left(), []);
  return said;
}
const made = (words, env) => succeeded(make(words, env));
const administered = (...words) => succeeded(administer(words));

/// Returns the calls of wrangler since the last time, without the names of temporary files.
let seen = 0;
function calls() {
  const all = fs.readFileSync(inside('account/calls.ndjson'), 'utf8').trim().split('\n');
  const text = all.slice(seen).map((line) =>
    JSON.parse(line)
      .join(' ')
      .replaceAll(/\S*\/tmp\/\S+/g, 'FILE'),
  );
  seen = all.length;
  return text;
}
const account = () => JSON.parse(fs.readFileSync(inside('account/account.json'), 'utf8'));
const file = (name, content) => {
  fs.writeFileSync(inside(name), JSON.stringify(content));
  return name;
};

/// Starts the deployed Worker, over the local state that stands for the account's state.
async function serve(t) {
  const secrets = Object.entries(account().workers['edgechart-staging']);
  fs.writeFileSync(inside('secrets'), secrets.map(([name, value]) => `${name}='${value}'\n`).join(''));
  const server = await start({
    state: inside('account/state'),
    config: inside('wrangler.staging.json'),
    keys: inside('secrets'),
  });
  t.after(server.close);
  const ask = async (path, init) => server.miniflare.dispatchFetch(`${ORIGIN}${path}`, init);
  const token = async () => {
    const answer = await ask('/oauth/token', {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`nightly:${SECRET}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'system/*.read' }),
    });
    return { status: answer.status, token: (await answer.json()).access_token };
  };
  const search = async (bearer) =>
    ask('/fhir/r4/Observation?patient=amara-okafor&_count=5', { headers: { authorization: `Bearer ${bearer}` } });
  return { ask, token, search, close: server.close };
}

let printed = [];
test('a dry run prints all commands, without an account, and changes nothing', () => {
  const said = made(['deploy', 'ENV=staging', 'DRY_RUN=1'], { FAIL: ' ' });
  printed = [...said.matchAll(/^ {4}(\S.*)$/gm)].map(([, line]) => line);
  assert.match(said, /no account answers here/);
  const looked = calls().filter((call) => !call.startsWith('deploy --dry-run'));
  assert.ok(looked.length > 3 && looked.every((call) => / (list|info)\b/.test(call)), looked.join('\n'));
  const files = fs.readdirSync(place);
  assert.ok(!files.includes('.secrets.staging') && !files.some((name) => /^wrangler\..*json$/.test(name)));
  assert.deepEqual(fs.readdirSync(inside('account')), ['calls.ndjson']);
});

test('a deployment from nothing does what the dry run printed, and a second one makes nothing', () => {
  const said = made(['deploy', 'ENV=staging']);
  const done = calls();
  const wrangler = resolve('tests/release/wrangler.mjs');
  const expected = printed
    .filter((line) => line.startsWith(wrangler))
    .map((line) => line.slice(wrangler.length + 1).replaceAll(/\S*\/tmp\/\S+/g, 'FILE'));
  assert.deepEqual(done, expected);
  assert.ok(printed.some((line) => line.startsWith('build/edgechart keys')));
  for (const step of [
    'making the database edgechart-staging',
    'making the namespace',
    'making the bucket',
    'making the queue',
    'making the notification of edgechart-staging-inbox by edgechart-staging-inbox',
    'making the rule of edgechart-staging-inbox that deletes old files',
    'the location of new databases and buckets is chosen by the platform .* cannot be changed later',
    'applying the migrations to AUTH_DB',
    'deploying edgechart-jobs-staging, which does the jobs',
    'deploying edgechart-reading-staging, which writes summaries',
    'deploying edgechart-staging',
    'its clients and users: npx node tools/admin.mjs staging register apps.json',
    'its records: make load TARGET=remote ENV=staging CLIENT=',
    'its audit log .* deploy the Worker of audit/',
    'http://chart.hospital.test/ is redirected to https',
  ]) {
    assert.match(said, new RegExp(`^· ${step}`, 'm'));
  }
  const { databases, namespaces, notifications, rules, workers } = account();
  assert.deepEqual(
    notifications.map(({ bucket, queue_name: queue }) => [bucket, queue]),
    [['edgechart-staging-inbox', 'edgechart-staging-inbox']],
  );
  assert.deepEqual(
    rules.map(({ bucket, prefix, action }) => [bucket, prefix, action]),
    [
      ['edgechart-staging-inbox', '(all prefixes)', 'Expire objects after 35 days'],
      ['edgechart-staging-files', 'parts/', 'Expire objects after 14 days'],
      ['edgechart-staging-files', 'exports/', 'Expire objects after 14 days'],
    ],
  );
  assert.equal(databases.length, 2);
  assert.deepEqual(Object.keys(workers['edgechart-staging']), NAMES);
  assert.deepEqual(workers['edgechart-jobs-staging'], {}, 'the Worker that does the jobs has no secret');
  assert.ok(account().queues.every(({ consumer }) => consumer === 'edgechart-jobs-staging'));
  const config = JSON.parse(fs.readFileSync(inside('wrangler.staging.json'), 'utf8'));
  assert.deepEqual(
    config.d1_databases.map((one) => one.database_id),
    databases.map(({ uuid }) => uuid),
  );
  assert.deepEqual(config.kv_namespaces[0].id, namespaces[0].id);
  assert.equal(fs.statSync(inside('.secrets.staging')).mode & 0o777, 0o600);
  assert.ok(!said.includes(workers['edgechart-staging'].PEPPER));

  const deployed = done.filter((call) => call.startsWith('deploy ')).map((call) => call.split(' ')[2]);
  const order = ['jobs/wrangler.staging.json', 'wrangler.staging-reading.json', 'wrangler.staging.json'];
  assert.deepEqual(deployed, order, 'what consumes and what is bound comes first');
  assert.deepEqual(config.services, [{ binding: 'READING', service: 'edgechart-reading-staging' }]);
  assert.deepEqual(workers['edgechart-reading-staging'], {}, 'the Worker that writes summaries has no secret');

  const before = account();
  made(['deploy', 'ENV=staging']);
  const again = calls();
  assert.ok(!again.some((call) => /\b(create|add)\b|secrets-file/.test(call)), again.join('\n'));
  assert.deepEqual(account(), before);
});

test('a deployment describes the search parameters that its settings offer', () => {
  const described = () => {
    const { paths } = JSON.parse(fs.readFileSync(inside('www/dist/openapi.json'), 'utf8'));
    return paths['/fhir/r4/Observation'].get.parameters.map(({ name }) => name);
  };
  assert.ok(described().includes('category'));
  assert.ok(!described().includes('encounter'), 'US Core asks for no observations of an encounter');
  configure(deployments.replace('INDEX = "us-core"', 'INDEX = "Observation\\tencounter"'));
  const said = made(['deploy', 'ENV=staging']);
  configure(deployments);
  calls();
  assert.match(said, /^· describing the API with the search parameters of the list in INDEX$/m);
  assert.ok(described().includes('encounter') && !described().includes('performer'));
});

test('a deployment says what is wrong before it changes anything', () => {
  const { status, said } = make(['deploy', 'ENV=elsewhere']);
  assert.ok(status !== 0 && said.includes('ENV is staging or production, not elsewhere'), said);
  configure(deployments.replaceAll(ORIGIN, 'https://chart.example.org'));
  const example = make(['deploy', 'ENV=production']);
  configure(deployments);
  assert.ok(example.status !== 0 && example.said.includes('ORIGIN of production'), example.said);
  const silent = make(['deploy', 'ENV=production'], { FAIL: 'd1 list' });
  assert.ok(silent.status !== 0 && silent.said.includes('the account does not answer'), silent.said);
  assert.ok(calls().every((call) => call === 'd1 list --json'));
  // The Worker has a secret that is not stored here. A different pepper would invalidate all passwords.
  const kept = fs.readFileSync(inside('.secrets.staging'), 'utf8');
  const { workers, ...rest } = account();
  const { PEPPER } = workers['edgechart-staging'];
  fs.writeFileSync(
    inside('account/account.json'),
    JSON.stringify({ ...rest, workers: { 'edgechart-staging': { PEPPER } } }),
  );
  fs.rmSync(inside('.secrets.staging'));
  const lost = make(['deploy', 'ENV=staging']);
  fs.writeFileSync(inside('.secrets.staging'), kept, { mode: 0o600 });
  assert.ok(
    lost.status !== 0 && /has PEPPER, and not SIGN_ES256_CURRENT, SIGN_RS256_CURRENT: put/.test(lost.said),
    lost.said,
  );
  made(['deploy', 'ENV=staging']);
  assert.deepEqual(account().workers, workers, 'the kept ones are sent');
  calls();
});

test('a deployment whose pages are not redirected to https is no success', () => {
  plain('200');
  const { status, said } = make(['deploy', 'ENV=staging']);
  plain(`301 ${ORIGIN}/`);
  assert.ok(status !== 0 && said.includes('is answered with 200 and not redirected to https'), said);
  calls();
});

test('the deployment is administered and loaded from outside, and answers', async (t) => {
  const apps = file('apps.json', [
    { client_id: 'night.app', kind: 'public', scopes: 'openid', redirect_uris: ['https://app.test/'] },
    { client_id: 'nightly', name: 'Nightly; "export"', kind: 'backend', secret: SECRET, scopes: 'system/*.read' },
  ]);
  const users = file('users.json', [{ username: "grace o'brien", password: PASSWORD, patients: ['amara-okafor'] }]);
  const access = file('access.json', [
    { username: "grace o'brien", remove: ['amara-okafor'], add: ['mateo-reyes', 'nobody-yet'] },
  ]);
  const said = [
    administered('register', apps),
    administered('user', users),
    administered('access', access),
    administered('opt-out', file('opt-out.json', [{ purpose: 'payer-to-payer', add: ['amara-okafor'] }])),
    administered('discard', 'nobody-yet'),
  ].join('');
  const done = calls();
  for (const hidden of [SECRET, PASSWORD, 'pbkdf2', account().workers['edgechart-staging'].PEPPER]) {
    assert.ok(!said.includes(hidden) && !done.join('\n').includes(hidden), hidden);
  }
  assert.ok(
    done.every((call) => call.startsWith('d1 execute') && call.includes(' --remote ')),
    done.join('\n'),
  );
  assert.match(administered('access', '--user', "grace o'brien"), /mateo-reyes[\s\S]*nobody-yet/);
  const unknown = make(['load', 'TARGET=remote', 'DATA=sample']);
  assert.ok(unknown.status !== 0 && unknown.said.includes('--client'), unknown.said);
  // Load the sample in place of the Worker for jobs.
  const { uuid } = account().databases.find(({ name }) => name === 'edgechart-staging');
  const words = ['load', 'sample', '--db', d1File(inside('account/state'), uuid), '--base', `${ORIGIN}/fhir/r4`];
  execFileSync('build/edgechart', words, { stdio: 'ignore' });

  const server = await serve(t);
  assert.equal((await server.ask('/readyz')).status, 200);
  const { status, token } = await server.token();
  assert.equal(status, 200);
  const answer = await server.search(token);
  const bundle = await answer.json();
  assert.equal(answer.status, 200, JSON.stringify(bundle));
  assert.equal(bundle.entry.length, 5);
  assert.ok(bundle.entry.every(({ fullUrl }) => fullUrl.startsWith(`${ORIGIN}/fhir/r4/`)));

  // The emergency stop, within five seconds, and its end. After it, a new token is needed.
  administered('disable', 'client', 'nightly');
  await within(7_000, async () => (await server.search(token)).status === 401, { pause: 200 });
  assert.equal((await server.token()).status, 401);
  administered('enable', 'client', 'nightly');
  assert.equal((await server.token()).status, 200);
  assert.equal((await server.search(token)).status, 401);
  administered('disable', 'client', 'night.app');
  const nobody = administer(['disable', 'user', 'nobody']);
  assert.ok(nobody.status !== 0 && nobody.said.includes('no client or user has this name'), nobody.said);
  await server.close();
});

test('charts are moved on a copy of the databases, while jobs wait', () => {
  const digest = () => {
    const at = (name) => d1File(inside('account/state'), account().databases.find((one) => one.name === name).uuid);
    const words = ['dump', '--db', at('edgechart-staging'), '--out', '/dev/null'];
    return spawnSync('build/edgechart', words, { encoding: 'utf8' }).stderr;
  };
  const before = digest();
  calls();
  const moved = administer(['shard', 'move', '--buckets', '0-9', '--to', '0'], { LEARNED: '0' });
  assert.equal(moved.status, 0, moved.said);
  const done = calls();
  assert.equal(done[0], 'queues pause-delivery edgechart-staging-inbox');
  assert.equal(done.at(-1), 'queues resume-delivery edgechart-staging-inbox');
  const databases = done.slice(1, -1).map((call) => call.split(' ').slice(1, 3).join(' '));
  assert.deepEqual(databases, ['export DB', 'execute DB', 'execute AUTH_DB'], 'the map is entered again, and read');
  assert.match(administered('shard'), /map: from 0: 0/);
  assert.ok(calls().every((call) => call.startsWith('d1 export')));
  assert.equal(digest(), before);
  const stopped = administer(['shard', 'move', '--to', '0'], { FAIL: 'd1 export', LEARNED: '0' });
  assert.ok(stopped.status !== 0 && stopped.said.includes('does not answer'), stopped.said);
  assert.equal(calls().at(-1), 'queues resume-delivery edgechart-staging-inbox');
});

test('a deployment on KV gets the shelves of a database here, and the next load what has changed', () => {
  configure(deployments.replace('[staging.vars]', '[staging.vars]\nSTORE = "kv"'));
  const values = () => calls().filter((call) => call.startsWith('kv bulk put --binding CHARTS --remote'));
  assert.match(administered('load', 'sample'), / shelves: \d+ written, 0 as before/);
  assert.ok(values().length > 0);
  assert.match(administered('reindex'), / shelves: 0 written/);
  configure(deployments);
  assert.deepEqual(values(), []);
});

test('what fails while it is sent changes nothing and leaves no file behind', () => {
  const wrong = file('wrong.json', [
    { username: "grace o'brien", add: ['luna-vega'] },
    { username: 'unknown', add: ['luna-vega'] },
  ]);
  const refused = administer(['access', wrong]);
  assert.ok(refused.status !== 0 && refused.said.includes('there is no such user: unknown'), refused.said);
  assert.doesNotMatch(administered('access', '--user', "grace o'brien"), /luna-vega/);
  const unsent = administer(['user', 'users.json'], { FAIL: 'execute' });
  assert.ok(unsent.status !== 0 && unsent.said.includes('does not answer'), unsent.said);
  const unread = administer(['register', 'missing.json']);
  assert.ok(unread.status !== 0 && unread.said.includes('missing.json'), unread.said);
  assert.deepEqual(left(), []);
  calls();
});

test('the signing keys rotate remotely, and tokens of the old key are taken until the end', async (t) => {
  const passed = (seconds) => {
    const text = fs.readFileSync(inside('.secrets.staging'), 'utf8');
    const earlier = text.replace(/ROTATED_AT='(\d+)'/, (_, at) => `ROTATED_AT='${at - seconds}'`);
    fs.writeFileSync(inside('.secrets.staging'), earlier);
  };
  const secrets = () => account().workers['edgechart-staging'];
  const [first, { PEPPER }] = [await serve(t), secrets()];
  const { token: old } = await first.token();
  await first.close();
  administered('keys', '--rotate', 'next');
  const next = secrets().SIGN_ES256_NEXT;
  assert.ok(next);
  const early = administer(['keys', '--rotate', 'swap']);
  assert.ok(early.status !== 0 && early.said.includes('wait'), early.said);
  passed(300);
  for (let time = 0; time < 2; time += 1) administered('keys', '--rotate', 'swap');
  assert.equal(secrets().SIGN_ES256_CURRENT, next);
  const second = await serve(t);
  const { token: fresh } = await second.token();
  const kids = [old, fresh].map((token) => decodeProtectedHeader(token).kid);
  assert.notEqual(kids[0], kids[1]);
  assert.deepEqual([(await second.search(old)).status, (await second.search(fresh)).status], [200, 200]);
  const { keys } = await (await second.ask('/oauth/jwks.json')).json();
  assert.ok(kids.every((kid) => keys.some((key) => key.kid === kid)));
  await second.close();
  passed(3_600);
  administered('keys', '--rotate', 'end');
  assert.deepEqual(Object.keys(secrets()).sort(), [...NAMES].sort());
  assert.equal(secrets().PEPPER, PEPPER);
  const third = await serve(t);
  assert.deepEqual([(await third.search(old)).status, (await third.search(fresh)).status], [401, 200]);
  const sent = calls().filter((call) => call.startsWith('secret bulk'));
  assert.deepEqual([...new Set(sent)], ['secret bulk FILE --config wrangler.staging.json']);
});

test('the audit log of the deployment is read as it comes', () => {
  const line = JSON.stringify({
    audit: 'edgechart/2',
    event_id: 'e-1',
    status: 200,
    time: '2027-01-15T08:00:00.123Z',
    request: 'r-1',
    event: 'read',
    client: 'app',
    type: 'Patient',
    id: 'amara-okafor',
    patients: ['amara-okafor'],
  });
  const tail = { outcome: 'ok', logs: [{ level: 'log', message: [line], timestamp: 1 }] };
  fs.writeFileSync(inside('account/tail.json'), JSON.stringify(tail, null, 4));
  const said = administered('audit');
  const event = JSON.parse(said.split('\n').find((text) => text.startsWith('{')));
  assert.equal(event.resourceType, 'AuditEvent');
  assert.equal(event.source.observer.display, ORIGIN);
  assert.deepEqual(calls(), ['tail --config wrangler.staging.json --format json']);
});
