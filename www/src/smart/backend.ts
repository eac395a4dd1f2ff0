//! A token for the pages for developers, by client credentials, with the secret that a sandbox publishes.

import { checked, number, object, partial, string } from '#reading/shape.ts';
import type { Exchange } from '../http/exchange.ts';
import { exchange } from '../http/send.ts';
import { t } from '../language/message.ts';
import { discover } from './discovery.ts';
import { backendClient, loadSandbox } from './sandbox.ts';
import { type BackendToken, sandboxToken } from './sandbox-token.ts';
import { scopesIn } from './scopes.ts';

const tokenAnswer = object({ access_token: string }, { scope: string, expires_in: number });
/** The assumed lifetime of a token whose response has no `expires_in`, in seconds. */
const SHORTEST_LIFE = 60;
const errorAnswer = partial({ error: string });

export async function requestBackendToken(): Promise<BackendToken> {
  const [{ clients }, server] = await Promise.all([loadSandbox(), discover()]);
  const client = backendClient(clients);
  if (!client?.secret || !server.token_endpoint) throw new Error(t('This server publishes no backend client.'));
  const answer = await fetch(server.token_endpoint, {
    method: 'POST',
    cache: 'no-store',
    credentials: 'omit',
    headers: { Authorization: `Basic ${btoa(`${client.client_id}:${client.secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: singleTypes(client.scopes) }),
  });
  const body: unknown = await answer.json();
  if (!answer.ok) {
    const { error = answer.status } = checked(errorAnswer, body, 'the refusal');
    throw new Error(t('The server gave no token: {why}.', { why: String(error) }));
  }
  const {
    access_token: token,
    scope = singleTypes(client.scopes),
    expires_in: life = SHORTEST_LIFE,
  } = checked(tokenAnswer, body, 'the token response');
  return { token, scope, life, expiresAt: Date.now() + life * 1_000 };
}

/** A token is replaced if its remaining lifetime is not longer than this, in milliseconds. */
const LEEWAY = 30_000;

/** Requests a new token for the pages that share one. */
export async function takeSandboxToken(): Promise<BackendToken> {
  const taken = await requestBackendToken();
  sandboxToken.value = taken;
  return taken;
}

/** Asks with the token that pages share. Requests a new one if there is none, or if it expires soon. */
export async function askWithSandboxToken(url: string): Promise<Exchange> {
  const { value: held } = sandboxToken;
  const { token } = held && held.expiresAt > Date.now() + LEEWAY ? held : await takeSandboxToken();
  return exchange(url, {
    headers: { Accept: 'application/fhir+json,application/json', Authorization: `Bearer ${token}` },
  });
}

/** Returns the scopes of single types. They cover more types than the wildcard, which is a fixed list. */
function singleTypes(scopes = ''): string {
  const single = scopesIn(scopes).filter((one) => /^system\/[A-Z]\w+\.read$/.test(one));
  return single.join(' ') || 'system/*.read';
}
