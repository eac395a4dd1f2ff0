//! What the authorization gave: held for this tab alone (sessionStorage), refreshed by one tab at a time, forgotten on log-out.
//!
//! A tab that was duplicated has the same refresh token, and the server takes each one once: refreshing is done under a lock,
//! and who holds a newer token passes it on. Another tab's own session is none of our business.

import * as oauth from 'oauth4webapi';
import { watched } from '../state';
import { noted } from '../source/log';
import { exchange } from '../source/http';
import { discover } from './discovery';
import { CLIENT_ID } from './server';

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
/** Why there is no session any more, until the next one. */
export const ended = watched<string | undefined>(undefined);

function kept(): Session | undefined {
  try {
    const text = sessionStorage.getItem(KEY);
    return text ? (JSON.parse(text) as Session) : undefined;
  } catch { return undefined; }
}

export function begin(next: Session): void {
  ended.set(undefined);
  keep(next);
}

function keep(next: Session | undefined): void {
  try {
    if (next) sessionStorage.setItem(KEY, JSON.stringify(next));
    else sessionStorage.removeItem(KEY);
  } catch { /* without storage the session lives as long as the page */ }
  session.set(next);
}

channel?.addEventListener('message', ({ data }: MessageEvent<Word>) => {
  const own = session.value;
  if (!own) return;
  switch (data.says) {
    case 'signed out':
      if (data.id === own.id) { keep(undefined); ended.set('You logged out in another tab.'); }
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
  const alone = <T>(run: () => Promise<T>): Promise<T> => ('locks' in navigator ? navigator.locks.request(`edgechart ${before.id}`, run) : run()) as Promise<T>;
  return alone(async () => {
    const now = session.value;
    if (!now?.refreshToken) return false;
    tell({ says: 'who is newer', id: now.id, generation: now.generation });
    await new Promise((done) => { setTimeout(done, ASKING); });
    if ((session.value?.generation ?? 0) > before.generation) return true;
    const server = await discover();
    try {
      const answer = await oauth.refreshTokenGrantRequest(server, { client_id: CLIENT_ID }, oauth.None(), now.refreshToken, options('refresh'));
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
      keep(undefined);
      ended.set(`The session could not be refreshed: ${reason(error)}. Please launch again.`);
      return false;
    }
  });
}

/** The server takes the token no more, and there is nothing to get another with. */
export function expire(): void {
  if (!session.value) return;
  keep(undefined);
  ended.set('The session has ended: its token is no longer taken. Please launch again.');
}

/** Revokes what there is at the server, then forgets it here and in this session's other tabs. */
export async function logOut(): Promise<void> {
  const now = session.value;
  if (!now) return;
  keep(undefined);
  ended.set('You are logged out. The tokens were revoked.');
  tell({ says: 'signed out', id: now.id });
  await revoke(now.refreshToken ?? now.accessToken).catch(() => ended.set('You are logged out here. The server could not be told.'));
}

export async function revoke(token: string): Promise<number> {
  const { revocation_endpoint: url } = await discover();
  if (!url) throw new Error('The server names no revocation endpoint.');
  const body = new URLSearchParams({ token, client_id: CLIENT_ID }).toString();
  const { status } = await exchange(url, { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body });
  return status;
}

export function reason(error: unknown): string {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError) {
    return [error.error, error.error_description].filter(Boolean).join(': ');
  }
  return error instanceof Error ? error.message : String(error);
}

/** How oauth4webapi sends its requests: plain http where the page itself is on it, and every request noted. */
export function options(what: string): { [oauth.allowInsecureRequests]: boolean; [oauth.customFetch]: (url: string, init: object) => Promise<Response> } {
  return {
    [oauth.allowInsecureRequests]: location.protocol === 'http:',
    [oauth.customFetch]: async (url, init) => {
      const began = performance.now();
      const answer = await fetch(url, init as RequestInit);
      noted({
        where: 'edge', method: (init as RequestInit).method ?? 'GET', url, headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, at: new Date(),
        status: answer.status, statusText: answer.statusText, answerHeaders: Object.fromEntries(answer.headers),
        text: `(the ${what} answer is on the session page, and nowhere else)`, body: undefined, ms: performance.now() - began, bytes: 0,
        sent: `(${what}: secrets are not kept here)`,
      });
      return answer;
    },
  };
}
