//! The ends of sessions, as this browser remembers them for all its tabs. A tab that slept when a session ended, or
//! that is loaded again, learns from them that its own is over. Kept are random ids and a time, and nothing of a
//! person.

import { list, number, object, parsedAs, type ShapeValue, string } from '#reading/shape.ts';
import { serverKey } from './server.ts';

/** The most ids that are kept: those of the sessions that ended last. */
const MAX = 50;

const endsShape = object({
  /** The time of the last log-out, in milliseconds since 1970. It ended every session that had tokens by then. */
  loggedOutAt: number,
  /** The sessions that ended otherwise. */
  ids: list(string),
});
type Ends = ShapeValue<typeof endsShape>;

const KEY = serverKey('edgechart.ends');

function read(): Ends {
  try {
    return parsedAs(endsShape, localStorage.getItem(KEY)) ?? { loggedOutAt: 0, ids: [] };
  } catch {
    return { loggedOutAt: 0, ids: [] };
  }
}

function write(next: Ends): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // Without storage the tabs that are awake are told by a message.
  }
}

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
