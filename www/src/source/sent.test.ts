import assert from 'node:assert/strict';
import { before, test } from 'node:test';

// The module determines its server from the page's address.
let sent: typeof import('./sent.ts');
before(async () => {
  Object.assign(globalThis, { location: new URL('https://x.example/') });
  sent = await import('./sent.ts');
});

test('requests over HTTP are counted from the start of the count on', () => {
  const { isCounted } = sent;
  assert.equal(isCounted({ url: 'https://x.example/healthz', at: 1_000 }, 1_000), true);
  assert.equal(isCounted({ url: 'http://localhost:1/healthz', at: 1_001 }, 1_000), true);
  assert.equal(isCounted({ url: 'https://x.example/healthz', at: 999.9 }, 1_000), false);
  assert.equal(isCounted({ url: 'blob:https://x.example/1', at: 2_000 }, 1_000), false);
  assert.equal(isCounted({ url: 'data:image/svg+xml,x', at: 2_000 }, 1_000), false);
});
