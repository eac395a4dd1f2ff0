//! Addresses. The fragment names the view, so that views can be linked and Back works. A chart's address also names the
//! source of its records, so that a session's chart is never shown with other records.

import { decoded } from '#reading/decoded.ts';
import { idOfNumber, numberOfId } from './aliases.ts';

/** The page for servers of other origins. Only its policy allows requests to them, see `_headers`. */
export const OTHER_PAGE = '/other.html';
/** True on the page for other servers. The value is fixed for the life of the page. */
export const isOtherPage = globalThis.location?.pathname === OTHER_PAGE;

/** Whose records: the signed-in session's, the sample that comes with the app, or the files that the user opened. */
export type SourceName = 'session' | 'sample' | 'files';

export interface Route {
  name: string;
  parts: string[];
  query: URLSearchParams;
  source?: SourceName;
}

/** The routes of pages without a fragment. */
const PAGES: Record<string, string> = {
  '/': 'home',
  '/index.html': 'home',
  '/launch.html': 'ehr-launch',
  '/callback.html': 'callback',
  '/check.html': 'receipts',
  '/sandbox.html': 'sandbox',
  [OTHER_PAGE]: 'other',
};
/** The views of the page for other servers, beside those of a session. */
const OF_OTHER_PAGE = ['other', 'start', 'signed-out', 'unknown'];
const SOURCES: readonly string[] = ['session', 'sample', 'files'] satisfies SourceName[];
const isSourceName = (text: string): text is SourceName => SOURCES.includes(text);
/** The views whose addresses name a source. */
const OF_A_SOURCE = ['chart', 'patients'];

/** Returns the route of an address such as `#/sample/chart/amara-okafor/trend/4548-4?…`. */
export function currentRoute({ pathname, hash }: Pick<Location, 'pathname' | 'hash'> = location): Route {
  // The fragment of this page is a link to share.
  if (pathname === '/link.html') return { name: 'link', parts: [], query: new URLSearchParams() };
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [first = '', ...rest] = path.replace(/\/+$/, '').split('/').map(decoded);
  const query = new URLSearchParams(search);
  const [second = '', ...others] = rest;
  if (isSourceName(first) && OF_A_SOURCE.includes(second)) {
    if (first === 'files') return { name: second, parts: fromNumbers(others), query: ofNumbers(query), source: first };
    return { name: second, parts: others, query, source: first };
  }
  return { name: first || PAGES[pathname] || 'unknown', parts: rest, query };
}

/**
 * Returns whether a route belongs to the open page. The page for other servers shows neither the sample, nor the user's
 * files, nor tools that ask our own server.
 */
export const isRouteOfPage = ({ name, source }: Route, other = isOtherPage): boolean =>
  !other || (source ? source === 'session' : OF_OTHER_PAGE.includes(name));

/** Returns whether a part of an address identifies records, such as a patient or a test, and not a view. */
const isOfRecords = (at: number): boolean => at !== 1;
const fromNumbers = (parts: string[]): string[] =>
  parts.map((part, at) => (isOfRecords(at) ? (idOfNumber(part) ?? part) : part));
const ofNumbers = (query: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...query].map(([name, value]) => [name, idOfNumber(value) ?? value]));
const toNumbers = (parts: string[]): string[] => parts.map((part, at) => (isOfRecords(at) ? numberOfId(part) : part));

const pathOf = (...parts: string[]): string => `/${parts.map(encodeURIComponent).join('/')}`;

/** Returns the page of a source. A session of another server stays on the page for other servers. */
const pageOf = (source: SourceName): string => (source === 'session' && isOtherPage ? OTHER_PAGE : '/');

export const patientsUrl = (source: SourceName): string => `${pageOf(source)}#${pathOf(source, 'patients')}`;
/** Returns the address of a view of a chart. For the user's own files it has numbers, see `aliases.ts`. */
export const chartUrl = (source: SourceName, patient: string, ...view: string[]): string => {
  const parts = [patient, ...view];
  return `${pageOf(source)}#${pathOf(source, 'chart', ...(source === 'files' ? toNumbers(parts) : parts))}`;
};
/** Returns an id for the query of an address. For the user's own files it is a number, as in `chartUrl`. */
export const idInAddress = (source: SourceName, id: string): string => (source === 'files' ? numberOfId(id) : id);
export const FILES_URL = '/#/files';
/** The page about the access of this app, for the person who granted it. */
export const ACCESS_URL = isOtherPage ? OTHER_PAGE : '/#/access';
/** The page about the session that is open, for developers. */
export const SESSION_URL = isOtherPage ? OTHER_PAGE : '/#/session';
/** The page that says why the session has ended. */
export const SIGNED_OUT_URL = isOtherPage ? `${OTHER_PAGE}#/signed-out` : '/#/signed-out';
/** Returns the first page of a session: its patient's chart, or the list of its patients. */
export const sessionStartUrl = (patient: string | undefined): string =>
  patient ? chartUrl('session', patient) : patientsUrl('session');

/** Returns the address that starts a standalone launch at the other server of this tab. */
export const startUrl = (launch: 'patient' | 'practitioner'): string => `${OTHER_PAGE}#${pathOf('start', launch)}`;

/** Completes an address without a source, or a chart without a patient. Returns `undefined` for other addresses. */
export function completedAddress({ name, parts, source }: Route, signedIn: boolean): string | undefined {
  if (source ? parts.length > 0 || name !== 'chart' : !OF_A_SOURCE.includes(name)) return undefined;
  const to = source ?? (signedIn ? 'session' : 'sample');
  return parts.length > 0 && name === 'chart' ? pathOf(to, name, ...parts) : pathOf(to, 'patients');
}

/**
 * Opens an address of this app. Every page is the same app, so nothing is reloaded, except on the way to or from the
 * page for other servers, since the policy and the server of a page are fixed for its life.
 */
export function navigate(address: string, { replace = false } = {}): void {
  if ((new URL(address, location.href).pathname === OTHER_PAGE) !== isOtherPage) {
    location[replace ? 'replace' : 'assign'](address);
    return;
  }
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Returns whether two routes open the same view of the same records; their queries may differ. */
const isSameView = (a: Route, b: Route): boolean =>
  a.name === b.name && a.source === b.source && a.parts.join('/') === b.parts.join('/');

/**
 * Writes the state of a view into its address, without a new entry in the history. Does nothing if the address is that
 * of another view: a link changes it at once, but the event that closes this view comes later.
 */
export function replaceFragment(fragment: string): void {
  const { pathname } = location;
  if (!isSameView(currentRoute(), currentRoute({ pathname, hash: `#${fragment}` }))) return;
  history.replaceState(history.state, '', `${pathname}#${fragment}`);
}
