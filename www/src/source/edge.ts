//! The server as a source, asked with the session's token.

import { bearer, expire, refresh } from '../smart/refresh.ts';
import { BASE } from '../smart/server.ts';
import { session } from '../smart/session.ts';
import { exchange } from './http.ts';
import type { Exchange, Source } from './source.ts';

/** Asks below the base. An answer of 401 to a token that was good is met with one refresh. */
async function ask(path: string): Promise<Exchange> {
  const url = path.startsWith(`${BASE}/`) ? path : `${BASE}/${path}`;
  const once = async (): Promise<Exchange> => {
    const token = await bearer();
    const authorization = token ? { Authorization: `Bearer ${token}` } : {};
    return exchange(url, { headers: { Accept: 'application/fhir+json', ...authorization } });
  };
  const first = await once();
  const expired = first.status === 401 && /invalid_token/.test(first.answerHeaders['www-authenticate'] ?? '');
  if (!expired) return first;
  if (!session.value?.refreshToken) {
    expire();
    return first;
  }
  return (await refresh()) ? once() : first;
}

/** Encodes `+`, `|` and the like as an address needs them; what is encoded already stays. */
export const encodedQuery = (query: string): string => query.replace(/[|\s"<>^`{}+]/g, encodeURIComponent);

export function edge(): Source {
  const now = session.value;
  const patient = now?.patient ? { patient: now.patient } : {};
  return {
    name: 'session',
    key: `edge ${now?.id ?? ''} ${now?.scope ?? ''} ${now?.patient ?? ''}`,
    grant: now ? { scopes: now.scope, client: now.clientId, ...patient, patients: 'all' } : undefined,
    search: (query) => ask(encodedQuery(query)),
    read: ask,
  };
}
