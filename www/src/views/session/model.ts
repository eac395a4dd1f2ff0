//! The state of the session page, and what its buttons do. Nothing here draws.

import { signal } from '@preact/signals-core';
import { Clock } from '../../drawing.ts';
import { engine } from '../../engine/client.ts';
import type { ScopeLine } from '../../engine/types.ts';
import { attempt, errorText } from '../../error-text.ts';
import type { Exchange } from '../../http/exchange.ts';
import { exchange } from '../../http/send.ts';
import { type PlainMessage, t, words } from '../../language/message.ts';
import { type InspectedToken, inspectToken } from '../../smart/inspect.ts';
import { revokeAccess } from '../../smart/log-out.ts';
import { refresh } from '../../smart/refresh.ts';
import { scopesIn } from '../../smart/scopes.ts';
import { BASE, CLIENT_ID } from '../../smart/server.ts';
import { type Session, session } from '../../smart/session.ts';

/** A request that the server must refuse. */
interface Probe {
  name: PlainMessage;
  path: string;
  headers: Record<string, string>;
}

export class SessionModel {
  readonly accessToken = signal<InspectedToken | undefined>(undefined);
  readonly identityToken = signal<InspectedToken | undefined>(undefined);
  /** The requested and granted scopes, in words. */
  readonly scopeLines = signal<ScopeLine[]>([]);
  readonly problem = signal<string | undefined>(undefined);
  /** The outcome of the last button, in words. */
  readonly outcome = signal('');
  /** The answer to the last probe. */
  readonly probed = signal<Exchange | undefined>(undefined);
  /** Updates the remaining time each second. */
  readonly clock = new Clock(1000);
  readonly #stopWatching: () => void;
  /** The access token that was inspected. */
  #inspected: string | undefined;

  constructor() {
    this.#stopWatching = session.subscribe((now) => {
      if (now && now.accessToken !== this.#inspected) void attempt(this.problem, () => this.#inspect(now));
    });
  }

  stop(): void {
    this.clock.stop();
    this.#stopWatching();
  }

  refresh(): Promise<void> {
    return this.#act(async () =>
      (await refresh()) ? t('New tokens came; the old refresh token is spent.') : t('It was refused.'),
    );
  }

  revoke(now: Session): Promise<void> {
    return this.#act(async () => {
      const status = await revokeAccess(now);
      return t('The server answered {status}.', { status });
    });
  }

  async probe({ path, headers }: Probe): Promise<void> {
    this.probed.value = await exchange(`${BASE}/${path}`, { headers });
  }

  async #act(run: () => Promise<string>): Promise<void> {
    this.outcome.value = '…';
    try {
      this.outcome.value = await run();
    } catch (error) {
      this.outcome.value = errorText(error);
    }
  }

  async #inspect(now: Session): Promise<void> {
    this.#inspected = now.accessToken;
    const { issuer, generation, idToken, patient } = now;
    const scopes = [...new Set([...scopesIn(now.requested), ...scopesIn(now.scope)])].join(' ');
    // A refreshed identity token carries no nonce.
    const nonce = generation === 0 ? now.nonce : undefined;
    const [accessToken, identityToken, { value }] = await Promise.all([
      inspectToken(now.accessToken, { issuer, audience: BASE, type: 'access' }),
      idToken ? inspectToken(idToken, { issuer, audience: CLIENT_ID, type: 'id' }, nonce) : undefined,
      engine('scopes', scopes, patient, words().language),
    ]);
    this.accessToken.value = accessToken;
    this.identityToken.value = identityToken;
    this.scopeLines.value = value.lines;
  }
}

export function probesFor(now: Session): Probe[] {
  const headers = { Authorization: `Bearer ${now.accessToken}` };
  const somebodyElse = now.patient === 'walter-lindqvist' ? 'dana-begay' : 'walter-lindqvist';
  return [
    { name: 'No token', path: 'Observation?_count=1', headers: {} },
    {
      name: 'A changed signature',
      path: 'Observation?_count=1',
      headers: { Authorization: `Bearer ${withChangedSignature(now.accessToken)}` },
    },
    { name: 'Somebody else’s patient', path: `Observation?patient=${somebodyElse}`, headers },
    { name: 'A type that no scope opens', path: 'Coverage?patient=amara-okafor', headers },
    { name: 'An id that is not ours to see', path: 'Observation/walter-no-such', headers },
  ];
}

function withChangedSignature(token: string): string {
  const at = token.length - 10;
  return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
}
