//! Where one is: the fragment of the address says it, so that a view can be linked to, and going back works.

export interface Route { name: string; parts: string[]; query: URLSearchParams }

/** `#/chart/amara-okafor/trend/4548-4?…`; the pages of their own come without a fragment. */
export function here({ pathname, hash } = location): Route {
  const own = { '/launch.html': 'launched', '/callback.html': 'callback', '/sandbox.html': 'sandbox' }[pathname];
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [name = '', ...parts] = path.split('/').map(decoded);
  return { name: name || own || 'home', parts, query: new URLSearchParams(query) };
}

const decoded = (text: string): string => { try { return decodeURIComponent(text); } catch { return text; } };

export function goTo(hash: string): void {
  if (location.pathname === '/') location.hash = hash;
  else location.assign(`/#${hash}`);
}

/** Writes what a view shows into the address, without a step in the history. */
export const writeDown = (hash: string): void => history.replaceState(null, '', `${location.pathname}#${hash}`);
