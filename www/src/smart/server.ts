//! The server of the page: the one that the app came from, or, on the page for other servers alone, the one that was
//! chosen in this tab. It is the same for the life of the page, and no address names it, so that no crafted link can
//! make the app hand a code or a token to another server.

import { isOtherPage, OTHER_PAGE } from '../routes.ts';
import { serverBase } from './address.ts';
import { chosenServer, type Registration } from './servers.ts';

export const ORIGIN = location.origin;
/** The FHIR base of the server that the app came from. */
export const OWN_BASE = `${ORIGIN}/fhir/r4`;

/** The other server that the page is for. */
export const other: Registration | undefined = isOtherPage ? chosenServer() : undefined;

/** The base of no server, for the page for other servers while none is chosen: it never resolves (RFC 2606). */
const NO_BASE = 'https://no-server.invalid';

/**
 * The address that a server leads back to. That of another server names it: a code that comes back at the address of
 * one server is never sent to another, also where the answer does not name its issuer (RFC 9700, section 4.4.2).
 */
export const redirectFor = (base: string): string =>
  base === OWN_BASE
    ? `${ORIGIN}/callback.html`
    : `${ORIGIN}${OTHER_PAGE}?at=${base.replace(/[%&+]/g, encodeURIComponent)}`;

/** The address that an EHR opens to launch the app. */
export const LAUNCH = `${ORIGIN}/launch.html`;

export const BASE = isOtherPage ? (other?.base ?? NO_BASE) : OWN_BASE;
export const CLIENT_ID = isOtherPage ? (other?.clientId ?? '') : 'demo-app';
export const REDIRECT = redirectFor(BASE);
/** The registered address that our server's log-out leads back to. */
export const HOME = `${ORIGIN}/`;

/** The name of an entry in a storage, of a lock or of a channel: each server has its own. */
export const serverKey = (name: string, base = BASE): string => (isOtherPage ? `${name} ${base}` : name);

/** Removes what this tab keeps of another server. */
export function dropEntriesOf(base: string): void {
  for (const name of Object.keys(sessionStorage)) if (name.endsWith(` ${base}`)) sessionStorage.removeItem(name);
}

/** The base of another server that a text names; nothing for a text that names none, or something at our own origin. */
export function otherBase(text: string): string | undefined {
  const base = serverBase(text);
  return base !== undefined && new URL(base).origin !== ORIGIN ? base : undefined;
}

/** Returns whether an issuer is the base of our own server, with or without a slash at its end. */
export const isOurs = (iss: string): boolean => iss.replace(/\/$/, '') === OWN_BASE;
