// What every search takes of the runtime, in one call each: a step from wasm to JavaScript and back costs as much as most of
// what is done there. Several texts cross as one, with the length of each in UTF-16 code units.

// Runs statements as one batch: of each the SQL, then its binds, of which it has as many as `counts` says.
export function batch(database, constraint, text, lengths, counts) {
  const session = database.withSession(constraint);
  const prepared = [];
  let at = 0;
  let part = 0;
  for (let n = 0; n < counts.length; n += 1) {
    const sql = text.slice(at, at += lengths[part++]);
    const binds = [];
    for (let bind = 0; bind < counts[n]; bind += 1) binds.push(text.slice(at, at += lengths[part++]));
    prepared.push(session.prepare(sql).bind(...binds));
  }
  return session.batch(prepared);
}

const rows = ({ results }) => results ?? [];

// How many rows it has.
export const rowCount = (answer) => rows(answer).length;

// How many rows the database read for it.
export const rowsRead = ({ meta }) => meta?.rows_read ?? 0;

// What stands in that column of that row, as text; nothing where it is null.
export function cell(answer, row, column) {
  const value = rows(answer)[row]?.[column] ?? undefined;
  return value === undefined ? undefined : String(value);
}

// The texts in the column `entry` of the first rows, but for those where it is null.
export function entries(answer, most) {
  const texts = [];
  for (const { entry } of rows(answer).slice(0, most)) if (entry !== null) texts.push(entry);
  return texts;
}

// One text of all: each of `stored` with the text that stands before it, and the one behind the last.
export function spliced(text, lengths, stored) {
  const parts = [];
  let at = 0;
  for (let n = 0; n < stored.length; n += 1) parts.push(text.slice(at, at += lengths[n]), stored[n]);
  parts.push(text.slice(at));
  return parts.join('');
}

// A response with the headers of its class, and its own: names and values in turn. What has no body has no type.
export function response(body, status, ofClass, text, lengths) {
  const headers = { ...ofClass };
  let at = 0;
  for (let n = 0; n < lengths.length; n += 2) {
    headers[text.slice(at, at += lengths[n])] = text.slice(at, at += lengths[n + 1]);
  }
  if (body === null) delete headers['Content-Type'];
  return new Response(body, { status, headers });
}
