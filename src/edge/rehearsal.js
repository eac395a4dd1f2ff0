// The environment and the requests of a rehearsal (rehearsal.rs), as tools/rehearsal.mjs has recorded them.

import { env } from 'cloudflare:workers';
import { now, paths, statements, token, vars } from './rehearsal.json';

/// The number of times that the requests are answered. V8 optimizes a function that has run for a while.
const ROUNDS = 20;

/// The rows of a statement by its text and its first parameter: an id. Others are times.
const keyOf = (text, [id]) => `${text} ${id ?? ''}`;
const rows = new Map(statements.map(([text, id, rows]) => [keyOf(text, [id]), rows]));

/// A database that answers the recorded statements. `worker` looks at its name.
class Database {
  static name = 'D1Database';
  withSession() {
    return this;
  }
  prepare(text) {
    return { bind: (...binds) => keyOf(text, binds) };
  }
  async batch(keys) {
    return keys.map((key) => ({ results: rows.get(key) ?? [], meta: {} }));
  }
  getBookmark() {
    return null;
  }
}

/// Has the module answer the recorded requests. A Worker without secrets is for jobs alone, and rehearses nothing.
export async function rehearsal(rehearse) {
  if (!env.PEPPER) return;
  const headers = { authorization: `Bearer ${token}` };
  const requests = paths.map((path) => new Request(`${vars.ORIGIN}/fhir/r4/${path}`, { headers }));
  const own = { ...vars, DB: new Database(), AUTH_DB: new Database() };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const statuses = await rehearse(requests, own, now);
      if (statuses.some((status) => status !== 200)) throw new Error(`the statuses are ${statuses}`);
    }
  } catch (error) {
    // The Worker answers without it too, more slowly at first.
    console.error(JSON.stringify({ event: 'rehearsal', detail: String(error) }));
  }
}
