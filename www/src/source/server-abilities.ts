//! The abilities of the other server of the page: read once for each session, and kept for the notes about it.

import { signal } from '@preact/signals-core';
import { exchange } from '../http/send.ts';
import { BASE } from '../smart/server.ts';
import type { Session } from '../smart/session.ts';
import { type Abilities, abilitiesOf } from './abilities.ts';

/** The abilities of the session's server. `undefined` before its answer; `'unknown'` if it gave none. */
export const serverAbilities = signal<Abilities | 'unknown' | undefined>(undefined);

let asked: { session: string; abilities: Promise<Abilities | undefined> } | undefined;

/** Returns the abilities of a session's server; `undefined` if it does not state them. */
export function abilitiesOfSession({ id, accessToken }: Session): Promise<Abilities | undefined> {
  if (asked?.session !== id) {
    asked = { session: id, abilities: askAbilities(BASE, accessToken) };
    void asked.abilities.then((found) => {
      serverAbilities.value = found ?? 'unknown';
    });
  }
  return asked.abilities;
}

/** Requests a server's CapabilityStatement: without a token, and with the token if that is refused. */
export async function askAbilities(base: string, accessToken?: string): Promise<Abilities | undefined> {
  const headers = { Accept: 'application/fhir+json' };
  const first = await exchange(`${base}/metadata`, { headers });
  const isRefused = first.status === 401 || first.status === 403;
  const { status, body } =
    isRefused && accessToken !== undefined
      ? await exchange(`${base}/metadata`, { headers: { ...headers, Authorization: `Bearer ${accessToken}` } })
      : first;
  return status === 200 ? abilitiesOf(body) : undefined;
}
