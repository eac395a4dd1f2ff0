//! The link that opens the playground with a query. It runs nothing.

export const searchFragment = (query: string): string => `/search?${new URLSearchParams({ q: query })}`;
export const searchUrl = (origin: string, query: string): string => `${origin}/#${searchFragment(query)}`;
