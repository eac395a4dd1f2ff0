//! The views of the app by route. All groups but that of the first page are fetched when a view of them is opened.

import { isOtherPage, type Route } from '../routes.ts';
import { sourceOf } from '../source/current.ts';
import type { OpenView } from '../view.ts';
import { home } from '../views/home.ts';
import { signedOut } from '../views/signed-out.ts';
import { unknown } from '../views/unknown.ts';

const records = () => import('../views/record-views.ts');
const tools = () => import('../views/tool-views.ts');
const developers = () => import('../views/developers/developer-views.ts');
const openFilesView = async (): Promise<OpenView> => (await records()).filesView;

const VIEWS: Record<string, () => Promise<OpenView>> = {
  home: async () => home,
  launch: async () => (await records()).launch,
  'ehr-launch': async () => (await records()).ehrLaunch,
  callback: async () => (await records()).callback,
  patients: async () => (await records()).patients,
  chart: async () => (await records()).chart,
  access: async () => (await records()).access,
  session: async () => (await records()).sessionView,
  files: openFilesView,
  link: async () => (await records()).sharedLink,
  ehr: async () => (await tools()).simulator,
  search: async () => (await tools()).searchView,
  scopes: async () => (await tools()).scopes,
  checks: async () => (await tools()).checks,
  receipts: async () => (await tools()).receipts,
  developers: async () => (await developers()).start,
  reference: async () => (await developers()).reference,
  guides: async () => (await developers()).guides,
  sandbox: async () => (await tools()).sandbox,
  'signed-out': async () => signedOut,
};

/** The views of the page for other servers. */
const OTHER_VIEWS: Record<string, () => Promise<OpenView>> = {
  other: async () => (await import('../views/other/view.ts')).otherView,
  start: async () => (await import('../views/other/view.ts')).startView,
};

/** The views of a chart. The view of a record is the summary with the drawer open over it. */
const CHART_VIEWS = ['', 'timeline', 'trend', 'growth', 'record'];

/** Returns whether the view knows the parts of the address after its name. */
function hasKnownParts({ name, parts }: Route): boolean {
  const [, part = ''] = parts;
  if (name === 'chart') return CHART_VIEWS.includes(part) && (part !== 'record' || parts.length === 4);
  if (name === 'reference') return parts.length <= 1;
  return parts.length === 0 || name === 'launch' || name === 'start';
}

/**
 * Returns the view of a route, or the view for unknown addresses. If the source of the route is missing, returns the
 * view that opens files or the signed-out view.
 */
export async function viewOf(route: Route): Promise<OpenView> {
  if (route.source && !sourceOf(route.source)) return route.source === 'files' ? openFilesView() : signedOut;
  if (!hasKnownParts(route)) return unknown;
  const views = isOtherPage ? { ...VIEWS, ...OTHER_VIEWS } : VIEWS;
  return (await views[route.name]?.()) ?? unknown;
}
