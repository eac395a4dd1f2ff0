// The least that a search can cost on D1: a plain JavaScript Worker whose table has the entries of each page that it
// is asked for, one row each, beside each other. It gets them as one text, which SQLite has joined, and sends them with
// the same headers. It looks at no token, checks no query, and writes no line into a log.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/// Stands for the patient, the id or the identifier in questions.
export const PATIENT = 'PATIENT';

/// The entries of a Bundle, or a resource that was read by itself.
export const entriesOf = (answer) => (answer.resourceType === 'Bundle' ? (answer.entry ?? []) : [answer]);

/// What belongs to a connection, and is not the Worker's to send.
const OF_THE_CONNECTION = ['transfer-encoding', 'content-length', 'connection', 'date', 'content-encoding'];

/// Adds the table to the local database of a server: the entries of its answer to each search, which is sent with these
/// headers. Resolves to the modules of the plain Worker.
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

/// The text of its module.
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
