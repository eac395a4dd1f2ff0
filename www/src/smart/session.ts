//! What the authorization gave: held for this tab alone (sessionStorage), refreshed by one tab at a time, forgotten on log-out.
//!
//! A tab that was duplicated has the same refresh token, and the server takes each one once: refreshing is done under a lock,
//! and who holds a newer token passes it on. Another tab's own session is none of our business.

import * as oauth from 'oauth4webapi';
import { watched } from '../state.ts';
import { forgetAnswers, noted } from '../source/log.ts';
import { exchange } from '../source/http.ts';
import { discover, endSessionEndpoint } from './discovery.ts';
import { CLIENT_ID, HOME } from './server.ts';

export interface Session {
  id: string;
  /** Grows with each refresh. */
  generation: number;
  clientId: string;
  issuer: string;
  launch: 'patient' | 'practitioner' | 'ehr';
  requested: string;
  scope: string;
  accessToken: string;
  refreshToken?: string;
  idToken?: string;
  nonce?: string;
  patient?: string;
  encounter?: string;
  fhirUser?: string;
  expiresAt: number;
  obtainedAt: number;
  response: Record<string, unknown>;
}

const KEY = 'edgechart.session';
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('edgechart') : undefined;

type Word =
  | { says: 'signed out'; id: string }
  | { says: 'who is newer'; id: string; generation: number }
  | { says: 'refreshed'; session: Session };

export const session = watched<Session | undefined>(kept());
/** How the last session of this tab ended: why, in a sentence, and how it had been launched. */
export interface Ended {
  says: string;
  launch: Session['launch'];
}
export const ended = watched<Ended | undefined>(undefined);

function kept(): Session | undefined {
  try {
    const text = sessionStorage.getItem(KEY);
    return text ? (JSON.parse(text) as Session) : undefined;
  } catch {
    return undefined;
  }
}

export function begin(next: Session): void {
  ended.set(undefined);
  keep(next);
}

/** Forgets the session and what it read; the page then says why. */
function end(of: Session, says: string): void {
  ended.set({ says, launch: of.launch });
  forgetAnswers();
  keep(undefined);
}

function keep(next: Session | undefined): void {
  try {
    if (next) sessionStorage.setItem(KEY, JSON.stringify(next));
    else sessionStorage.removeItem(KEY);
  } catch {
    /* without storage the session lives as long as the page */
  }
  session.set(next);
}

channel?.addEventListener('message', ({ data }: MessageEvent<Word>) => {
  const own = session.value;
  if (!own) return;
  switch (data.says) {
    case 'signed out':
      if (data.id === own.id) end(own, 'You logged out in another tab.');
      break;
    case 'who is newer':
      if (data.id === own.id && own.generation > data.generation) tell({ says: 'refreshed', session: own });
      break;
    case 'refreshed':
      if (data.session.id === own.id && data.session.generation > own.generation) keep(data.session);
      break;
  }
});

const tell = (word: Word): void => channel?.postMessage(word);

/** The access token, refreshed where it is about to expire. */
export async function bearer(): Promise<string | undefined> {
  const now = session.value;
  if (now?.refreshToken && now.expiresAt - Date.now() < 10_000) await refresh();
  return session.value?.accessToken;
}

/** Waits long enough for another tab to say that it has a newer token. */
const ASKING = 120;

/** Gets new tokens; true where there are some. Never two tabs at once. */
export async function refresh(): Promise<boolean> {
  const before = session.value;
  if (!before?.refreshToken) return false;
  const alone = <T>(run: () => Promise<T>): Promise<T> =>
    ('locks' in navigator ? navigator.locks.request(`edgechart ${before.id}`, run) : run()) as Promise<T>;
  return alone(async () => {
    const now = session.value;
    if (!now?.refreshToken) return false;
    tell({ says: 'who is newer', id: now.id, generation: now.generation });
    await new Promise((done) => {
      setTimeout(done, ASKING);
    });
    if ((session.value?.generation ?? 0) > before.generation) return true;
    try {
      const server = await discover();
      const answer = await oauth.refreshTokenGrantRequest(
        server,
        { client_id: CLIENT_ID },
        oauth.None(),
        now.refreshToken,
        options('refresh'),
      );
      const result = await oauth.processRefreshTokenResponse(server, { client_id: CLIENT_ID }, answer);
      const next: Session = {
        ...now,
        generation: now.generation + 1,
        scope: result.scope ?? now.scope,
        accessToken: result.access_token,
        expiresAt: Date.now() + (result.expires_in ?? 300) * 1000,
        obtainedAt: Date.now(),
        response: { ...(result as unknown as Record<string, unknown>) },
      };
      if (result.refresh_token) next.refreshToken = result.refresh_token;
      if (result.id_token) next.idToken = result.id_token;
      keep(next);
      tell({ says: 'refreshed', session: next });
      return true;
    } catch (error) {
      // Without an answer nothing is known: the session stays, for when the server is in reach again.
      if (!refused(error)) return false;
      end(now, `The server takes this session no longer: it has expired, or it was revoked (${reason(error)}).`);
      return false;
    }
  });
}

/** The server takes the token no more, and there is nothing to get another with. */
export function expire(): void {
  if (session.value) end(session.value, 'The server takes this session no longer: it has expired, or it was revoked.');
}

/** Ends a session that no refresh token can prolong, when its time is over. */
export function expireInTime(): void {
  const now = session.value;
  if (now && !now.refreshToken && now.expiresAt <= Date.now())
    end(now, 'The session has expired. It could not be prolonged: staying signed in was not granted.');
}

/** The state of a log-out under way at the server, until it comes back. */
const LEAVING = 'edgechart.logout';

/**
 * Forgets the session here and in its other tabs, revokes its tokens, and ends the sign-in at the server
 * (OpenID Connect RP-Initiated Logout 1.0), which leads back to the first page.
 */
export async function logOut(): Promise<void> {
  const now = session.value;
  if (!now) return;
  const told = (says: string): void => ended.set({ says, launch: now.launch });
  end(now, 'Its tokens are being revoked…');
  tell({ says: 'signed out', id: now.id });
  try {
    await revoke(now.refreshToken ?? now.accessToken);
    const endpoint = await endSessionEndpoint();
    if (!endpoint)
      return told(
        'Its tokens were revoked. This server has no log-out of its own: at its pages you may still be signed in.',
      );
    told('Its tokens were revoked. The sign-in at the server ends next…');
    const state = oauth.generateRandomState();
    sessionStorage.setItem(LEAVING, JSON.stringify({ state, launch: now.launch }));
    const parameters = {
      ...(now.idToken ? { id_token_hint: now.idToken } : {}),
      client_id: CLIENT_ID,
      post_logout_redirect_uri: HOME,
      state,
    };
    for (const [name, value] of Object.entries(parameters)) endpoint.searchParams.set(name, value);
    location.assign(endpoint);
  } catch (error) {
    told(
      `Nothing of it is kept here. The server could not be told (${reason(error)}): there it may go on until it expires.`,
    );
  }
}

/** Whether this page was opened by the server at the end of a log-out that this tab began. It is said once. */
export function cameFromLogOut(): boolean {
  try {
    const text = sessionStorage.getItem(LEAVING);
    sessionStorage.removeItem(LEAVING);
    const { state, launch } = JSON.parse(text ?? '{}') as { state?: string; launch?: Session['launch'] };
    if (!state || !launch || new URLSearchParams(location.search).get('state') !== state) return false;
    ended.set({ says: 'Its tokens were revoked, and your sign-in at the server has ended.', launch });
    return true;
  } catch {
    return false;
  }
}

export async function revoke(token: string): Promise<number> {
  const { revocation_endpoint: url } = await discover();
  if (!url) throw new Error('The server names no revocation endpoint.');
  const body = new URLSearchParams({ token, client_id: CLIENT_ID }).toString();
  const { status } = await exchange(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body,
  });
  return status;
}

/** A refusal by the server (RFC 6749, 5.2), not a failure of it or on the way to it. */
const refused = (error: unknown): boolean => error instanceof oauth.ResponseBodyError && error.status < 429;

export function reason(error: unknown): string {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError) {
    return [error.error, error.error_description].filter(Boolean).join(': ');
  }
  return error instanceof Error ? error.message : String(error);
}

/** How oauth4webapi sends its requests: plain http where the page itself is on it, and every request noted. */
export function options(what: string): {
  [oauth.allowInsecureRequests]: boolean;
  [oauth.customFetch]: (url: string, init: object) => Promise<Response>;
} {
  return {
    [oauth.allowInsecureRequests]: location.protocol === 'http:',
    [oauth.customFetch]: async (url, init) => {
      const began = performance.now();
      const answer = await fetch(url, init as RequestInit);
      noted({
        where: 'edge',
        method: (init as RequestInit).method ?? 'GET',
        url,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        at: new Date(),
        status: answer.status,
        statusText: answer.statusText,
        answerHeaders: Object.fromEntries(answer.headers),
        text: `(the ${what} answer is on the session page, and nowhere else)`,
        body: undefined,
        ms: performance.now() - began,
        bytes: 0,
        sent: `(${what}: secrets are not kept here)`,
      });
      return answer;
    },
  };
}
