//! Light, dark, or as the system has it.

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' } as const;
export type Theme = keyof typeof NEXT;

export function theme(): Theme {
  const { theme: chosen } = document.documentElement.dataset;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'auto';
}

export function nextTheme(): Theme {
  const next = NEXT[theme()];
  if (next === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try {
    if (next === 'auto') localStorage.removeItem('theme');
    else localStorage.setItem('theme', next);
  } catch {
    /* then it holds for this page */
  }
  return next;
}
