//! The views of the app by route. All but the first page are fetched when they are opened.

import { isOtherPage, type Route } from '../routes.ts';
import { sourceOf } from '../source/current.ts';
import type { OpenView } from '../view.ts';
import { home } from '../views/home.ts';
import { signedOut } from '../views/signed-out.ts';
import { unknown } from '../views/unknown.ts';

const openFilesView = async (): Promise<OpenView> => (await import('../views/files/view.ts')).filesView;

const VIEWS: Record<string, () => Promise<OpenView>> = {
  home: async () => home,
  launch: async () => (await import('../views/launch/view.ts')).launch,
  'ehr-launch': async () => (await import('../views/ehr-launch.ts')).ehrLaunch,
  callback: async () => (await import('../views/callback.ts')).callback,
  ehr: async () => (await import('../views/simulator.ts')).simulator,
  patients: async () => (await import('../views/patients.ts')).patients,
  chart: async () => (await import('../views/chart/view.ts')).chart,
  search: async () => (await import('../views/search/view.ts')).searchView,
  scopes: async () => (await import('../views/scopes.ts')).scopes,
  session: async () => (await import('../views/session/view.ts')).sessionView,
  checks: async () => (await import('../views/checks.ts')).checks,
  reference: async () => (await import('../views/reference.ts')).reference,
  sandbox: async () => (await import('../views/sandbox.ts')).sandbox,
  files: openFilesView,
  'signed-out': async () => signedOut,
};

/** Those of the page for other servers. */
const OTHER_VIEWS: Record<string, () => Promise<OpenView>> = {
  other: async () => (await import('../views/other/view.ts')).otherView,
  start: async () => (await import('../views/other/view.ts')).startView,
};

const CHART_VIEWS = ['', 'timeline', 'trend', 'growth'];

/** Returns whether the parts behind the view's name mean something to it. */
function hasKnownParts({ name, parts }: Route): boolean {
  const [, part = ''] = parts;
  if (name === 'chart') return CHART_VIEWS.includes(part);
  return parts.length === 0 || name === 'launch' || name === 'start';
}

/**
 * The view of a route: the page for unknown addresses where there is none, that of the signed-out without a session,
 * and that which opens files where they are not open.
 */
export async function viewOf(route: Route): Promise<OpenView> {
  if (route.source && !sourceOf(route.source)) return route.source === 'files' ? openFilesView() : signedOut;
  if (!hasKnownParts(route)) return unknown;
  const views = isOtherPage ? { ...VIEWS, ...OTHER_VIEWS } : VIEWS;
  return (await views[route.name]?.()) ?? unknown;
}
