//! The focus after a change of the page.

/**
 * Gives the focus to an element once what changes now is drawn: the control that was pressed may be gone then, and the
 * focus with it.
 */
export function focusOnceDrawn(selector: string): void {
  // A change is drawn in the next frame.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true })),
  );
}
