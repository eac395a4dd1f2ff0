import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storageOf } from '../testing.ts';

// The module reads the session of the tab when it is loaded.
const stored = new Map([['edgechart.session', '{"id":"a","accessToken":7}']]);
Object.assign(globalThis, { sessionStorage: storageOf(stored) });
const storage = await import('./session.ts');

const session = {
  id: 'a',
  generation: 0,
  clientId: 'demo-app',
  issuer: 'https://x.example',
  launch: 'patient',
  requested: 'patient/*.read',
  scope: 'patient/*.read',
  accessToken: 'token',
  expiresAt: 1,
  obtainedAt: 0,
  response: {},
} as const;

test('a stored session of another shape is none', () => {
  assert.equal(storage.session.value, undefined);
});

test('a session is stored, and forgotten when it ends', () => {
  storage.startSession(session);
  assert.deepEqual(JSON.parse(stored.get('edgechart.session') ?? ''), session);
  storage.endSession(session, () => 'It is over.');
  assert.equal(storage.session.value, undefined);
  assert.equal(stored.has('edgechart.session'), false);
  assert.deepEqual([storage.ended.value?.says(), storage.ended.value?.launch], ['It is over.', 'patient']);
});
