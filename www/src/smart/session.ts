//! The session: the tokens and the context of one authorization, held for this tab alone in sessionStorage.
//!
//! A duplicated tab has the same tokens, and the server takes each refresh token once. So the tabs of one session tell
//! each other of newer tokens and of the log-out; a session of another tab is left alone.

import { signal } from '@preact/signals-core';
import { dropServerExchanges } from '../http/log.ts';
import { t } from '../language/message.ts';
import {
  anything,
  exactly,
  isShaped,
  number,
  object,
  oneOf,
  parsedAs,
  record,
  type Shape,
  type Shaped,
  string,
} from '../shape.ts';
import { BASE, ofServer } from './server.ts';

const launchKind = oneOf('patient', 'practitioner', 'ehr');
/** The way in which a session was launched. */
export type LaunchKind = Shaped<typeof launchKind>;
export const launchKindShape: Shape<LaunchKind> = launchKind;

const sessionShape = object(
  {
    id: string,
    /** Grows with each refresh. */
    generation: number,
    clientId: string,
    issuer: string,
    launch: launchKind,
    /** The scopes that were asked for, and those that were granted. */
    requested: string,
    scope: string,
    accessToken: string,
    /** Milliseconds since 1970. */
    expiresAt: number,
    obtainedAt: number,
    /** The token response as it came. */
    response: record(anything),
  },
  { refreshToken: string, idToken: string, nonce: string, patient: string, encounter: string, fhirUser: string },
);
export type Session = Shaped<typeof sessionShape>;

/** The end of the last session of this tab: why, in a sentence of the page's language, and how it had been launched. */
export interface SessionEnd {
  says: () => string;
  launch: LaunchKind;
}

/** The session of another server has an entry of its own, so that a tab may have both. */
const NAME = 'edgechart.session';
const KEY = ofServer(NAME);

export const session = signal<Session | undefined>(storedSession());
export const ended = signal<SessionEnd | undefined>(undefined);

/** The session of this tab at a server, as it is stored. */
export function storedSession(base = BASE): Session | undefined {
  try {
    return parsedAs(sessionShape, sessionStorage.getItem(ofServer(NAME, base)));
  } catch {
    return undefined;
  }
}

export function startSession(next: Session): void {
  ended.value = undefined;
  storeSession(next);
}

/** Forgets a session and all that was read with it; the page then says why. */
export function endSession(of: Session, says: () => string): void {
  ended.value = { says, launch: of.launch };
  dropServerExchanges();
  storeSession(undefined);
}

export function storeSession(next: Session | undefined): void {
  try {
    if (next) sessionStorage.setItem(KEY, JSON.stringify(next));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Without storage the session lives as long as the page.
  }
  session.value = next;
}

const signedOut = object({ says: exactly('signed out'), id: string });
const whoIsNewer = object({ says: exactly('who is newer'), id: string, generation: number });
const refreshed = object({ says: exactly('refreshed'), session: sessionShape });
type TabMessage = Shaped<typeof signedOut> | Shaped<typeof whoIsNewer> | Shaped<typeof refreshed>;

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(ofServer('edgechart')) : undefined;

export const tellTabs = (message: TabMessage): void => channel?.postMessage(message);

channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const own = session.value;
  if (!own) return;
  if (isShaped(signedOut, data)) {
    if (data.id === own.id) endSession(own, () => t('You logged out in another tab.'));
  } else if (isShaped(whoIsNewer, data)) {
    if (data.id === own.id && own.generation > data.generation) tellTabs({ says: 'refreshed', session: own });
  } else if (isShaped(refreshed, data)) {
    if (data.session.id === own.id && data.session.generation > own.generation) storeSession(data.session);
  }
});
