// Finds the SQLite files in which local D1 stores databases.

import { createHash, createHmac } from 'node:crypto';
import { join } from 'node:path';
import { optionsOf } from './settings.mjs';

/// Returns the file of a database by its id, below the state folder of miniflare or wrangler. Miniflare names it by the
/// id of a Durable Object, which is a keyed hash of the name followed by a keyed hash of that hash.
export function d1File(state, id) {
  const key = createHash('sha256').update('miniflare-D1DatabaseObject').digest();
  const keyed = (data) => createHmac('sha256', key).update(data).digest().subarray(0, 16);
  const name = keyed(id);
  const object = Buffer.concat([name, keyed(name)]).toString('hex');
  return join(state, 'v3/d1/miniflare-D1DatabaseObject', `${object}.sqlite`);
}

/// Resolves to the ids of the local databases of wrangler.toml, by binding.
export async function databaseIds() {
  const { d1Databases } = await optionsOf('wrangler.toml');
  return new Map(Object.entries(d1Databases).map(([binding, { id }]) => [binding, id]));
}
