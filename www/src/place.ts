//! The place of each entry of the history: how far it was scrolled, and which link was followed from it. Back restores it. The
//! browser's own restoration comes before the records are drawn.

import { settled } from './frame.ts';

interface Place {
  y: number;
  link?: string;
  top?: number;
}
interface Entry {
  key: string;
  place?: Place;
}

const places = new Map<string, Place>();

function key(): string {
  const state = history.state as Partial<Entry> | null;
  if (state?.key) return state.key;
  const made = crypto.randomUUID();
  history.replaceState({ key: made } satisfies Entry, '');
  return made;
}

let entry = '';
let wanted: Place | undefined;

function present(): Place {
  const link = document.activeElement?.closest('main a[href]');
  const to = link?.getAttribute('href');
  return link && to ? { y: scrollY, link: to, top: link.getBoundingClientRect().top } : { y: scrollY };
}

/** Notes the entry that is open, and what a reload left of its place. */
export function watchPlaces(): void {
  history.scrollRestoration = 'manual';
  entry = key();
  wanted = (history.state as Entry).place;
  addEventListener(
    'scroll',
    settled(() => history.replaceState({ key: entry, place: { y: scrollY } } satisfies Entry, ''), 200),
    { passive: true },
  );
  // A reader who moves is where they want to be.
  for (const kind of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
    addEventListener(
      kind,
      () => {
        wanted = undefined;
      },
      { passive: true },
    );
}

/** Keeps the place of the page that is left, before the next is drawn. True where the next was open before. */
export function leavePlace(): boolean {
  places.set(entry, present());
  entry = key();
  wanted = places.get(entry) ?? (history.state as Entry).place;
  return wanted !== undefined;
}

const linkTo = (href: string | undefined): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('main a[href]')].find((one) => one.getAttribute('href') === href);

/** Scrolls to the wanted place once the page is long enough for it, and gives the focus back to the link that led away. */
export function restorePlace(): void {
  if (!wanted) return;
  const { y, link, top } = wanted;
  const followed = linkTo(link);
  if (followed && top !== undefined) scrollBy(0, followed.getBoundingClientRect().top - top);
  else if (document.documentElement.scrollHeight - innerHeight >= y) scrollTo(0, y);
  else return;
  if (link && !followed) return;
  followed?.focus({ preventScroll: true });
  wanted = undefined;
}
