// The cases of tests/cases/ over HTTP, in workerd on D1. tests/cases/README.md says what they may say.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { check, spelled } from '../cases/checks.mjs';
import { BASE, stage } from '../server/stage.mjs';

for (const name of readdirSync('tests/cases').filter((name) => name.endsWith('.json'))) {
  test(`${name} in workerd on D1`, async (t) => {
    const file = JSON.parse(readFileSync(join('tests/cases', name)));
    const server = await stage();
    t.after(server.close);
    const data = join(server.state, 'case.ndjson');
    writeFileSync(data, file.data.map((resource) => `${JSON.stringify(resource)}\n`).join(''));
    server.load(data);
    await server.enrol(file.access ?? {});
    const tokens = Object.fromEntries(Object.entries(file.grants).map(([grant, { scopes, patient, user }]) =>
      [grant, server.token(scopes, { patient, user })]));
    const seen = new Map();
    for (const one of file.cases) {
      const { grant, ask, method = 'GET', form, headers = {} } = one;
      await t.test(one.name, async () => {
        const token = grant && tokens[grant];
        const body = method === 'POST' ? spelled(form ?? '', { base: BASE, seen }) : undefined;
        const type = form !== undefined && !Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
          ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
        const answer = await server.ask(spelled(ask, { base: BASE, seen }), { token, method, body, headers: { ...type, ...headers } });
        await check(one, answer, { base: BASE, follow: (link) => server.ask(link, { token }), seen });
      });
    }
  });
}
