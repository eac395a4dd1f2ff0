//! The state of the shell: the route, the open view, and the events that change them.

import { signal } from '@preact/signals-core';
import { Clock, onChange } from '../drawing.ts';
import { errorText } from '../error-text.ts';
import { pageLanguage } from '../language/language.ts';
import { t } from '../language/message.ts';
import { announce } from '../parts/announce.ts';
import { closeDrawer } from '../parts/drawer.ts';
import { completedAddress, currentRoute, isOtherPage, isRouteOfPage, type Route } from '../routes.ts';
import { onceDrawn } from '../scheduling.ts';
import { saveScroll } from '../scroll.ts';
import { endIfExpired } from '../smart/refresh.ts';
import { session } from '../smart/session.ts';
import { sourceOf, trialGrant } from '../source/current.ts';
import { files } from '../source/files.ts';
import { checkSession, recheckSession } from '../source/user.ts';
import type { View } from '../view.ts';
import { viewOf } from './views.ts';

/** The time between two checks whether the session has ended, in milliseconds. */
const EXPIRY_CHECK = 5_000;

const sourceKey = ({ source }: Route): string | undefined => source && sourceOf(source)?.key;

export class ShellModel {
  readonly route = signal(currentRoute());
  readonly view = signal<View | undefined>(undefined);
  readonly problem = signal<string | undefined>(undefined);
  readonly menuOpen = signal(false);
  readonly clock = new Clock(EXPIRY_CHECK);
  /** The key of the source that the view shows. */
  #shownKey = sourceKey(this.route.value);
  #signedIn = session.value !== undefined;
  #sessionId = session.value?.id;
  #arrivals = 0;

  constructor() {
    addEventListener('hashchange', () => void this.arrive(saveScroll()));
    for (const one of [trialGrant, session, files]) onChange<unknown>(one, () => this.#sourceChanged());
    onChange(pageLanguage, () => {
      if (!this.view.value?.isTranslatedInPlace) void this.arrive(true);
    });
    setInterval(() => {
      endIfExpired();
      recheckSession();
    }, EXPIRY_CHECK);
    // The views of a session use its token themselves, which checks it.
    void checkSession({ readsItself: this.route.value.source === 'session' });
  }

  /**
   * Whose records the page is about. Open files count on their own pages, and on other pages while nobody is signed in.
   * A session counts everywhere except on pages of files and of the sample.
   */
  get status(): 'your files' | 'signed in' | 'signed out' | 'sample' {
    const { source, name } = this.route.value;
    if (isOtherPage) return session.value ? 'signed in' : 'signed out';
    const hasFiles = files.value.is === 'open' || files.value.is === 'opening';
    if (hasFiles && (source === 'files' || name === 'files')) return 'your files';
    if (source !== 'sample' && session.value) return 'signed in';
    if (source === 'session' || name === 'signed-out') return 'signed out';
    return hasFiles && source !== 'sample' ? 'your files' : 'sample';
  }

  /** The title of the page. It stays in the browser history, so it never has content from a user's own files. */
  get title(): string | undefined {
    const title = this.view.value?.title;
    return title && this.route.value.source === 'files' ? t('Your own record') : title;
  }

  /** Opens the view of the current address. With `back`, the view was open before, so its scroll position is kept. */
  async arrive(back = false): Promise<void> {
    const arrival = ++this.#arrivals;
    this.view.value?.leave?.();
    closeDrawer();
    const address = completedAddress(currentRoute(), session.value !== undefined);
    if (address) history.replaceState(history.state, '', `${location.pathname}#${address}`);
    const route = currentRoute();
    this.route.value = route;
    if (!isRouteOfPage(route)) {
      location.replace(`/${location.hash}`);
      return;
    }
    // The style of the root needs the view, since the height of the bars depends on the view.
    document.documentElement.dataset.view = route.name;
    this.#shownKey = sourceKey(route);
    this.view.value = undefined;
    this.problem.value = undefined;
    this.menuOpen.value = false;
    try {
      const open = await viewOf(route);
      if (arrival !== this.#arrivals) return;
      this.view.value = open(route);
    } catch (error) {
      if (arrival !== this.#arrivals) return;
      this.problem.value = errorText(error);
    }
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
    const { value: view } = this.view;
    announce(view?.title ?? t('This page could not be opened'));
  }

  /** Opens the view again when the session ends or the source changes. After a token refresh, the view stays. */
  #sourceChanged(): void {
    const { value: route } = this.route;
    const key = sourceKey(route);
    const hasEnded = this.#signedIn && !session.value;
    if (hasEnded || (route.source && key !== this.#shownKey)) void this.arrive();
    this.#shownKey = key;
    this.#signedIn = session.value !== undefined;
    if (this.#sessionId === session.value?.id) return;
    this.#sessionId = session.value?.id;
    void checkSession({ readsItself: true });
  }
}
