//! The ends of sessions, stored in this browser for all its tabs. A tab that was suspended when its session ended, or
//! that is reloaded, learns from them that its session has ended. Only random ids and a time are stored, and no
//! personal data.

import { list, number, object, parsedAs, type ShapeValue, string } from '#reading/shape.ts';
import { keepText, keptText } from '../storage.ts';
import { serverKey } from './server.ts';

/** The most ids that are stored. The sessions that ended last are kept. */
const MAX = 50;

const endsShape = object({
  /** The time of the last log-out, in milliseconds since 1970. It ended every session that had tokens by then. */
  loggedOutAt: number,
  /** The ids of the sessions that ended in another way. */
  ids: list(string),
});
type Ends = ShapeValue<typeof endsShape>;

const KEY = serverKey('edgechart.ends');

const read = (): Ends => parsedAs(endsShape, keptText('localStorage', KEY)) ?? { loggedOutAt: 0, ids: [] };

/** Without storage, the active tabs receive a message. */
const write = (next: Ends): void => keepText('localStorage', KEY, JSON.stringify(next));

/** Remembers that one session has ended. */
export function noteEnd(id: string): void {
  const { loggedOutAt, ids } = read();
  write({ loggedOutAt, ids: [...ids.filter((one) => one !== id), id].slice(-MAX) });
}

/** Remembers that somebody logged out, which ends the sessions of every tab. */
export function noteLogOut(now = Date.now()): void {
  write({ loggedOutAt: now, ids: [] });
}

/** Returns whether a session has ended in another tab. */
export function isNotedAsEnded({ id, obtainedAt }: { id: string; obtainedAt: number }): boolean {
  const { loggedOutAt, ids } = read();
  return obtainedAt <= loggedOutAt || ids.includes(id);
}
