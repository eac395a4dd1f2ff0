// Checks answers against the expectations of cases, over HTTP and in the browser module. README.md describes the
// members of a case.

import assert from 'node:assert/strict';
import { found } from '../../tools/server/stage.mjs';

/// Headers that differ from request to request.
const OWN = [
  'date',
  'x-request-id',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'server-timing',
];

const texts = (value) => [value ?? []].flat();
const link = (bundle, relation) => bundle.link?.find((link) => link.relation === relation)?.url;
const cursorOf = (bundle) => new URL(link(bundle, 'next')).searchParams.get('_cursor');
const issueOf = (body) =>
  (body?.resourceType === 'OperationOutcome'
    ? body
    : body?.entry?.find((entry) => entry.search.mode === 'outcome')?.resource
  )?.issue?.[0];

/// Replaces the parts of a text in braces, as README.md describes.
export const spelled = (text, { base, seen }) =>
  text.replace(/\{([^}]*)\}/g, (_, inside) => {
    if (inside === 'base') return base;
    const [times, what] = inside.split(/\*(.*)/s);
    if (what !== undefined) {
      return Array.from({ length: Number(times) }, (_, at) => what.replaceAll('#', String(1000 + at))).join('');
    }
    return cursorOf(JSON.parse(seen.get(inside).text));
  });

/// Returns the text of an answer without the values of its Bundle that change each time, which may contain any digits.
function withoutChance({ text, body }) {
  if (body?.resourceType !== 'Bundle') return text;
  const values = [body.id, body.meta?.lastUpdated, link(body, 'next') && cursorOf(body)];
  return values.filter(Boolean).reduce((rest, value) => rest.replaceAll(value, ''), text);
}

/// Checks an answer, `{status, headers, text, body}`, against the expectations of its case. An answer without HTTP has
/// no headers, and its status says only whether it is a refusal. `follow` fetches a link. `seen` contains the earlier
/// answers of the file.
export async function check({ name, expect }, answer, { base, follow, seen }) {
  const status = expect.status ?? 200;
  if (answer.headers) assert.equal(answer.status, status, answer.text);
  else assert.equal(answer.status >= 400, status >= 400, answer.text);
  if (expect.ids) {
    const page = found(answer.body);
    assert.deepEqual(page.ids, expect.ids);
    assert.deepEqual(page.included.sort(), expect.included ?? []);
  }
  if (expect.pages) {
    const pages = [found(answer.body).ids];
    for (let next = link(answer.body, 'next'); next; ) {
      const page = await follow(next);
      assert.equal(page.status, 200, page.text);
      pages.push(found(page.body).ids);
      next = link(page.body, 'next');
    }
    assert.deepEqual(pages, expect.pages);
  }
  if ('total' in expect) assert.equal(answer.body.total ?? null, expect.total);
  if (expect.self) assert.equal(link(answer.body, 'self'), `${base}/${expect.self}`);
  const issue = issueOf(answer.body);
  assert.equal(issue?.code, expect.issue, answer.text);
  if (expect.expression) assert.equal(issue.expression?.[0], expect.expression);
  if (expect.diagnostics) assert.ok(issue.diagnostics?.includes(expect.diagnostics), answer.text);
  for (const part of texts(expect.contains)) assert.ok(answer.text.includes(part), `${part} is not in ${answer.text}`);
  const text = withoutChance(answer);
  for (const part of texts(expect.lacks)) assert.ok(!text.includes(part), `${part} is in ${text}`);
  const whole = { status: answer.status, text: answer.text };
  if (answer.headers) {
    if (expect.challenge) {
      assert.ok(
        answer.headers.get('www-authenticate')?.includes(expect.challenge),
        answer.headers.get('www-authenticate'),
      );
    }
    for (const [header, value] of Object.entries(expect.headers ?? {})) {
      assert.equal(answer.headers.get(header), value, header);
    }
    whole.headers = Object.fromEntries([...answer.headers].filter(([header]) => !OWN.includes(header)));
    whole.timing = answer.status === 404 && answer.headers.get('server-timing');
  }
  // Without HTTP, the other case may have been skipped.
  if (expect.same_as && (answer.headers || seen.has(expect.same_as))) assert.deepEqual(whole, seen.get(expect.same_as));
  seen.set(name, whole);
}
