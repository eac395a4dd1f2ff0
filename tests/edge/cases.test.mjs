// The cases of tests/cases/ over HTTP, in workerd, once from D1 and once from shelves in KV. tests/cases/README.md
// describes the members of a case.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodeJwt } from 'jose';
import { BASE, ndjson, stage } from '../../tools/server/stage.mjs';
import { check, spelled } from '../cases/checks.mjs';

const files = readdirSync('tests/cases').filter((name) => name.endsWith('.json'));
for (const [name, store] of files.flatMap((name) => [
  [name, 'd1'],
  [name, 'kv'],
])) {
  test(`${name} in workerd on ${store.toUpperCase()}`, async (t) => {
    const file = JSON.parse(readFileSync(join('tests/cases', name)));
    const server = await stage({ store, index: file.index ?? 'r4', vars: { PUBLIC: file.public ?? '' } });
    t.after(server.close);
    server.loadText(ndjson(...file.data));
    if (file.access) server.enrol(file.access);
    const limited = Object.entries(file.grants).filter(([, { groups }]) => groups);
    const registered = { kind: 'backend', secret: 'a-secret-of-some-length' };
    const apps = limited.map(([id, { scopes, groups }]) => ({ client_id: id, ...registered, scopes, groups }));
    if (apps.length > 0) server.registerApps(apps);
    const tokens = Object.fromEntries(
      Object.entries(file.grants).map(([grant, { scopes, groups, ...whom }]) => [
        grant,
        server.token(scopes, { ...whom, client: groups && grant }),
      ]),
    );
    const seen = new Map();
    const run = async (one) => {
      const { grant, ask, method = 'GET', form, headers = {} } = one;
      const token = grant && tokens[grant];
      const body = method === 'POST' ? spelled(form ?? '', { base: BASE, seen }) : undefined;
      const type =
        form !== undefined && !Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
          ? { 'content-type': 'application/x-www-form-urlencoded' }
          : {};
      const answer = await server.ask(spelled(ask, { base: BASE, seen }), {
        token,
        method,
        body,
        headers: { ...type, ...headers },
      });
      await check(one, answer, { base: BASE, follow: (link) => server.ask(link, { token }), seen });
      if (!one.expect.audit) return;
      const [line] = await server.audit(answer.headers.get('x-request-id'));
      for (const [member, value] of Object.entries(one.expect.audit)) {
        assert.deepEqual(line[member] ?? null, value, member);
      }
      if (token) assert.equal(line.client, decodeJwt(token).client_id);
    };
    // A test for each case would take as long as the cases.
    const failed = [];
    for (const one of file.cases) {
      await run(one).catch((error) => failed.push(`${one.name}: ${error.message}`));
    }
    assert.deepEqual(failed, []);
    t.diagnostic(`${file.cases.length} cases`);
  });
}
