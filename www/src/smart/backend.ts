//! A token for the playground, by client credentials, with the secret that a sandbox publishes. It lives in memory only;
//! outside of a sandbox there is none.

import { discover } from './discovery.ts';
import { sandboxData } from './sandbox.ts';

export async function backendToken(): Promise<{ token: string; scope: string }> {
  const [{ clients }, server] = await Promise.all([sandboxData(), discover()]);
  const client = clients.find(({ kind, secret, disabled }) => kind === 'backend' && secret && !disabled);
  if (!client?.secret || !server.token_endpoint) throw new Error('This server publishes no backend client.');
  // Single types open more than the wildcard, which is a fixed list.
  const scope =
    (client.scopes ?? '')
      .split(/\s+/)
      .filter((one) => /^system\/[A-Z]\w+\.read$/.test(one))
      .join(' ') || 'system/*.read';
  const answer = await fetch(server.token_endpoint, {
    method: 'POST',
    cache: 'no-store',
    credentials: 'omit',
    headers: { Authorization: `Basic ${btoa(`${client.client_id}:${client.secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
  });
  const body = (await answer.json()) as { access_token?: string; scope?: string; error?: string };
  if (!answer.ok || !body.access_token) throw new Error(`The server gave no token: ${body.error ?? answer.status}.`);
  return { token: body.access_token, scope: body.scope ?? scope };
}
