import assert from 'node:assert/strict';
import { test } from 'node:test';

// The module reads the session of the tab when it is loaded.
const stored = new Map<string, string>();
const sessionStorage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
  removeItem: (key: string) => stored.delete(key),
};
Object.assign(globalThis, { sessionStorage, location: new URL('https://x.example/') });
// An open channel would keep the test from ending.
Reflect.deleteProperty(globalThis, 'BroadcastChannel');
stored.set('edgechart.session', '{"id":"a","accessToken":7}');
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
