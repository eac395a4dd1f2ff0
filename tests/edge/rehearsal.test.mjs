// The rehearsal at the start of an isolate: it replays recorded requests, and leaves nothing that a request could use.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { RECORDING, record } from '../../tools/rehearsal.mjs';
import { stage } from '../../tools/server/stage.mjs';
import { built } from '../../tools/server/workerd.mjs';

const recording = JSON.parse(readFileSync(RECORDING, 'utf8'));
const complaints = ({ messages }) => messages.filter((message) => message.includes('"rehearsal"'));

test('the recording has what the Worker asks D1 for, and the rows of today', async () => {
  const { statements, paths, vars } = await record();
  const withoutGrant = (all) => all.map(([text, id, rows]) => [text, text.includes('grants') ? '' : id, rows]);
  assert.deepEqual(withoutGrant(recording.statements), withoutGrant(statements), `run: node tools/rehearsal.mjs`);
  assert.deepEqual([recording.paths, recording.vars], [paths, vars]);
});

test('an isolate rehearses without a fault, and knows nothing of it afterwards', async (t) => {
  const server = await stage({ data: ['sample'], modules: built('build', { rehearses: true }) });
  t.after(server.close);
  const own = await server.ask('Patient/amara-okafor', { token: server.token('system/*.read') });
  assert.equal(own.status, 200);
  for (const path of recording.paths) {
    const { status } = await server.ask(path, { token: recording.token });
    assert.equal(status, 401, path);
  }
  assert.equal((await server.ask('Patient/p', { token: server.token('system/*.read') })).status, 404);
  assert.deepEqual(complaints(server), []);
});

test('a rehearsal that fails is said in the log, and the Worker answers', async (t) => {
  const modules = built('build', { rehearses: true });
  const rehearsal = modules.find(({ path }) => path === 'build/rehearsal.js');
  rehearsal.contents = rehearsal.contents.replace(recording.token, `${recording.token}x`);
  const server = await stage({ modules });
  t.after(server.close);
  assert.equal((await server.ask('metadata')).status, 200);
  assert.match(complaints(server)[0], /the statuses are 401/);
});
