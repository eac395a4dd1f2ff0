// An isolate that has read a record sees its correction or removal by a load within five seconds, even if the replica
// from which it reads never has the correction.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ndjson, stage } from '../../tools/server/stage.mjs';
import { temporaryFolder } from '../server/folder.mjs';
import { within } from '../server/until.mjs';

const MAX_LENGTH = 5_000;

const observation = (id, patient, status) => ({
  resourceType: 'Observation',
  id,
  status,
  subject: { reference: `Patient/${patient}` },
});
const deletion = (url) => ({
  resourceType: 'Bundle',
  type: 'transaction',
  entry: [{ request: { method: 'DELETE', url } }],
});

test('a correction and a removal are seen within five seconds, and are not undone by a replica', async (t) => {
  const first = join(temporaryFolder(), 'first.ndjson');
  const records = [
    { resourceType: 'Patient', id: 'a', name: [{ family: 'First' }] },
    { resourceType: 'Patient', id: 'b' },
    observation('wrong', 'a', 'preliminary'),
    observation('moved', 'a', 'final'),
    observation('deleted', 'a', 'final'),
  ];
  writeFileSync(first, ndjson(...records));
  const server = await stage({ data: [first], replica: true });
  t.after(server.close);
  const token = server.token('patient/*.read', { patient: 'a' });
  const system = server.token('system/*.read');
  /// Resolves to the statuses of the observations, by a search and by reads, and to the matches of a name in rows.
  const seen = async () => {
    const { body } = await server.ask('Observation?patient=a', { token });
    const found = (body.entry ?? []).map(({ resource: { id, status } }) => `${id} ${status}`);
    const reads = [];
    for (const id of ['wrong', 'moved', 'deleted', 'added']) {
      const read = await server.ask(`Observation/${id}`, { token });
      if (read.status === 200) reads.push(`${id} ${read.body.status}`);
    }
    const named = await server.ask('Patient?family=First', { token: system });
    return [found.sort().join(), reads.sort().join(), named.body.entry?.length ?? 0];
  };
  const before = [...Array(2).fill('deleted final,moved final,wrong preliminary'), 1];
  const corrected = [...Array(2).fill('added final,wrong corrected'), 0];
  assert.deepEqual(await seen(), before);

  server.loadText(ndjson(observation('added', 'a', 'final')));
  await sleep(MAX_LENGTH + 1_000);
  assert.deepEqual(await seen(), before, 'an addition may be late: the replica does not have it');

  server.loadText(
    ndjson(
      { resourceType: 'Patient', id: 'a', name: [{ family: 'Second' }] },
      observation('wrong', 'a', 'corrected'),
      observation('moved', 'b', 'final'),
      deletion('Observation/deleted'),
    ),
  );
  const isCorrected = async () => JSON.stringify(await seen()) === JSON.stringify(corrected);
  t.diagnostic(`it was seen within ${await within(MAX_LENGTH + 2_000, isCorrected, { pause: 50 })} ms`);
  for (let again = 0; again < 20; again += 1) {
    assert.deepEqual(await seen(), corrected, 'for good');
    await sleep(400);
  }
});
