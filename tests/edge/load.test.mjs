// The effects of loads for callers: what is deleted is not found, and searches work during a load.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BASE, found, stage } from '../../tools/server/stage.mjs';
import { temporaryFolder } from '../server/folder.mjs';

/// Returns copies of the sample: patients and the resources that belong to them. Each copy has its own ids.
function multiplied(times) {
  const resources = readdirSync('sample')
    .filter((name) => name.endsWith('.ndjson'))
    .flatMap((name) => readFileSync(join('sample', name), 'utf8').trimEnd().split('\n'));
  const lines = [];
  for (let copy = 0; copy < times; copy += 1) {
    for (const line of resources) {
      lines.push(
        line
          .replace(/("id":\s*")([\w.-]{1,50})"/, `$1${copy}-$2"`)
          .replace(/("reference":\s*"Patient\/)/g, `$1${copy}-`),
      );
    }
  }
  return lines.map((line) => `${line}\n`).join('');
}

for (const store of ['d1', 'kv']) {
  test(`what a Bundle deletes is not found, and may be loaded again, on ${store.toUpperCase()}`, async (t) => {
    const folder = temporaryFolder();
    const file = join(folder, 'deletions.json');
    const urls = ['Condition/amara-diabetic-kidney', 'Practitioner/grace-lindholm', 'Patient/amara-okafor', 'Foo/a'];
    const entry = urls.map((url) => ({ request: { method: 'DELETE', url } }));
    writeFileSync(file, JSON.stringify({ resourceType: 'Bundle', type: 'transaction', entry }));
    const questions = [
      'Condition?patient=amara-okafor&_id=amara-diabetic-kidney',
      'Condition/amara-diabetic-kidney',
      'Practitioner?name=lindholm',
      'PractitionerRole?practitioner.name=lindholm',
      'Patient?family=okafor&given=amara',
    ];
    const answers = async (server) => {
      const asked = questions.map((question) => server.ask(question, { token: server.token('system/*.read') }));
      const count = ({ status, body }) => (body.resourceType === 'Bundle' ? found(body).ids.length : status);
      return (await Promise.all(asked)).map(count);
    };
    const server = await stage({ data: ['sample'], store });
    t.after(server.close);
    const said = server.load(file);
    assert.match(said, /3 deleted, 0 that were not there/);
    assert.match(said, /not served, left out: Foo 1/);
    assert.match(said, /faults: 0/);
    assert.deepEqual(await answers(server), [0, 404, 0, 0, 0]);
    // A new server, since an isolate may use a value from KV for a minute.
    const again = await stage({ data: ['sample'], store });
    t.after(again.close);
    again.load(file);
    again.load('sample');
    assert.deepEqual(await answers(again), [1, 200, 1, 1, 1]);
  });

  test(`searches go on while a load writes to the state of a running server, on ${store.toUpperCase()}`, async (t) => {
    const folder = temporaryFolder();
    const file = join(folder, 'many.ndjson');
    writeFileSync(file, multiplied(8));
    const server = await stage({ data: ['sample'], store });
    t.after(server.close);
    const token = server.token('system/*.read');
    const shelves = store === 'kv' ? ['--kv', join(server.state, 'v3/kv')] : [];
    const load = spawn('build/edgechart', ['load', file, '--db', server.db, '--base', BASE, ...shelves], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let said = '';
    load.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    let ended = false;
    const end = once(load, 'exit').then(([status]) => {
      ended = true;
      return status;
    });
    const questions = [
      'Observation?patient=amara-okafor&category=laboratory',
      'Patient?name=okafor',
      'Patient/amara-okafor',
      'Condition?patient=amara-okafor&_revinclude=Provenance:target',
    ];
    const statuses = new Map();
    let asked = 0;
    while (!ended) {
      const answers = await Promise.all(questions.map((question) => server.ask(question, { token })));
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      asked += answers.length;
    }
    assert.equal(await end, 0);
    assert.deepEqual([...statuses.keys()], [200], `${JSON.stringify([...statuses])}`);
    assert.ok(asked >= 40, `${asked} searches are too few to say anything`);
    t.diagnostic(
      `${asked} searches and reads were answered while ${/(\d+) resources/.exec(said)[1]} resources were loaded`,
    );
    assert.match(said, /signing in .* for \d+\.\d s/);
    if (store === 'd1') {
      assert.equal(found((await server.ask('Patient?_id=7-amara-okafor', { token })).body).ids.length, 1);
    }
  });
}
