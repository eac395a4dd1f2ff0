// Forms, a client with a secret, and one that sends records to /ingest as a hospital system does.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf } from '../../tools/server/raw.mjs';

/// The registration of the client that sends.
export const EHR = {
  client_id: 'ehr',
  kind: 'ingest',
  secret: 'a-secret-of-the-interface-engine',
  scopes: 'system/*.write',
};

export const basic = (id, secret) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` });

/// Posts a form to a server. Resolves to {status, headers, text, body}.
export const postForm = async ({ url }, path, form, headers = {}) =>
  answerOf(
    await fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(form), headers, redirect: 'manual' }),
  );

/// Resolves to the answer of the EHR simulator, which has the `launch_uri` of an app.
export const launchByEhr = (server, form) => postForm(server, '/sandbox/launch', form, { accept: 'application/json' });

/// Resolves to the answer of the token endpoint to a client with a secret.
export async function granted(server, { client_id: id, secret }, scope) {
  const form = { grant_type: 'client_credentials', ...(scope && { scope }) };
  return (await postForm(server, '/oauth/token', form, basic(id, secret))).body;
}

/// Resolves to functions of a client that sends: `post` and `status` resolve to {status, headers, body}, `ended` waits
/// for the end of an accepted job and resolves to its report, and `send` posts and waits.
export async function senderOf(server, client = EHR) {
  const { access_token: token } = await granted(server, client);
  const authorization = `Bearer ${token}`;
  const ask = async (path, init) => answerOf(await fetch(`${server.url}${path}`, init));
  const post = (body, headers = {}) =>
    ask('/ingest', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/fhir+ndjson', ...headers },
      body,
    });
  const status = (location, bearer = token) =>
    ask(new URL(location).pathname, { headers: { authorization: `Bearer ${bearer}` } });
  const ended = async ({ status: accepted, headers, body }) => {
    assert.equal(accepted, 202, JSON.stringify(body));
    for (;;) {
      const answer = await status(headers.get('content-location'));
      if (answer.status === 200) return answer.body;
      assert.equal(answer.status, 202);
      await sleep(50);
    }
  };
  const send = async (body, headers) => ended(await post(body, headers));
  return { token, post, status, ended, send };
}
