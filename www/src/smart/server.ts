//! The server that this app is registered with: the one that it came from. The app launches nowhere else, so that no
//! crafted link can make it hand a code or a token to another server.

export const ORIGIN = location.origin;
export const BASE = `${ORIGIN}/fhir/r4`;
export const CLIENT_ID = 'demo-app';
export const REDIRECT = `${ORIGIN}/callback.html`;
/** The registered address that the server's log-out leads back to. */
export const HOME = `${ORIGIN}/`;

/** Returns whether an issuer is our base, with or without a slash at its end. */
export const isOurs = (iss: string): boolean => iss.replace(/\/$/, '') === BASE;
