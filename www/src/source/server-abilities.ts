//! The abilities of the other server that the page is for: read once for each session, and kept for the notes about it.

import { signal } from '@preact/signals-core';
import { exchange } from '../http/send.ts';
import { BASE } from '../smart/server.ts';
import type { Session } from '../smart/session.ts';
import { type Abilities, abilitiesOf } from './abilities.ts';

/** The abilities of the session's server. Nothing before its answer; `'unknown'` where it gave none. */
export const serverAbilities = signal<Abilities | 'unknown' | undefined>(undefined);

let asked: { session: string; abilities: Promise<Abilities | undefined> } | undefined;

/** What the server of a session can do; nothing where it does not say it. */
export function abilitiesOfSession({ id, accessToken }: Session): Promise<Abilities | undefined> {
  if (asked?.session !== id) {
    asked = { session: id, abilities: askAbilities(BASE, accessToken) };
    void asked.abilities.then((found) => {
      serverAbilities.value = found ?? 'unknown';
    });
  }
  return asked.abilities;
}

/** Asks a server for its CapabilityStatement: as anybody, and with the token where anybody may not see it. */
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
