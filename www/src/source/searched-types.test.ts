import '../testing.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchedTypes } from './searched-types.ts';

test('types that could not be asked for are asked for again, and then kept', async () => {
  const resource = [{ type: 'Patient' }];
  const answers = [new Response('', { status: 500 }), Response.json({ rest: [{ resource }] }), Response.error()];
  let asked = 0;
  globalThis.fetch = async () => answers[asked++] ?? Response.error();
  // There is no engine in this test that could answer in place of the server.
  await assert.rejects(searchedTypes());
  assert.deepEqual(await searchedTypes(), resource);
  assert.deepEqual(await searchedTypes(), resource);
  assert.equal(asked, 2);
});
