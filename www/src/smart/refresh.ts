//! The lifetime of an access token. One tab at a time refreshes it, and it ends when the server refuses it.

import * as oauth from 'oauth4webapi';
import { number, object, parsedAs, string } from '#reading/shape.ts';
import { t } from '../language/message.ts';
import { keepText, keptText } from '../storage.ts';
import { discover } from './discovery.ts';
import { oauthOptions, responseMembers } from './oauth.ts';
import { serverKey } from './server.ts';
import {
  endEverywhere,
  endIfEndedElsewhere,
  onWake,
  type Session,
  session,
  storeSession,
  tellTabs,
} from './session.ts';

/** A token with a shorter remaining lifetime than this, in milliseconds, is refreshed before use. */
const NEARLY_EXPIRED = 10_000;

/** The time limit, in milliseconds, for another tab to hand on tokens that it has received. */
const ASKING = 5000;

/** The storage key of the last refreshed session and its generation, for tabs that missed the message. */
const REFRESHED = serverKey('edgechart.refreshed');
const refreshedShape = object({ id: string, generation: number });

/** Returns whether another tab has newer tokens of a session. */
function isRefreshedElsewhere({ id, generation }: Session): boolean {
  const noted = parsedAs(refreshedShape, keptText('localStorage', REFRESHED));
  return noted?.id === id && noted.generation > generation;
}

/** Asks the other tabs for newer tokens, and returns whether one has handed them on. */
function handedOn({ id, generation }: Session): Promise<boolean> {
  tellTabs({ says: 'who is newer', id, generation });
  return new Promise((done) => {
    const timer = setTimeout(() => end(false), ASKING);
    const stop = session.subscribe((now) => {
      if (now?.id !== id || now.generation > generation) end(true);
    });
    function end(isNewer: boolean): void {
      clearTimeout(timer);
      // A signal calls at once, before there is something to stop.
      queueMicrotask(() => stop());
      done(isNewer);
    }
  });
}

/** Returns the access token. Refreshes it first if it expires soon. */
export async function bearer(): Promise<string | undefined> {
  endIfEndedElsewhere();
  const now = session.value;
  if (now?.refreshToken && now.expiresAt - Date.now() < NEARLY_EXPIRED) await refresh();
  return session.value?.accessToken;
}

/** Gets new tokens, and returns whether the session has them. A lock keeps two tabs from refreshing at once. */
export async function refresh(): Promise<boolean> {
  const before = session.value;
  if (!before?.refreshToken) return false;
  const run = (): Promise<boolean> => refreshAlone(before.generation);
  return 'locks' in navigator ? navigator.locks.request(`edgechart ${before.id}`, run) : run();
}

async function refreshAlone(generation: number): Promise<boolean> {
  const now = session.value;
  if (!now?.refreshToken) return false;
  if (now.generation > generation) return true;
  if (isRefreshedElsewhere(now) && (await handedOn(now))) return session.value?.id === now.id;
  try {
    const next = await requestTokens(now, now.refreshToken);
    // If the session has ended meanwhile, it stays ended.
    if (session.value?.id !== now.id) return false;
    storeSession(next);
    keepText('localStorage', REFRESHED, JSON.stringify({ id: next.id, generation: next.generation }));
    tellTabs({ says: 'refreshed', session: next });
    return true;
  } catch (error) {
    // Without a refusal the session is kept, until the server can be reached again.
    if (isRefusal(error)) expire();
    return false;
  }
}

async function requestTokens(now: Session, refreshToken: string): Promise<Session> {
  const server = await discover();
  const client: oauth.Client = { client_id: now.clientId };
  const answer = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    refreshToken,
    oauthOptions('refresh'),
  );
  const result = await oauth.processRefreshTokenResponse(server, client, answer);
  return {
    ...now,
    generation: now.generation + 1,
    scope: result.scope ?? now.scope,
    accessToken: result.access_token,
    expiresAt: Date.now() + (result.expires_in ?? 300) * 1000,
    obtainedAt: Date.now(),
    response: responseMembers(result),
    ...(result.refresh_token ? { refreshToken: result.refresh_token } : {}),
    ...(result.id_token ? { idToken: result.id_token } : {}),
  };
}

/** Returns whether the server refused (RFC 6749, section 5.2), and did not merely fail. */
const isRefusal = (error: unknown): boolean => error instanceof oauth.ResponseBodyError && error.status < 429;

/** Ends the session after the server refused its token and there is no way to get another one. */
export function expire(): void {
  if (session.value) {
    endEverywhere(session.value, () =>
      t('The server no longer accepts this session: it has expired, or the access was withdrawn.'),
    );
  }
}

/** Ends a session without a refresh token when its time is over. */
export function endIfExpired(): void {
  const now = session.value;
  if (now && !now.refreshToken && now.expiresAt <= Date.now()) {
    endEverywhere(now, () =>
      t('The session has expired. It could not be prolonged: staying signed in was not granted.'),
    );
  }
}

// The timers of a page that is not shown come late.
onWake(endIfExpired);
