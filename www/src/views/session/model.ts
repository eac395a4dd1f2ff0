//! The state of the session page, and what its buttons do. Nothing here draws.

import { engine } from '../../engine/client.ts';
import type { ScopeLine } from '../../engine/types.ts';
import { language } from '../../language/language.ts';
import { type PlainMessage, t } from '../../language/message.ts';
import { type InspectedToken, inspectToken } from '../../smart/inspect.ts';
import { revoke } from '../../smart/log-out.ts';
import { refresh } from '../../smart/refresh.ts';
import { BASE, CLIENT_ID } from '../../smart/server.ts';
import { type Session, session } from '../../smart/session.ts';
import { errorText, exchange } from '../../source/http.ts';
import type { Exchange } from '../../source/source.ts';
import { scopesOf } from './scopes.ts';

/** A request that the server must refuse. */
export interface Probe {
  name: PlainMessage;
  path: string;
  headers: Record<string, string>;
}

export class SessionModel {
  accessToken: InspectedToken | undefined;
  identityToken: InspectedToken | undefined;
  /** The requested and granted scopes, in words. */
  scopeLines: ScopeLine[] = [];
  problem: string | undefined;
  /** The outcome of the last button. */
  said = '';
  /** The answer to the last probe. */
  probed: Exchange | undefined;
  readonly #redraw: () => void;
  readonly #stop: () => void;
  /** The access token that was inspected. */
  #inspected: string | undefined;

  constructor(redraw: () => void) {
    this.#redraw = redraw;
    if (session.value) void this.#inspect(session.value);
    const unwatch = session.watch((now) => {
      if (now && now.accessToken !== this.#inspected) void this.#inspect(now);
    });
    // The time that is left changes.
    const timer = setInterval(redraw, 1000);
    this.#stop = () => {
      clearInterval(timer);
      unwatch();
    };
  }

  stop(): void {
    this.#stop();
  }

  refresh(): Promise<void> {
    return this.#act(async () =>
      (await refresh()) ? t('New tokens came; the old refresh token is spent.') : t('It was refused.'),
    );
  }

  revoke(now: Session): Promise<void> {
    return this.#act(async () => {
      const status = await revoke(now.accessToken);
      const effect = t('The next request is refused, and so is the refresh: the whole grant has ended.');
      return `${t('The server answered {status}.', { status })} ${effect}`;
    });
  }

  async probe({ path, headers }: Probe): Promise<void> {
    this.probed = await exchange(`${BASE}/${path}`, { headers });
    this.#redraw();
  }

  async #act(run: () => Promise<string>): Promise<void> {
    this.said = '…';
    this.#redraw();
    try {
      this.said = await run();
    } catch (error) {
      this.said = errorText(error);
    }
    this.#redraw();
  }

  async #inspect(now: Session): Promise<void> {
    this.#inspected = now.accessToken;
    const { issuer, generation, idToken, patient } = now;
    try {
      const scopes = [...new Set([...scopesOf(now.requested), ...scopesOf(now.scope)])].join(' ');
      // A refreshed identity token carries no nonce.
      const nonce = generation === 0 ? now.nonce : undefined;
      const [accessToken, identityToken, { value }] = await Promise.all([
        inspectToken(now.accessToken, { issuer, audience: BASE, type: 'access' }),
        idToken ? inspectToken(idToken, { issuer, audience: CLIENT_ID, type: 'id' }, nonce) : undefined,
        engine('scopes', scopes, patient, language()),
      ]);
      this.accessToken = accessToken;
      this.identityToken = identityToken;
      this.scopeLines = value.lines;
      this.problem = undefined;
    } catch (error) {
      this.problem = errorText(error);
    }
    this.#redraw();
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
