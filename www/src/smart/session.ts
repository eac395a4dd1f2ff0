//! The session: the tokens and the context of one authorization, held for this tab alone in sessionStorage.
//!
//! A duplicated tab has the same tokens, and the server takes each refresh token once. So the tabs of one session tell
//! each other of newer tokens, and of its end. A log-out or a revocation ends the sessions of all tabs (`log-out.ts`).
//! `ends.ts` keeps what a tab that slept has missed.

import { signal } from '@preact/signals-core';
import {
  anything,
  exactly,
  isShaped,
  number,
  object,
  oneOf,
  parsedAs,
  record,
  type ShapeValue,
  string,
} from '#reading/shape.ts';
import { dropServerExchanges } from '../http/log.ts';
import { t } from '../language/message.ts';
import { keepText, keptText } from '../storage.ts';
import { isNotedAsEnded, noteEnd } from './ends.ts';
import { BASE, serverKey } from './server.ts';

/** The way in which a session was launched. */
export const launchKindShape = oneOf('patient', 'practitioner', 'ehr');
export type LaunchKind = ShapeValue<typeof launchKindShape>;

const sessionShape = object(
  {
    id: string,
    /** Grows with each refresh. */
    generation: number,
    clientId: string,
    issuer: string,
    launch: launchKindShape,
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
  { refreshToken: string, idToken: string, nonce: string, patient: string, fhirUser: string },
);
export type Session = ShapeValue<typeof sessionShape>;

/** The end of the last session of this tab: why, in a sentence of the page's language, and how it had been launched. */
interface SessionEnd {
  says: () => string;
  launch: LaunchKind;
}

/** The session of another server has an entry of its own, so that a tab may have both. */
const NAME = 'edgechart.session';
const KEY = serverKey(NAME);

export const session = signal<Session | undefined>(storedSession());
export const ended = signal<SessionEnd | undefined>(undefined);

export function storedSession(base = BASE): Session | undefined {
  return parsedAs(sessionShape, keptText('sessionStorage', serverKey(NAME, base)));
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

/** Ends a session here and in every tab that has it. */
export function endEverywhere(of: Session, says: () => string): void {
  endSession(of, says);
  noteEnd(of.id);
  tellTabs({ says: 'ended', id: of.id, generation: of.generation });
}

const endedElsewhere = (): string => t('You logged out, or the session ended, in another tab.');

/** Ends the session of this tab if it has ended in another one, which this one was not told of. */
export function endIfEndedElsewhere(): void {
  const now = session.value;
  if (now && isNotedAsEnded(now)) endSession(now, endedElsewhere);
}

/** Runs a function when the page is restored from the back/forward cache, becomes visible, or gets the focus. */
export function onWake(run: () => void): void {
  const ifShown = (): void => {
    if (!document.hidden) run();
  };
  globalThis.addEventListener?.('pageshow', ({ persisted }) => persisted && ifShown());
  globalThis.addEventListener?.('focus', ifShown);
  globalThis.document?.addEventListener('visibilitychange', ifShown);
}

export function storeSession(next: Session | undefined): void {
  keepText('sessionStorage', KEY, next && JSON.stringify(next));
  session.value = next;
}

const loggedOut = object({ says: exactly('signed out'), id: string });
const hasEnded = object({ says: exactly('ended'), id: string, generation: number });
const whoIsNewer = object({ says: exactly('who is newer'), id: string, generation: number });
const refreshed = object({ says: exactly('refreshed'), session: sessionShape });
type TabMessage = ShapeValue<typeof loggedOut | typeof hasEnded | typeof whoIsNewer | typeof refreshed>;

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(serverKey('edgechart')) : undefined;

export const tellTabs = (message: TabMessage): void => channel?.postMessage(message);

/** What this tab does beside forgetting its own session, when another tab ends one. */
interface EndListener {
  /** A log-out or a revocation ended the session of this tab, which was another one than that of the other tab. */
  ownEnded(own: Session): void;
  /** Another session of this browser ended, and that of this tab may have ended with it. */
  otherEnded(): void;
}
const listeners = new Set<Partial<EndListener>>();

/** Adds a listener for the end of a session in another tab. */
export const onEndElsewhere = (listener: Partial<EndListener>): void => void listeners.add(listener);

channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const own = session.value;
  if (!own) return;
  if (isShaped(loggedOut, data)) {
    endSession(own, endedElsewhere);
    if (data.id !== own.id) for (const { ownEnded } of listeners) ownEnded?.(own);
  } else if (isShaped(hasEnded, data)) {
    if (data.id === own.id && data.generation >= own.generation)
      endSession(own, () => t('The session ended in another tab: it has expired, or it was revoked.'));
    else for (const { otherEnded } of listeners) otherEnded?.();
  } else if (isShaped(whoIsNewer, data)) {
    if (data.id === own.id && own.generation > data.generation) tellTabs({ says: 'refreshed', session: own });
  } else if (isShaped(refreshed, data)) {
    if (data.session.id === own.id && data.session.generation > own.generation) storeSession(data.session);
  }
});

endIfEndedElsewhere();
// A page that was not shown may have slept through the end of its session.
onWake(endIfEndedElsewhere);
