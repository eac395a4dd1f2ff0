//! The theme: light, dark, or the system's. `public/theme.js` applies the stored one before the first paint.

import { signal } from '@preact/signals-core';
import { keepText } from './storage.ts';

/** The next theme, for a light and a dark system theme. The first step away from `auto` is always a visible change. */
const NEXT = {
  light: { auto: 'dark', dark: 'light', light: 'auto' },
  dark: { auto: 'light', light: 'dark', dark: 'auto' },
} as const;
type Theme = keyof typeof NEXT.light;

const systemTheme = (): keyof typeof NEXT => (matchMedia('(prefers-color-scheme:dark)').matches ? 'dark' : 'light');

function applied(): Theme {
  const { theme: chosen } = document.documentElement.dataset;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'auto';
}

const current = signal(applied());

export const theme = (): Theme => current.value;

export function nextTheme(): Theme {
  const next = NEXT[systemTheme()][current.value];
  current.value = next;
  if (next === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  keepText('localStorage', 'theme', next === 'auto' ? undefined : next);
  return next;
}
