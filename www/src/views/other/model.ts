//! The state of the page for other servers: naming one, asking it what it offers, entering how this app is registered
//! there, and going to its sign-in. Nothing is sent to a server that this device does not know before somebody says so.

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
import {
  chooseServer,
  forget,
  MAX_NAME_LENGTH,
  type Registration,
  register,
  registrationAt,
} from '../../smart/servers.ts';
import { session, storedSession } from '../../smart/session.ts';
import { askAbilities } from '../../source/server-abilities.ts';

/** The address of this page for a server, as an EHR's launch has it. */
export const otherUrl = (iss: string, launchToken: string | null): string =>
  `${OTHER_PAGE}?${new URLSearchParams({ iss, ...(launchToken === null ? {} : { launch: launchToken }) })}`;

/** Why an address is no server's. */
export const refusedText = (iss: string): string =>
  isOurs(iss)
    ? t('This is the server that the app came from. It needs no page of its own.')
    : t('The app does not launch at {iss}: it takes https, and http at this machine alone. Nothing was sent there.', {
        iss,
      });

/** A server that answered, and what to enter for it. */
export interface AskedServer {
  base: string;
  name: string | undefined;
  /** The address that one signs in at. */
  signIn: string;
  clientId: string;
  scopes: string;
}

type OtherState =
  | { is: 'choosing' }
  | { is: 'refused'; iss: string }
  /** A server that a link named, and that this device does not know. */
  | { is: 'named'; base: string }
  | { is: 'asking'; base: string }
  | { is: 'entering'; asked: AskedServer }
  /** The page is loaded anew for the server. */
  | { is: 'leaving'; base: string };

export type StandaloneLaunch = 'patient' | 'practitioner';

export class OtherModel {
  readonly state = signal<OtherState>({ is: 'choosing' });
  readonly problem = signal<string | undefined>(undefined);
  /** The address in the field. */
  readonly text = signal('');
  /** The launch of an EHR that waits for what is entered. Its token is for the one server that made it. */
  readonly #ehrLaunch: { base: string; token: string } | undefined;

  constructor({ iss, launchToken }: { iss: string | null; launchToken: string | null }) {
    if (iss === null) return;
    const base = otherBase(iss);
    const known = base === undefined ? undefined : registrationAt(base);
    if (base === undefined) this.state.value = { is: 'refused', iss };
    else {
      if (launchToken !== null) this.#ehrLaunch = { base, token: launchToken };
      if (!known) this.state.value = { is: 'named', base };
      else if (launchToken !== null) this.open(known, otherUrl(base, launchToken));
    }
  }

  /** The token of the EHR's launch that led here, for the server that made it. */
  launchTokenFor(base: string): string | undefined {
    return this.#ehrLaunch?.base === base ? this.#ehrLaunch.token : undefined;
  }

  /** Asks a server what it offers: the first request to it. */
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

  /** Keeps what was entered, and goes on to the sign-in. */
  enter({ base, name }: AskedServer, clientId: string, scopes: string, launch: StandaloneLaunch): void {
    const entered = { base, clientId: clientId.trim(), scopes: scopes.trim(), ...(name ? { name } : {}) };
    register(entered);
    const launchToken = this.launchTokenFor(base);
    this.open(entered, launchToken === undefined ? startUrl(launch) : otherUrl(base, launchToken));
  }

  /** Loads the page anew for a server. */
  open(server: Registration, address: string): void {
    this.state.value = { is: 'leaving', base: server.base };
    chooseServer(server);
    history.replaceState(null, '', address);
    location.reload();
  }

  /** Forgets a server, with what this tab keeps of it. The tokens of a session there are revoked. */
  async forget({ base }: Registration): Promise<void> {
    forget(base);
    announce(t('Forgotten: {base}', { base }));
    focusOnceDrawn('main h1');
    if (base === BASE) {
      chooseServer(undefined);
      if (session.value) await logOut();
      return;
    }
    const held = storedSession(base);
    dropEntriesOf(base);
    // Nothing of it is kept here either way: without an answer, the tokens end at their time.
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
  const known = registrationAt(base);
  return {
    base,
    name: name?.slice(0, MAX_NAME_LENGTH),
    signIn: configuration.authorization_endpoint ?? base,
    clientId: known?.clientId ?? '',
    scopes: known?.scopes ?? suggestedScopes(configuration, has),
  };
}
