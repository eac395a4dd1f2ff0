// The cases of tests/cases/ over HTTP, in workerd, once from D1 and once from shelves in KV. tests/cases/README.md says what they may say.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BASE, found, stage } from '../server/stage.mjs';

/// Headers that are a request's own.
const OWN = ['date', 'x-request-id', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'server-timing'];

const texts = (value) => [value ?? []].flat();
const link = (bundle, relation) => bundle.link?.find((link) => link.relation === relation)?.url;
const issueOf = (body) => (body?.resourceType === 'OperationOutcome' ? body
  : body?.entry?.find((entry) => entry.search.mode === 'outcome')?.resource)?.issue?.[0];

const files = readdirSync('tests/cases').filter((name) => name.endsWith('.json'));
for (const [name, store] of files.flatMap((name) => [[name, 'd1'], [name, 'kv']])) {
  test(`${name} in workerd on ${store.toUpperCase()}`, async (t) => {
    const file = JSON.parse(readFileSync(join('tests/cases', name)));
    const server = await stage({ store });
    t.after(server.close);
    const data = join(server.state, 'case.ndjson');
    writeFileSync(data, file.data.map((resource) => `${JSON.stringify(resource)}\n`).join(''));
    server.load(data);
    await server.enrol(file.access ?? {});
    const tokens = Object.fromEntries(Object.entries(file.grants).map(([grant, { scopes, patient, user }]) =>
      [grant, server.token(scopes, { patient, user })]));
    const seen = new Map();
    for (const { name: title, grant, ask, method = 'GET', form, headers = {}, expect } of file.cases) {
      await t.test(title, async () => {
        const token = grant && tokens[grant];
        const body = method === 'POST' ? (form ?? '') : undefined;
        const type = form !== undefined && !Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
          ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
        const answer = await server.ask(ask.replaceAll('{base}', BASE), { token, method, body, headers: { ...type, ...headers } });
        assert.equal(answer.status, expect.status ?? 200, answer.text);
        if (expect.ids) {
          const page = found(answer.body);
          assert.deepEqual(page.ids, expect.ids);
          assert.deepEqual(page.included.sort(), expect.included ?? []);
        }
        if (expect.pages) {
          const pages = [found(answer.body).ids];
          for (let next = link(answer.body, 'next'); next; ) {
            const page = await server.ask(next, { token });
            assert.equal(page.status, 200, page.text);
            pages.push(found(page.body).ids);
            next = link(page.body, 'next');
          }
          assert.deepEqual(pages, expect.pages);
        }
        if ('total' in expect) assert.equal(answer.body.total ?? null, expect.total);
        if (expect.self) assert.equal(link(answer.body, 'self'), `${BASE}/${expect.self}`);
        const issue = issueOf(answer.body);
        assert.equal(issue?.code, expect.issue, answer.text);
        if (expect.expression) assert.equal(issue.expression?.[0], expect.expression);
        if (expect.diagnostics) assert.ok(issue.diagnostics?.includes(expect.diagnostics), answer.text);
        if (expect.challenge) assert.ok(answer.headers.get('www-authenticate')?.includes(expect.challenge), answer.headers.get('www-authenticate'));
        for (const [header, value] of Object.entries(expect.headers ?? {})) assert.equal(answer.headers.get(header), value, header);
        for (const part of texts(expect.contains)) assert.ok(answer.text.includes(part), `${part} is not in ${answer.text}`);
        for (const part of texts(expect.lacks)) assert.ok(!answer.text.includes(part), `${part} is in ${answer.text}`);
        const all = Object.fromEntries([...answer.headers].filter(([header]) => !OWN.includes(header)));
        const whole = { status: answer.status, headers: all, timing: answer.status === 404 && answer.headers.get('server-timing'), text: answer.text };
        if (expect.same_as) assert.deepEqual(whole, seen.get(expect.same_as));
        seen.set(title, whole);
      });
    }
  });
}
