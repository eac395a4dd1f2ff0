//! The theme: light, dark, or the system's. `public/theme.js` applies the stored one before the first paint.

import { signal } from '@preact/signals-core';

/**
 * The next theme, where the system's is light, and where it is dark: from the system's the first step is one that is
 * seen.
 */
const NEXT = {
  light: { auto: 'dark', dark: 'light', light: 'auto' },
  dark: { auto: 'light', light: 'dark', dark: 'auto' },
} as const;
export type Theme = keyof typeof NEXT.light;

const systemTheme = (): keyof typeof NEXT => (matchMedia('(prefers-color-scheme:dark)').matches ? 'dark' : 'light');

/** The theme that was applied. */
function applied(): Theme {
  const { theme: chosen } = document.documentElement.dataset;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'auto';
}

const current = signal(applied());

export const theme = (): Theme => current.value;

/** Changes to the next theme, and returns it. */
export function nextTheme(): Theme {
  const next = NEXT[systemTheme()][current.value];
  current.value = next;
  if (next === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try {
    if (next === 'auto') localStorage.removeItem('theme');
    else localStorage.setItem('theme', next);
  } catch {
    // Without storage it holds for this page.
  }
  return next;
}
