// Charts in several databases: the answers are the same, without a wrong answer or a refusal during moves.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseIds } from '../../tools/server/d1-files.mjs';
import { EDGECHART } from '../../tools/server/served.mjs';
import { EVERYTHING, stage } from '../../tools/server/stage.mjs';

const CLIENTS = 50;
/// The pause of a client after each answer, in milliseconds.
const LOOK = 100;

/// Runs `edgechart shard` beside a server, and resolves to its output.
function shard(server, action, ...words) {
  const child = spawn(EDGECHART, ['shard', action, ...server.files, ...words]);
  const said = { out: '', err: '' };
  child.stdout.on('data', (part) => {
    said.out += part;
  });
  child.stderr.on('data', (part) => {
    said.err += part;
  });
  return new Promise((resolve, reject) => {
    child.on('close', (status) => (status === 0 ? resolve(said.out) : reject(new Error(said.err))));
  });
}

/// Returns queries of each kind: of one patient, of several, with includes, by id, by identifier, of the directory.
function questions() {
  const lines = (type) =>
    readFileSync(`sample/${type}.ndjson`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const patients = lines('Patient').map(({ id }) => id);
  const of = (patient) => [
    `Observation?patient=${patient}&category=laboratory&_count=20`,
    `Condition?patient=${patient}&_revinclude=Provenance:target`,
    `MedicationRequest?patient=${patient}&_include=MedicationRequest:medication`,
    `Encounter?patient=${patient}&_sort=date`,
  ];
  const byId = ['Observation', 'Condition', 'Encounter', 'Provenance'].flatMap((type) =>
    lines(type)
      .filter((_, at) => at % 25 === 0)
      .flatMap(({ id }) => [`${type}/${id}`, `${type}?_id=${id}`]),
  );
  return [
    ...patients.flatMap(of),
    `Observation?patient=${patients.join(',')}&_count=30`,
    ...byId,
    'Patient?name=a',
    'Patient?_revinclude=Provenance:target&_count=5',
    'PractitionerRole?_include=PractitionerRole:practitioner&_include=PractitionerRole:organization',
    `Observation?patient=${patients[0]}&_include=Observation:performer`,
    'Observation/nobody-knows-it',
    'Observation?patient=nobody',
  ];
}

/// Resolves to status and text of an answer, without the id and the time of a Bundle and the signature of a cursor.
const asked = async (server, token, question) => {
  const { status, text } = await server.ask(question, { token });
  const unnamed = text.replace(/^(\{"resourceType":"Bundle",)"id":"[^"]*","meta":\{[^}]*\},/, '$1');
  return `${status} ${unnamed.replace(/(cursor=[\w-]+\.)[\w-]+/, '$1')}`;
};

/// Fails if two texts differ, and shows the text around the first difference.
function assertSame(actual, expected, question) {
  if (actual === expected) return;
  let at = 0;
  while (actual[at] === expected[at]) at += 1;
  const around = (text) => text.slice(Math.max(at - 60, 0), at + 200);
  assert.fail(`${question}: ${around(actual)}\nand not ${around(expected)}`);
}

test('local servers have the databases of the settings, and no shards', async () => {
  assert.deepEqual([...(await databaseIds()).keys()], ['DB', 'AUTH_DB']);
});

test('three shards answer what one database answers, byte for byte', async (t) => {
  const one = await stage({ data: ['sample'], bare: true });
  t.after(() => one.close());
  const three = await stage({ data: ['sample'], shards: 2, bare: true });
  t.after(() => three.close());
  await shard(three, 'move', '--buckets', '1366-2730', '--to', '1', '--wait', '0');
  await shard(three, 'move', '--buckets', '2731-4095', '--to', '2', '--wait', '0');
  const state = await shard(three, 'status');
  assert.match(state, /map: from 0: 0, from 1366: 1, from 2731: 2/);
  // A load writes to the shards too.
  three.load('sample');
  const tokens = [one, three].map((server) => server.token(EVERYTHING));
  for (const question of questions()) {
    const [expected, answered] = [await asked(one, tokens[0], question), await asked(three, tokens[1], question)];
    assertSame(answered, expected, question);
  }
});

test('buckets move under load, and every answer stays right', async (t) => {
  const server = await stage({ data: ['sample'], shards: 2, bare: true });
  t.after(() => server.close());
  const token = server.token(EVERYTHING);
  const all = questions();
  const expected = new Map();
  for (const question of all) expected.set(question, await asked(server, token, question));
  let [moving, answers] = [true, 0];
  const client = async (number) => {
    for (let at = number; moving; at += CLIENTS + 1) {
      const question = all[at % all.length];
      assertSame(await asked(server, token, question), expected.get(question), question);
      answers += 1;
      await sleep(LOOK);
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number));
  const moves = (async () => {
    try {
      await shard({ files: server.files.slice(0, -2) }, 'add', '--wait', '10');
      await shard(server, 'add', '--wait', '10');
      await shard(server, 'move', '--buckets', '0-4095', '--to', '2', '--wait', '10');
      await shard(server, 'move', '--buckets', '0-2047', '--to', '0', '--wait', '10');
    } finally {
      moving = false;
    }
  })();
  await Promise.all([...clients, moves]);
  t.diagnostic(`${answers} answers of ${CLIENTS} clients while all buckets moved, and all as before`);
  assert.match(await shard(server, 'status'), /map: from 0: 0, from 2048: 2\n/);
  assert.ok(answers > 500);
});
