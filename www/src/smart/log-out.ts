//! Logging out: here, in the other tabs of the session, and at the server.

import * as oauth from 'oauth4webapi';
import { object, parsedAs, string } from '../shape.ts';
import { exchange } from '../source/http.ts';
import { discover, logOutUrl } from './discovery.ts';
import { oauthErrorText } from './oauth.ts';
import { CLIENT_ID, HOME } from './server.ts';
import { ended, endSession, launchKindShape, session, tellTabs } from './session.ts';

/** The key in sessionStorage of a log-out that is under way at the server. */
const KEY = 'edgechart.logout';
const underWay = object({ state: string, launch: launchKindShape });

/**
 * Forgets the session here and in its other tabs, revokes its tokens, and ends the sign-in at the server
 * (OpenID Connect RP-Initiated Logout 1.0), which leads back to the first page.
 */
export async function logOut(): Promise<void> {
  const now = session.value;
  if (!now) return;
  const tell = (says: string): void => ended.set({ says, launch: now.launch });
  endSession(now, 'Its tokens are being revoked…');
  tellTabs({ says: 'signed out', id: now.id });
  try {
    await revoke(now.refreshToken ?? now.accessToken);
    const url = await logOutUrl();
    if (!url) {
      tell('Its tokens were revoked. This server has no log-out of its own: at its pages you may still be signed in.');
      return;
    }
    tell('Its tokens were revoked. The sign-in at the server ends next…');
    const state = oauth.generateRandomState();
    sessionStorage.setItem(KEY, JSON.stringify({ state, launch: now.launch }));
    const hint = now.idToken ? { id_token_hint: now.idToken } : {};
    const parameters = { ...hint, client_id: CLIENT_ID, post_logout_redirect_uri: HOME, state };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    location.assign(url);
  } catch (error) {
    const why = `The server could not be told (${oauthErrorText(error)})`;
    tell(`Nothing of it is kept here. ${why}: there it may go on until it expires.`);
  }
}

/** Returns whether the server opened this page at the end of a log-out that this tab began. True only once. */
export function returnedFromLogOut(): boolean {
  try {
    const stored = parsedAs(underWay, sessionStorage.getItem(KEY));
    sessionStorage.removeItem(KEY);
    if (!stored?.state || new URLSearchParams(location.search).get('state') !== stored.state) return false;
    const says = 'Its tokens were revoked, and your sign-in at the server has ended.';
    ended.set({ says, launch: stored.launch });
    return true;
  } catch {
    return false;
  }
}

/** Revokes a token (RFC 7009), and returns the status of the answer. */
export async function revoke(token: string): Promise<number> {
  const { revocation_endpoint: url } = await discover();
  if (!url) throw new Error('The server names no revocation endpoint.');
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams({ token, client_id: CLIENT_ID }).toString();
  const { status } = await exchange(url, { method: 'POST', headers, body });
  return status;
}
