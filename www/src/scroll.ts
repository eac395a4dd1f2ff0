//! The scroll position of each entry of the history, and the link that was followed from it: Back restores both. The
//! browser's own restoration comes before the records are drawn.

import { isShaped, number, object, partial, type ShapeValue, string } from '#reading/shape.ts';
import { debounced } from './scheduling.ts';

const position = object({ y: number }, { link: string, nth: number, top: number });
/**
 * The scroll position of a page, and the address and the top of the link that was followed, in pixels. `nth`: its place
 * among the links to that address.
 */
type Position = ShapeValue<typeof position>;
const historyState = partial({ key: string, position });
type HistoryState = ShapeValue<typeof historyState>;

const positions = new Map<string, Position>();
let currentKey = '';
/** The position to restore. */
let wanted: Position | undefined;

const stateOf = (state: unknown): HistoryState => (isShaped(historyState, state) ? state : {});

/** The key of the entry that is open. A new entry gets one. */
function entryKey(): string {
  const { key } = stateOf(history.state);
  if (key) return key;
  const made = crypto.randomUUID();
  history.replaceState({ key: made } satisfies HistoryState, '');
  return made;
}

/** The links to an address, in the order of the page. */
const linksTo = (href: string): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('main a[href]')].filter((one) => one.getAttribute('href') === href);

function presentPosition(): Position {
  const link = document.activeElement?.closest<HTMLElement>('main a[href]');
  const href = link?.getAttribute('href');
  if (!link || !href) return { y: scrollY };
  const nth = linksTo(href).indexOf(link);
  return { y: scrollY, link: href, nth, top: link.getBoundingClientRect().top };
}

/** Begins to note positions, also in the history, where a reload finds them. */
export function watchScroll(): void {
  history.scrollRestoration = 'manual';
  currentKey = entryKey();
  wanted = stateOf(history.state).position;
  const note = (): void => {
    // A link makes a new entry at once, and the event that tells of it comes later.
    if (stateOf(history.state).key !== currentKey) return;
    history.replaceState({ key: currentKey, position: { y: scrollY } } satisfies HistoryState, '');
  };
  addEventListener('scroll', debounced(note, 200), { passive: true });
  const forget = (): void => {
    wanted = undefined;
  };
  // A reader who moves is where they want to be.
  for (const kind of ['wheel', 'touchstart', 'keydown', 'pointerdown']) {
    addEventListener(kind, forget, { passive: true });
  }
}

/** Keeps the position of the page that is left, before the next is drawn. Returns whether the next was open before. */
export function saveScroll(): boolean {
  positions.set(currentKey, presentPosition());
  currentKey = entryKey();
  wanted = positions.get(currentKey) ?? stateOf(history.state).position;
  return wanted !== undefined;
}

/**
 * Restores the wanted position once the page is long enough, and gives the focus back to the link that was followed.
 */
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
