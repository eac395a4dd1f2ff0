import '../testing.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCounted } from './sent.ts';

test('requests over HTTP are counted from the start of the count on', () => {
  assert.equal(isCounted({ url: 'https://x.example/healthz', at: 1_000 }, 1_000), true);
  assert.equal(isCounted({ url: 'http://localhost:1/healthz', at: 1_001 }, 1_000), true);
  assert.equal(isCounted({ url: 'https://x.example/healthz', at: 999.9 }, 1_000), false);
  assert.equal(isCounted({ url: 'blob:https://x.example/1', at: 2_000 }, 1_000), false);
  assert.equal(isCounted({ url: 'data:image/svg+xml,x', at: 2_000 }, 1_000), false);
});
