// The SQLite files in which local D1 keeps databases. As a command it prints the file of a binding of wrangler.toml;
// with SHARDS those of SHARD_1, SHARD_2 and so on, separated by colons, and with MIRRORS the files in which remote
// loads keep mirrors of these. The third word is an environment of wrangler.toml:
//   node tools/server/d1-files.mjs .wrangler/state AUTH_DB
//   node tools/server/d1-files.mjs .wrangler/remote/staging MIRRORS staging

import { createHash, createHmac } from 'node:crypto';
import { join } from 'node:path';
import { optionsOf } from './settings.mjs';

/// The file of the database with that id, below the state folder of miniflare or wrangler. Miniflare names it by the id
/// of a Durable Object, which is a keyed hash of the name and a keyed hash of that.
export function d1File(state, id) {
  const key = createHash('sha256').update('miniflare-D1DatabaseObject').digest();
  const keyed = (data) => createHmac('sha256', key).update(data).digest().subarray(0, 16);
  const name = keyed(id);
  const object = Buffer.concat([name, keyed(name)]).toString('hex');
  return join(state, 'v3/d1/miniflare-D1DatabaseObject', `${object}.sqlite`);
}

/// The ids of the databases of an environment of wrangler.toml, by binding.
export async function databaseIds(environment) {
  const { d1Databases } = await optionsOf('wrangler.toml', environment);
  return new Map(Object.entries(d1Databases).map(([binding, { id }]) => [binding, id]));
}

/// The text that the arguments ask for: a folder, and one of the words above.
async function main([folder, wanted, environment]) {
  const ids = await databaseIds(environment);
  const shards = [];
  while (ids.has(`SHARD_${shards.length + 1}`)) shards.push(`SHARD_${shards.length + 1}`);
  if (wanted === 'MIRRORS') return shards.map((shard) => join(folder, `${shard}.sqlite`)).join(':');
  if (wanted === 'SHARDS') return shards.map((shard) => d1File(folder, ids.get(shard))).join(':');
  if (!ids.has(wanted)) throw new Error(`wrangler.toml has no database with the binding ${wanted}`);
  return d1File(folder, ids.get(wanted));
}

if (import.meta.filename === process.argv[1]) console.log(await main(process.argv.slice(2)));
