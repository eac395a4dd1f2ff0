//! Logging out: here, in every other tab, and at the server.

import * as oauth from 'oauth4webapi';
import { object, parsedAs, string } from '#reading/shape.ts';
import { exchange } from '../http/send.ts';
import { t } from '../language/message.ts';
import { isOtherPage } from '../routes.ts';
import { keepText, keptText } from '../storage.ts';
import { discover, logOutUrl } from './discovery.ts';
import { noteLogOut } from './ends.ts';
import { oauthErrorText } from './oauth.ts';
import { BASE, CLIENT_ID, HOME, other } from './server.ts';
import * as sessions from './session.ts';

/** The key in sessionStorage of a log-out that is under way at the server. */
const KEY = 'edgechart.logout';
const underWay = object({ state: string, launch: sessions.launchKindShape });

/** Returns the token whose revocation ends the grant of a session. */
const endingToken = ({ refreshToken, accessToken }: sessions.Session): string => refreshToken ?? accessToken;

// If the session of this tab is a different one, the tab that logged out does not know its tokens.
sessions.onEndElsewhere({
  ownEnded: (own) => void revoke(endingToken(own), own.clientId).catch(() => undefined),
});

/**
 * Deletes the sessions of all tabs, revokes the tokens, and ends the sign-in at the server (OpenID Connect RP-Initiated
 * Logout 1.0), which redirects to the first page. Another server is not asked for a redirect, because no such address
 * is registered there.
 */
export async function logOut(): Promise<void> {
  const now = sessions.session.value;
  if (!now) return;
  const tell = (says: () => string): void => {
    sessions.ended.value = { says, launch: now.launch };
  };
  endInAllTabs(now, () => t('Its access is being ended…'));
  try {
    const { revocation_endpoint: revocation } = await discover();
    if (!revocation && other) {
      tell(() => t('Nothing of it is kept here. This server does not revoke tokens: they last until they expire.'));
    } else {
      const status = await revoke(endingToken(now), now.clientId);
      if (status !== 200) throw new Error(status === 0 ? t('no answer') : `HTTP ${status}`);
      tell(() => t('The access of this app has ended. This server has no log-out: you may still be signed in there.'));
    }
    const url = await logOutUrl();
    if (!url) return;
    if (revocation) tell(() => t('The access of this app has ended. The sign-in at the server ends next…'));
    const hint = now.idToken ? { id_token_hint: now.idToken } : {};
    const parameters = { ...hint, client_id: now.clientId, ...(other ? {} : wayBack(now.launch)) };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    location.assign(url);
  } catch (error) {
    const why = oauthErrorText(error);
    tell(() =>
      t('Nothing of it is kept here. The server could not be told ({why}): there it may go on until it expires.', {
        why,
      }),
    );
  }
}

/** Ends the sessions of all tabs, this tab's first. */
function endInAllTabs(now: sessions.Session, says: () => string): void {
  sessions.endSession(now, says);
  noteLogOut();
  sessions.tellTabs({ says: 'signed out', id: now.id });
}

/** Stores the log-out that is under way, and returns the parameters for the redirect after it. */
function wayBack(launch: sessions.LaunchKind): Record<string, string> {
  const state = oauth.generateRandomState();
  sessionStorage.setItem(KEY, JSON.stringify({ state, launch }));
  return { post_logout_redirect_uri: HOME, state };
}

/** Returns whether the server opened this page at the end of a log-out that this tab began. True only once. */
export function returnedFromLogOut(): boolean {
  if (isOtherPage) return false;
  const stored = parsedAs(underWay, keptText('sessionStorage', KEY));
  keepText('sessionStorage', KEY, undefined);
  if (!stored?.state || new URLSearchParams(location.search).get('state') !== stored.state) return false;
  const says = (): string => t('The access of this app has ended, and so has your sign-in at the server.');
  sessions.ended.value = { says, launch: stored.launch };
  return true;
}

/** Revokes a token (RFC 7009) at a server, and returns the status of the answer. */
export async function revoke(token: string, clientId = CLIENT_ID, base = BASE): Promise<number> {
  const { revocation_endpoint: url } = await discover(base);
  if (!url) throw new Error(t('The server names no revocation endpoint.'));
  const body = new URLSearchParams({ token, client_id: clientId });
  return (await exchange(url, { method: 'POST', body })).status;
}

/** Revokes the access token of a session, which ends its whole grant, and the sessions of all tabs. */
export async function revokeAccess(now: sessions.Session): Promise<number> {
  const status = await revoke(now.accessToken, now.clientId);
  if (status === 200) endInAllTabs(now, () => t('Its access token was revoked: the whole grant has ended.'));
  return status;
}
