// The parts of `make serve`: the cron trigger, the log, and a port that is in use.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { d1File } from '../../tools/server/d1-files.mjs';
import { freePort } from '../../tools/server/port.mjs';
import { raw } from '../../tools/server/raw.mjs';
import { edgechart, stage } from '../../tools/server/stage.mjs';
import { temporaryFolder } from '../server/folder.mjs';
import { EHR, senderOf } from '../server/sender.mjs';
import { until } from '../server/until.mjs';

const first = await stage({ apps: [EHR] });
after(first.close);
/// Copies the state of a server without records to a folder, and returns the folder.
const newState = () => {
  const place = temporaryFolder();
  cpSync(first.state, place, { recursive: true });
  return place;
};

/// Runs the server of `make serve` over the state of another server. Resolves to {url, end}.
async function serve(t, state, { cron = '60', kill = 'SIGTERM' } = {}) {
  const port = await freePort();
  const words = ['--port', String(port), '--state', state, '--keys', join(state, '.dev.vars'), '--cron', cron];
  const server = spawn('node', ['tools/server/serve.mjs', ...words], { stdio: 'ignore', detached: true });
  const end = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill(kill);
    await once(server, 'exit');
    // After SIGKILL, the server's workerd is still running.
    if (kill === 'SIGKILL') process.kill(-server.pid, kill);
  };
  t.after(end);
  const url = `http://localhost:${port}`;
  await until(async () => assert.equal((await fetch(`${url}/healthz`)).status, 200), { most: 60_000 });
  return { url, end };
}

test('a job that is to be done again is taken up by the cron trigger, also after a restart', async (t) => {
  const place = newState();
  const database = d1File(place, 'edgechart');
  const server = await serve(t, place, { cron: '1' });
  const { post, ended } = await senderOf(server);
  const sent = await post(JSON.stringify({ resourceType: 'Patient', id: 'p' }));
  const { ended: before } = await ended(sent);
  edgechart('replay', '--since', '2020-01-01T00:00:00Z', '--db', database);
  await until(async () => assert.notEqual((await ended(sent)).ended, before));
});

test('a file that is put into the local bucket is loaded', async (t) => {
  const place = newState();
  await serve(t, place);
  const file = join(place, 'changes.ndjson');
  writeFileSync(file, JSON.stringify({ resourceType: 'Patient', id: 'of-the-bucket' }));
  const words = ['r2', 'object', 'put', 'edgechart-inbox/export/changes.ndjson', '--file', file, '--local'];
  execFileSync('wrangler', [...words, '--persist-to', place], { stdio: 'ignore' });
  const stored = () => edgechart('dump', '--db', d1File(place, 'edgechart'));
  await until(() => assert.ok(stored().includes('"of-the-bucket"')), { most: 30_000 });
});

test('the log survives a server that is killed, and a start after it', async (t) => {
  const place = newState();
  const file = join(place, 'workerd.log');
  const ids = ['0d2a6c3e-6a5e-4b0a-9d6d-9b1b5a0f7c11', '0d2a6c3e-6a5e-4b0a-9d6d-9b1b5a0f7c12'];
  for (const id of ids) {
    const server = await serve(t, place, { kill: 'SIGKILL' });
    await fetch(`${server.url}/fhir/r4/Patient/a`, { headers: { authorization: 'Bearer x', 'x-request-id': id } });
    await until(() => assert.ok(readFileSync(file, 'utf8').includes(id)));
    await server.end();
  }
  assert.ok(ids.every((id) => readFileSync(file, 'utf8').includes(id)));
});

test('workerd goes on where its log cannot be written, as on a full disk', async (t) => {
  const server = await stage({ data: ['sample'], bare: true, log: '/dev/full' });
  t.after(server.close);
  const token = server.token('system/*.read');
  const isolate = async () => (await raw(server.url, '/healthz')).status;
  for (let at = 0; at < 200; at += 1) assert.equal((await server.ask('Patient/amara-okafor', { token })).status, 200);
  assert.equal(await isolate(), 200);
});

test('a port that is taken is said in a sentence', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address();
  for (const words of [
    ['node', 'tools/server/port.mjs', String(port)],
    ['node', 'tools/server/serve.mjs', '--port', String(port), '--state', temporaryFolder()],
  ]) {
    const child = spawn(words[0], words.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (text) => (said += text));
    const [code] = await once(child, 'close');
    assert.equal(code, 1, said);
    assert.match(said, new RegExp(`^· port ${port} is in use, .* PORT=${port + 1}\\n$`));
  }
  for (const wrong of ['', 'x', '0', '65536', '-1', '8787.5']) {
    const { status, stderr } = spawnSync('node', ['tools/server/port.mjs', wrong], { encoding: 'utf8' });
    assert.ok(status === 1 && stderr.includes('PORT is a number from 1 to 65535'), wrong);
  }
});
