//! The state of the page for other servers: the user names a server, the app asks what it offers, and the user enters
//! the registration of this app and signs in there. The app sends nothing to an unknown server until the user agrees.

import { signal } from '@preact/signals-core';
import { errorText } from '../../error-text.ts';
import { t } from '../../language/message.ts';
import { announce } from '../../parts/announce.ts';
import { focusOnceDrawn } from '../../parts/focus.ts';
import { OTHER_PAGE, startUrl } from '../../routes.ts';
import { discover, type SmartConfiguration } from '../../smart/discovery.ts';
import { logOut, revoke } from '../../smart/log-out.ts';
import { suggestedScopes } from '../../smart/scopes.ts';
import { BASE, dropEntriesOf, isOurs, otherBase } from '../../smart/server.ts';
import * as servers from '../../smart/servers.ts';
import { session, storedSession } from '../../smart/session.ts';
import { askAbilities } from '../../source/server-abilities.ts';

/** Returns the address of this page for a server, with the parameters of an EHR's launch. */
export const otherUrl = (iss: string, launchToken: string | null): string =>
  `${OTHER_PAGE}?${new URLSearchParams({ iss, ...(launchToken === null ? {} : { launch: launchToken }) })}`;

/** Returns why this page does not launch at an address. */
export const refusedText = (iss: string): string =>
  isOurs(iss)
    ? t('This is the server that the app came from. It needs no page of its own.')
    : t('The app does not launch at {iss}: it takes https, and http at this machine alone. Nothing was sent there.', {
        iss,
      });

/** A server that answered, with the values to begin with in its form. */
export interface AskedServer {
  base: string;
  name: string | undefined;
  /** The address of the sign-in. */
  signIn: string;
  clientId: string;
  scopes: string;
}

type OtherState =
  | { is: 'choosing' }
  | { is: 'refused'; iss: string }
  /** A link named a server that this device does not know. */
  | { is: 'named'; base: string }
  | { is: 'asking'; base: string }
  | { is: 'entering'; asked: AskedServer }
  /** The page reloads for the server. */
  | { is: 'leaving'; base: string };

export type StandaloneLaunch = 'patient' | 'practitioner';

export class OtherModel {
  readonly state = signal<OtherState>({ is: 'choosing' });
  readonly problem = signal<string | undefined>(undefined);
  /** The address in the field. */
  readonly text = signal('');
  /** The launch by an EHR, until the user has entered the registration. Its token is only for its own server. */
  readonly #ehrLaunch: { base: string; token: string } | undefined;

  constructor({ iss, launchToken }: { iss: string | null; launchToken: string | null }) {
    if (iss === null) return;
    const base = otherBase(iss);
    const known = base === undefined ? undefined : servers.registrationAt(base);
    if (base === undefined) this.state.value = { is: 'refused', iss };
    else {
      if (launchToken !== null) this.#ehrLaunch = { base, token: launchToken };
      if (!known) this.state.value = { is: 'named', base };
      else if (launchToken !== null) this.open(known, otherUrl(base, launchToken));
    }
  }

  /** Returns the token of the EHR's launch that led here; `undefined` for any server but the one that made it. */
  launchTokenFor(base: string): string | undefined {
    return this.#ehrLaunch?.base === base ? this.#ehrLaunch.token : undefined;
  }

  /** Asks a server what it offers. This is the first request to the server. */
  async ask(text: string): Promise<void> {
    const base = otherBase(text);
    this.text.value = text;
    this.problem.value = undefined;
    if (base === undefined) {
      this.problem.value = refusedText(text);
      return;
    }
    const { value: before } = this.state;
    this.state.value = { is: 'asking', base };
    announce(t('Asking {base}', { base }));
    try {
      const [configuration, abilities] = await Promise.all([discover(base), askAbilities(base)]);
      const has = (type: string): boolean => abilities?.types.has(type) ?? true;
      this.state.value = { is: 'entering', asked: askedServer(base, abilities?.name, configuration, has) };
      focusOnceDrawn('#client');
    } catch (error) {
      this.state.value = before;
      this.problem.value = errorText(error);
      focusOnceDrawn('main .primary');
    }
  }

  /** Stores what the user entered, and continues to the sign-in. */
  enter({ base, name }: AskedServer, clientId: string, scopes: string, launch: StandaloneLaunch): void {
    const entered = { base, clientId: clientId.trim(), scopes: scopes.trim(), ...(name ? { name } : {}) };
    servers.register(entered);
    const launchToken = this.launchTokenFor(base);
    this.open(entered, launchToken === undefined ? startUrl(launch) : otherUrl(base, launchToken));
  }

  /** Reloads the page for a server. */
  open(server: servers.Registration, address: string): void {
    this.state.value = { is: 'leaving', base: server.base };
    servers.chooseServer(server);
    history.replaceState(null, '', address);
    location.reload();
  }

  /** Forgets a server and its entries in this tab, and revokes the tokens of a session there. */
  async forget({ base }: servers.Registration): Promise<void> {
    servers.forget(base);
    announce(t('Forgotten: {base}', { base }));
    focusOnceDrawn('main h1');
    if (base === BASE) {
      servers.chooseServer(undefined);
      if (session.value) await logOut();
      return;
    }
    const held = storedSession(base);
    dropEntriesOf(base);
    // The entries are deleted in any case. If the revocation fails, the tokens expire by themselves.
    if (held) await revoke(held.refreshToken ?? held.accessToken, held.clientId, base).catch(() => undefined);
  }

  backToChoice(): void {
    this.state.value = { is: 'choosing' };
    this.problem.value = undefined;
    focusOnceDrawn('#base');
  }
}

function askedServer(
  base: string,
  name: string | undefined,
  configuration: SmartConfiguration,
  has: (type: string) => boolean,
): AskedServer {
  const known = servers.registrationAt(base);
  return {
    base,
    name: name?.slice(0, servers.MAX_NAME_LENGTH),
    signIn: configuration.authorization_endpoint ?? base,
    clientId: known?.clientId ?? '',
    scopes: known?.scopes ?? suggestedScopes(configuration, has),
  };
}
