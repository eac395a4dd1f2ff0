//! The server of the session as a source, this one or another, which is called with the session's token.

import type { Exchange } from '../http/exchange.ts';
import { exchanges } from '../http/log.ts';
import { exchange } from '../http/send.ts';
import { t } from '../language/message.ts';
import { isBelow } from '../smart/address.ts';
import { bearer, expire, refresh } from '../smart/refresh.ts';
import { readingScopes, refusable } from '../smart/scopes.ts';
import { BASE, other } from '../smart/server.ts';
import { type Session, session } from '../smart/session.ts';
import { abilitiesOfSession } from './server-abilities.ts';
import type { Source } from './source.ts';

/**
 * Sends a request below the base. If the answer is 401 because the token has expired, the token is refreshed once. An
 * answer that the page still has is confirmed, unless it `isNew`.
 */
async function ask(path: string, isNew = false): Promise<Exchange> {
  const url = isBelow(BASE, path) ? path : `${BASE}/${path}`;
  // The id of a patient comes from the address of the page, and may contain dots.
  if (!isBelow(BASE, url)) throw new Error(t('{path} is not the address of a record.', { path }));
  const once = async (): Promise<Exchange> => {
    const token = await bearer();
    const authorization = token ? { Authorization: `Bearer ${token}` } : {};
    const known = isNew ? undefined : lastAnswer(url);
    const answer = await exchange(url, { headers: { Accept: 'application/fhir+json', ...authorization }, known });
    return answer.status === 304 ? { ...answer, status: 200 } : answer;
  };
  const first = await once();
  if (!saysExpired(first)) return first;
  if (!session.value?.refreshToken) {
    expire();
    return first;
  }
  return (await refresh()) ? once() : first;
}

/** Returns the last answer to a request. Other servers seldom let a page send `If-None-Match` (CORS). */
const lastAnswer = (url: string): Exchange | undefined =>
  other ? undefined : exchanges.value.find((one) => one.url === url && (one.status === 200 || one.status === 304));

/** A token of another server that is newer than this, in milliseconds, is not refreshed again. */
const NEW = 10_000;

/**
 * Returns whether an answer shows that the token has expired. Other servers seldom expose the header to a page (CORS),
 * so for them the status decides, if newer tokens are available.
 */
function saysExpired({ status, answerHeaders }: Exchange): boolean {
  if (status !== 401) return false;
  if (/invalid_token/.test(answerHeaders['www-authenticate'] ?? '')) return true;
  const now = session.value;
  return other !== undefined && now?.refreshToken !== undefined && Date.now() - now.obtainedAt > NEW;
}

/** Encodes characters such as `+` and `|` for an address. Encoded characters stay. */
export const encodedQuery = (query: string): string => query.replace(/[|\s"<>^`{}+]/g, encodeURIComponent);

/** Returns the scopes of a session as the app interprets them. */
const scopesOf = ({ scope }: Session): string => (other ? readingScopes(scope) : scope);

/** Searches the server without regard to earlier answers. */
export const searchAnew = (query: string): Promise<Exchange> => ask(encodedQuery(query), true);

export function server(): Source {
  const now = session.value;
  const patient = now?.patient ? { patient: now.patient } : {};
  return {
    name: 'session',
    key: `server ${now?.id ?? ''} ${now?.scope ?? ''} ${now?.patient ?? ''}`,
    grant: now ? { scopes: scopesOf(now), client: now.clientId, ...patient, patients: 'all' } : undefined,
    requested: now && refusable(now),
    granted: now?.scope,
    search: (query) => ask(encodedQuery(query)),
    read: (address) => ask(address),
    ...(other && now ? { abilities: () => abilitiesOfSession(now) } : {}),
  };
}
