//! The signed-in user, by name, and whether the session is still valid at the server. One request answers both: it
//! reads the user's own record with the token, and an answer that refuses the token ends the session.

import { signal } from '@preact/signals-core';
import { nameOf } from '#reading/fhir/text.ts';
import { isOfType, type Resource } from '#reading/fhir/types.ts';
import { isNamed } from '../smart/scopes.ts';
import { other } from '../smart/server.ts';
import { onEndElsewhere, onWake, session } from '../smart/session.ts';
import { userAddress } from '../smart/user.ts';
import { files } from './files.ts';
import { server } from './server.ts';
import { resourceIn } from './source.ts';

/** The name of the user, or the address of the user's record if it is not readable; `undefined` if it is not shared. */
export const userName = signal<string | undefined>(undefined);

/** The least time between two checks of a session when its tab becomes visible again, in milliseconds. */
const ON_WAKE = 2_000;
/** The time between two checks of a session while its tab is visible, in milliseconds. */
const WHILE_SHOWN = 60_000;
let lookedAt = 0;

/** A wildcard, which opens Patient at either level. */
const OF_ALL_TYPES = /(?:^|\s)(?:patient|user)\/\*\.(?:read|rs)(?:\s|$)/;

/** Returns the name in a record of a person; `undefined` for other records. */
function nameIn(record: Resource): string | undefined {
  for (const type of ['Patient', 'Practitioner', 'RelatedPerson'] as const) {
    if (isOfType(type, record)) return nameOf(record.name);
  }
  return undefined;
}

/**
 * Checks the session of this tab. `readsItself`: the page reads with the token anyway, so that no request is sent only
 * for the check. No request is sent while a user's own files are open: their page says that nothing is
 * sent.
 */
export async function checkSession({ readsItself = false } = {}): Promise<void> {
  const now = session.value;
  if (!now) {
    userName.value = undefined;
    return;
  }
  lookedAt = Date.now();
  const user = userAddress(now);
  const grant = { scopes: now.scope, ...(now.patient && { patient: now.patient }) };
  const mayRead = (address: string | undefined): address is string => {
    const [type] = address?.split('/') ?? [];
    return type !== undefined && (isNamed(type, grant) || (type === 'Patient' && OF_ALL_TYPES.test(now.scope)));
  };
  // Another server may not accept every request from a page, and its refusal has little meaning.
  if (other || !mayRead(user)) userName.value = user;
  const patient = now.patient && !readsItself ? `Patient/${now.patient}` : undefined;
  const address = [user, patient].find(mayRead);
  if (other || !address || hasFiles()) return;
  try {
    const record = resourceIn(await server().read(address));
    if (session.value?.id === now.id && address === user) userName.value = nameIn(record) ?? user;
  } catch {
    // The session stays: without an answer, its validity is unknown.
    if (session.value?.id === now.id) userName.value ??= user;
  }
}

const hasFiles = (): boolean => files.value.is === 'open' || files.value.is === 'opening';

/** Checks again if the last check is older than some milliseconds. */
const lookIfOlder = (age: number): void => {
  if (Date.now() - lookedAt > age) void checkSession();
};

/** Checks the session of a visible tab again, since its access may have been withdrawn at the server. */
export function recheckSession(): void {
  if (!globalThis.document?.hidden) lookIfOlder(WHILE_SHOWN);
}

onEndElsewhere({ otherEnded: () => void checkSession() });
onWake(() => lookIfOlder(ON_WAKE));
