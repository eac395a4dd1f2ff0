//! The keyboard focus after a change of the page.

import { onceDrawn } from '../scheduling.ts';

/** Focuses an element once the changes are drawn: by then the pressed control, which had the focus, may be gone. */
export function focusOnceDrawn(selector: string): void {
  onceDrawn(() => document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true }));
}

/** Focuses the heading if the control that had the focus is gone. */
export function keepFocus(): void {
  if (document.activeElement === document.body) {
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }
}
