//! The developer mode: requests, JSON and the names of scopes are shown everywhere. Otherwise they are folded.
//! `public/theme.js` applies the stored choice before the first paint.

import { signal } from '@preact/signals-core';

const developer = signal(globalThis.document?.documentElement.dataset.developer === 'on');

export const isDeveloper = (): boolean => developer.value;

/** Switches the mode on or off, and returns whether it is on. */
export function switchDeveloper(): boolean {
  const on = !developer.value;
  developer.value = on;
  if (on) document.documentElement.dataset.developer = 'on';
  else delete document.documentElement.dataset.developer;
  try {
    if (on) localStorage.setItem('developer', 'on');
    else localStorage.removeItem('developer');
  } catch {
    // Without storage the mode lasts as long as this page.
  }
  return on;
}
