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

/** The placeholder base on the page for other servers while none is chosen. It never resolves (RFC 2606). */
const NO_BASE = 'https://no-server.invalid';

/**
 * Returns the redirect URI for a server. The redirect URI for another server contains its base, so that a code from one
 * server is never sent to another, even if the answer does not name its issuer (RFC 9700, section 4.4.2).
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
/** The registered address to which our server redirects after a log-out. */
export const HOME = `${ORIGIN}/`;

/** Returns the name of a storage entry, a lock or a channel. Each other server has its own. */
export const serverKey = (name: string, base = BASE): string => (isOtherPage ? `${name} ${base}` : name);

/** Removes the entries of another server from the storage of this tab. */
export function dropEntriesOf(base: string): void {
  for (const name of Object.keys(sessionStorage)) if (name.endsWith(` ${base}`)) sessionStorage.removeItem(name);
}

/** Returns the base of another server in a text. A text that is no base, or is at our own origin, gives nothing. */
export function otherBase(text: string): string | undefined {
  const base = serverBase(text);
  return base !== undefined && new URL(base).origin !== ORIGIN ? base : undefined;
}

/** Returns whether an issuer is the base of our own server, with or without a trailing slash. */
export const isOurs = (iss: string): boolean => iss.replace(/\/$/, '') === OWN_BASE;
