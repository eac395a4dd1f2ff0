//! The focus after a change of the page.

import { onceDrawn } from '../scheduling.ts';

/**
 * Gives the focus to an element once what changes now is drawn: the control that was pressed may be gone then, and the
 * focus with it.
 */
export function focusOnceDrawn(selector: string): void {
  onceDrawn(() => document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true }));
}

/** Gives the focus to the heading, if the control that had it is gone. */
export function keepFocus(): void {
  if (document.activeElement === document.body) {
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }
}
