// A lower bound for the cost of a search on D1: a plain JavaScript Worker whose table has the entries of each page in
// adjacent rows. SQLite joins them to one text, which the Worker sends with the same headers. The Worker checks neither
// tokens nor queries, and writes no log.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/// The placeholder for the patient, the id or the identifier in requests.
export const PATIENT = 'PATIENT';

/// Returns the entries of a Bundle, or a single resource as a list.
export const entriesOf = (answer) => (answer.resourceType === 'Bundle' ? (answer.entry ?? []) : [answer]);

/// Headers of the connection, which the Worker must not send.
const OF_THE_CONNECTION = ['transfer-encoding', 'content-length', 'connection', 'date', 'content-encoding'];

/// Adds a table to the local database of a server, with the entries of its answer to each search. `headers` are sent
/// with the searches. Resolves to the modules of the plain Worker.
export async function plainBeside({ url, state }, searches, headers) {
  const databases = join(state, 'v3', 'd1', 'miniflare-D1DatabaseObject');
  const file = readdirSync(databases).find((file) => file.endsWith('.sqlite') && file !== 'metadata.sqlite');
  const database = new DatabaseSync(join(databases, file));
  database.exec(
    'CREATE TABLE page (search TEXT, position INTEGER, entry TEXT, PRIMARY KEY (search, position)) WITHOUT ROWID',
  );
  const insert = database.prepare('INSERT INTO page VALUES (?, ?, ?)');
  let answer;
  for (const search of searches) {
    answer = await fetch(`${url}/fhir/r4/${search}`, { headers });
    const entries = entriesOf(await answer.json());
    for (const [position, one] of entries.entries()) insert.run(search, position, JSON.stringify(one));
  }
  database.close();
  const own = Object.fromEntries([...answer.headers].filter(([name]) => !OF_THE_CONNECTION.includes(name)));
  return [{ type: 'ESModule', path: 'build/index.js', contents: plain(own) }];
}

/// Returns the source of the module of the plain Worker.
const plain = (headers) => `
const headers = ${JSON.stringify(headers)};
export default {
  async fetch({ url }, env) {
    const search = url.slice(url.indexOf('/r4/') + 4);
    const session = env.DB.withSession('first-unconstrained');
    const statement = session.prepare('SELECT group_concat(entry) AS page FROM page WHERE search = ?1').bind(search);
    const { results } = await statement.all();
    const page = results[0].page ?? '';
    const bundle = '{"resourceType":"Bundle","type":"searchset","entry":[' + page + ']}';
    return new Response(search.includes('?') ? bundle : page, { headers });
  },
};`;
