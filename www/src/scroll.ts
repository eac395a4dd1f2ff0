//! Keeps the scroll position of each history entry, and the link that was followed from it. Back restores both. The
//! browser's own restoration comes too early, before the records are drawn.

import { isShaped, number, object, partial, type ShapeValue, string } from '#reading/shape.ts';
import { debounced } from './scheduling.ts';

const position = object({ y: number }, { link: string, nth: number, top: number });
/**
 * The scroll position of a page, and the address and the top of the link that was followed, both in pixels. `nth` is
 * its index among the links to that address.
 */
type Position = ShapeValue<typeof position>;
const historyState = partial({ key: string, position });
type HistoryState = ShapeValue<typeof historyState>;

const positions = new Map<string, Position>();
let currentKey = '';
/** The position to restore. */
let wanted: Position | undefined;

const stateOf = (state: unknown): HistoryState => (isShaped(historyState, state) ? state : {});

/** Returns the key of the current history entry. A new entry gets one. */
function entryKey(): string {
  const { key } = stateOf(history.state);
  if (key) return key;
  const made = crypto.randomUUID();
  history.replaceState({ key: made } satisfies HistoryState, '');
  return made;
}

/** Returns the links to an address, in document order. */
const linksTo = (href: string): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('main a[href]')].filter((one) => one.getAttribute('href') === href);

function presentPosition(): Position {
  const link = document.activeElement?.closest<HTMLElement>('main a[href]');
  const href = link?.getAttribute('href');
  if (!link || !href) return { y: scrollY };
  const nth = linksTo(href).indexOf(link);
  return { y: scrollY, link: href, nth, top: link.getBoundingClientRect().top };
}

/** Starts to record positions, also in the history state, which survives a reload. */
export function watchScroll(): void {
  history.scrollRestoration = 'manual';
  currentKey = entryKey();
  wanted = stateOf(history.state).position;
  const note = (): void => {
    // A link creates a new entry at once, but its event comes later.
    if (stateOf(history.state).key !== currentKey) return;
    history.replaceState({ key: currentKey, position: { y: scrollY } } satisfies HistoryState, '');
  };
  addEventListener('scroll', debounced(note, 200), { passive: true });
  const forget = (): void => {
    wanted = undefined;
  };
  // A reader who acts is no longer moved.
  for (const kind of ['wheel', 'touchstart', 'keydown', 'pointerdown']) {
    addEventListener(kind, forget, { passive: true });
  }
}

/** Saves the position of the page before the next is drawn. Returns whether the next page was open before. */
export function saveScroll(): boolean {
  positions.set(currentKey, presentPosition());
  currentKey = entryKey();
  wanted = positions.get(currentKey) ?? stateOf(history.state).position;
  return wanted !== undefined;
}

/** Restores the wanted position once the page is long enough, and the focus of the link that was followed. */
export function restoreScroll(): void {
  if (!wanted) return;
  const { y, link, nth = 0, top } = wanted;
  const followed = link === undefined ? undefined : linksTo(link)[nth];
  const target = followed && top !== undefined ? scrollY + followed.getBoundingClientRect().top - top : y;
  if (document.documentElement.scrollHeight - innerHeight < Math.floor(target)) return;
  scrollTo(0, target);
  if (link && !followed) return;
  followed?.focus({ preventScroll: true });
  wanted = undefined;
}
