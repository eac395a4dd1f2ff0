//! The theme: light, dark, or the system's. `public/theme.js` applies the stored one before the first paint.

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' } as const;
export type Theme = keyof typeof NEXT;

export function theme(): Theme {
  const { theme: chosen } = document.documentElement.dataset;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'auto';
}

/** Changes to the next theme, and returns it. */
export function nextTheme(): Theme {
  const next = NEXT[theme()];
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
