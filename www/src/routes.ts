//! Addresses: the fragment names the view, so that a view can be linked to and Back works. A chart's address names the source
//! of its records too, so that a session's chart is never shown with other records.

/** Whose records: the signed-in session's, or the sample that comes with the app. */
export type SourceName = 'session' | 'sample';

export interface Route {
  name: string;
  parts: string[];
  query: URLSearchParams;
  source?: SourceName;
}

const PAGES: Record<string, string> = {
  '/': 'home',
  '/index.html': 'home',
  '/launch.html': 'launched',
  '/callback.html': 'callback',
  '/sandbox.html': 'sandbox',
};
const OF_A_SOURCE = ['chart', 'patients'];

/** `#/sample/chart/amara-okafor/trend/4548-4?…`; the pages of their own come without a fragment. */
export function here({ pathname, hash } = location): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [first = '', ...rest] = path.replace(/\/+$/, '').split('/').map(decoded);
  const query = new URLSearchParams(search);
  const [second = '', ...others] = rest;
  if ((first === 'session' || first === 'sample') && OF_A_SOURCE.includes(second))
    return { name: second, parts: others, query, source: first };
  return { name: first || PAGES[pathname] || 'unknown', parts: rest, query };
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
const path = (...parts: string[]): string => `/${parts.map(encodeURIComponent).join('/')}`;

export const patientsAt = (source: SourceName): string => `/#${path(source, 'patients')}`;
export const chartAt = (source: SourceName, patient: string, ...view: string[]): string =>
  `/#${path(source, 'chart', patient, ...view)}`;
/** The first page of a session: its patient's chart, or the list of its patients. */
export const startOf = (patient: string | undefined): string =>
  patient ? chartAt('session', patient) : patientsAt('session');

/** The address of a chart or of the patients as earlier versions wrote it, with the source that was meant. */
export function completed({ name, parts, source }: Route, signedIn: boolean): string | undefined {
  if (source ? parts.length > 0 || name !== 'chart' : !OF_A_SOURCE.includes(name)) return undefined;
  const to = source ?? (signedIn ? 'session' : 'sample');
  return parts.length > 0 && name === 'chart' ? path(to, name, ...parts) : path(to, 'patients');
}

/** Opens an address of this app. Every page is the same app, so nothing is loaded again. */
export function goTo(address: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Writes what a view shows into the address, without a step in the history. */
export const writeDown = (hash: string): void =>
  history.replaceState(history.state, '', `${location.pathname}#${hash}`);
