// What every search takes of the runtime, in one call each: a step from wasm to JavaScript and back costs as much as most of
// what is done there. Several texts cross as one, with the length of each in UTF-16 code units.

// Method, scheme, what stands behind the origin in the address, and headers of those names, a line each; for a header that is not
// there a NUL. The origin ends at the first slash behind `https://`.
export function head({ method, url, headers }, names) {
  let lines = `${method}\n${url.startsWith('https:') ? 'https' : 'http'}\n${url.slice(url.indexOf('/', 8))}`;
  for (const name of names) lines += `\n${headers.get(name) ?? '\0'}`;
  return lines;
}

// Runs statements as one batch, in a session of its own, which begins at the nearest replica (0) or at the primary (1), or
// without one, at the primary (2): of each the SQL, then its binds, of which it has as many as `counts` says.
export function batch(database, kind, text, lengths, counts) {
  const session = kind > 1 ? database : database.withSession(kind ? 'first-primary' : 'first-unconstrained');
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

// Says of a promise that it may be rejected before anything waits for it: then that is not reported as an oversight.
export const expected = (promise) => {
  promise.catch(() => {});
};

// Writes of each answer how many rows it has, and how many the database read for it.
export function sizes(answers, into) {
  let at = 0;
  for (const { results, meta } of answers) {
    into[at++] = results?.length;
    into[at++] = meta?.rows_read;
  }
}

// What stands in that column of that row of an answer, as text; nothing where it is null.
export function cell(answers, at, row, column) {
  const value = answers[at].results?.[row]?.[column] ?? undefined;
  return value === undefined ? undefined : String(value);
}

// The texts in the column `entry` of the first rows of an answer, but for those where it is null; nothing where there are none.
export function entries(answers, at, most) {
  const texts = [];
  for (const { entry } of (answers[at].results ?? []).slice(0, most)) if (entry !== null) texts.push(entry);
  return texts.length > 0 ? texts : undefined;
}

// The ids in the column `owner` of the first rows of an answer, but for those whose `entry` is null: each once, with a line's end
// between each two. The column has ids with other characters around them.
export function owners(answers, at, most) {
  const ids = new Set();
  for (const { owner, entry } of (answers[at].results ?? []).slice(0, most)) {
    if (owner && entry !== null) for (const id of owner.match(/[A-Za-z0-9.-]+/g) ?? []) ids.add(id);
  }
  return [...ids].join('\n');
}

// A response, and before it the lines that the log has of it, as many as `logged` says: they are the first texts. A body that is
// not given is one text of all: each of `stored`, a string or a run of them, with the text that stands before it, and the one behind the last.
// What an array is as text has a comma between each two. The headers are those of its class, and `own` of its own, of which name
// and value are the last texts. What has no body has no type.
export function response(status, headers, own, logged, body, text, lengths, stored) {
  let at = 0;
  let nth = 0;
  const next = () => text.slice(at, at += lengths[nth++]);
  for (; logged > 0; logged -= 1) console.log(next());
  if (body === undefined) {
    body = '';
    for (const one of stored) body += next() + one.toString();
    body += next();
  }
  const response = new Response(body, { status, headers });
  const said = response.headers;
  for (let left = own; left > 0; left -= 1) {
    const name = next();
    if (name === 'Set-Cookie') said.append(name, next());
    else said.set(name, next());
  }
  if (body === null) said.delete('Content-Type');
  return response;
}
