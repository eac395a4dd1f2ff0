// What is withdrawn ends at once, wherever the records come from.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stage } from '../server/stage.mjs';

for (const store of ['d1', 'kv']) {
  test(`a token that its client gives back opens nothing any more, on ${store}`, async () => {
    const server = await stage({ data: ['sample'], store });
    try {
      const post = (path, form) => fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa('backend-basic:sandbox-basic-secret')}` },
        body: new URLSearchParams(form),
      });
      const issue = async () => (await (await post('/oauth/token', { grant_type: 'client_credentials', scope: 'system/*.read' })).json()).access_token;
      const [given, kept] = [await issue(), await issue()];
      const paths = ['Patient/amara-okafor', 'Observation?patient=amara-okafor&_count=1'];
      const statuses = async (token) => Promise.all(paths.map(async (path) => (await server.ask(path, { token })).status));
      assert.deepEqual([await statuses(given), await statuses(given), await statuses(kept)], [[200, 200], [200, 200], [200, 200]]);
      assert.equal((await post('/oauth/revoke', { token: given })).status, 200);
      assert.deepEqual(await statuses(given), [401, 401]);
      assert.deepEqual(await statuses(kept), [200, 200]);
    } finally {
      await server.close();
    }
  });
}
