//! The state of the shell: the route, the view that is open, and what makes it change.

import { pageLanguage } from '../language/language.ts';
import { t } from '../language/message.ts';
import { announce } from '../parts/announce.ts';
import { closeDrawer } from '../parts/drawer.ts';
import { belongsHere, completedAddress, currentRoute, isOtherPage, type Route, replaceFragment } from '../routes.ts';
import { onceDrawn } from '../scheduling.ts';
import { saveScroll } from '../scroll.ts';
import { endIfExpired } from '../smart/refresh.ts';
import { ended, session } from '../smart/session.ts';
import { sourceOf, trialGrant } from '../source/current.ts';
import { files } from '../source/files.ts';
import { errorText } from '../source/http.ts';
import { sent } from '../source/sent.ts';
import type { View } from '../view.ts';
import { viewOf } from './views.ts';

/** The time between two looks at the end of a session, in milliseconds. */
const EXPIRY_CHECK = 5_000;

const sourceKey = ({ source }: Route): string | undefined => source && sourceOf(source)?.key;

export class ShellModel {
  route: Route = currentRoute();
  view: View | undefined;
  problem: string | undefined;
  menuOpen = false;
  readonly #draw: () => void;
  /** The key of the source that the view shows. */
  #shownKey = sourceKey(this.route);
  #signedIn = session.value !== undefined;
  #arrivals = 0;

  constructor(draw: () => void) {
    this.#draw = draw;
    addEventListener('hashchange', () => void this.arrive(saveScroll()));
    ended.watch(draw);
    trialGrant.watch(() => this.#sourceChanged());
    session.watch(() => this.#sourceChanged());
    files.watch(() => this.#sourceChanged());
    sent.watch(draw);
    pageLanguage.watch(() => {
      if (this.view?.isTranslatedInPlace) draw();
      else void this.arrive(true);
    });
    setInterval(() => {
      endIfExpired();
      if (session.value && !session.value.refreshToken) draw();
    }, EXPIRY_CHECK);
  }

  openMenu(open: boolean): void {
    this.menuOpen = open;
    this.#draw();
  }

  /**
   * The records that the page is about: those of files on their pages, and on others while nobody is signed in; the
   * session's wherever there is one, except on pages of the sample.
   */
  get status(): 'your files' | 'signed in' | 'signed out' | 'sample' {
    const { source, name } = this.route;
    if (isOtherPage) return session.value ? 'signed in' : 'signed out';
    const hasFiles = files.value.is === 'open' || files.value.is === 'opening';
    if (hasFiles && (source === 'files' || name === 'files')) return 'your files';
    if (source !== 'sample' && session.value) return 'signed in';
    if (source === 'session' || name === 'signed-out') return 'signed out';
    return hasFiles && source !== 'sample' ? 'your files' : 'sample';
  }

  /** The title of the page. It stays in the history, so it says nothing of a user's own files. */
  get title(): string | undefined {
    const title = this.view?.title;
    return title && this.route.source === 'files' ? t('Your own record') : title;
  }

  /** Opens the view of the present address. `back`: it was open before, so its place is restored. */
  async arrive(back = false): Promise<void> {
    const arrival = ++this.#arrivals;
    this.view?.leave?.();
    closeDrawer();
    const address = completedAddress(currentRoute(), session.value !== undefined);
    if (address) replaceFragment(address);
    this.route = currentRoute();
    if (!belongsHere(this.route)) {
      location.replace(`/${location.hash}`);
      return;
    }
    // The style of the root needs it: how much of the page its bars cover is of the view.
    document.documentElement.dataset.view = this.route.name;
    this.#shownKey = sourceKey(this.route);
    this.view = undefined;
    this.problem = undefined;
    this.menuOpen = false;
    this.#draw();
    try {
      const open = await viewOf(this.route);
      if (arrival !== this.#arrivals) return;
      this.view = open(this.route, this.#draw);
    } catch (error) {
      if (arrival !== this.#arrivals) return;
      this.problem = errorText(error);
    }
    this.#draw();
    if (arrival > 1) {
      onceDrawn(() => {
        if (arrival === this.#arrivals) this.#focusHeading(back);
      });
    }
  }

  #focusHeading(back: boolean): void {
    if (!back) scrollTo(0, 0);
    if (!back || !document.activeElement?.matches('main a')) {
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    }
    announce(this.view?.title ?? t('This page could not be opened'));
  }

  /** When a session ends, no view keeps what it read with it. A refresh changes the token alone, and the view stays. */
  #sourceChanged(): void {
    const key = sourceKey(this.route);
    const hasEnded = this.#signedIn && !session.value;
    if (hasEnded || (this.route.source && key !== this.#shownKey)) void this.arrive();
    this.#shownKey = key;
    this.#signedIn = session.value !== undefined;
    this.#draw();
  }
}
