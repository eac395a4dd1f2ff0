//! Parts that the tests of the app share.
//! Modules know their server from the address of the page: import this one first.

import type { Exchange } from './http/exchange.ts';
import type { Source } from './source/source.ts';

Object.assign(globalThis, { location: new URL('https://x.example/'), window: globalThis });
// An open channel would keep a test from ending.
Reflect.deleteProperty(globalThis, 'BroadcastChannel');

export const exchangeOf = (status: number, body?: unknown, url = ''): Exchange => ({
  where: 'edge',
  method: 'GET',
  url,
  headers: {},
  at: new Date(0),
  status,
  answerHeaders: {},
  text: '',
  body,
  ms: 0,
  bytes: 0,
});

/** Returns a source that answers searches, and reads unless told otherwise, by one function. */
export const sourceOf = (search: Source['search'], more: Partial<Source> = {}): Source => ({
  name: 'session',
  grant: undefined,
  key: 'test',
  search,
  read: search,
  ...more,
});

/** Returns a storage of the browser that keeps its entries in a map. */
export const storageOf = (stored: Map<string, string>) => ({
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
  removeItem: (key: string) => stored.delete(key),
});
