//! The developer mode: requests, JSON and the names of scopes are shown everywhere. Otherwise they are folded.
//! `public/theme.js` applies the stored choice before the first paint.

import { signal } from '@preact/signals-core';
import { keepText } from './storage.ts';

const developer = signal(globalThis.document?.documentElement.dataset.developer === 'on');

export const isDeveloper = (): boolean => developer.value;

/** Switches the mode on or off, and returns whether it is on. */
export function switchDeveloper(): boolean {
  const on = !developer.value;
  developer.value = on;
  if (on) document.documentElement.dataset.developer = 'on';
  else delete document.documentElement.dataset.developer;
  keepText('localStorage', 'developer', on ? 'on' : undefined);
  return on;
}
