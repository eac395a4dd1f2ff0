//! The server, with the session's token. An answer of 401 to a token that was good is met with one refresh.

import { BASE } from '../smart/server.ts';
import { bearer, expire, refresh, session } from '../smart/session.ts';
import { exchange } from './http.ts';
import type { Exchange, Source } from './source.ts';

export async function ask(path: string, headers: Record<string, string> = {}): Promise<Exchange> {
  const url = path.startsWith(`${BASE}/`) ? path : `${BASE}/${path}`;
  const once = async (): Promise<Exchange> => {
    const token = await bearer();
    return exchange(url, {
      headers: { Accept: 'application/fhir+json', ...(token ? { Authorization: `Bearer ${token}` } : {}), ...headers },
    });
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

/** `+`, `|` and the like as an address needs them; what is encoded already stays. */
export const encoded = (query: string): string => query.replace(/[|\s"<>^`{}+]/g, encodeURIComponent);

export function edge(): Source {
  const now = session.value;
  return {
    name: 'session',
    key: `edge ${now?.id ?? ''} ${now?.scope ?? ''} ${now?.patient ?? ''}`,
    grant: now
      ? { scopes: now.scope, client: now.clientId, ...(now.patient ? { patient: now.patient } : {}), patients: 'all' }
      : undefined,
    search: (query) => ask(encoded(query)),
    read: (address) => ask(address),
  };
}
