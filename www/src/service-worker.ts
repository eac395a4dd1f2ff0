//! The installation of the service worker, which keeps the app for use offline. It fetches much of the app, so that
//! whoever promises that nothing is sent waits for its end.

import { trustedScriptUrl } from './trusted-types.ts';

/** In milliseconds. The page loads what it needs itself first. */
const INSTALL_DELAY = 500;

const isOffered = 'serviceWorker' in navigator && isSecureContext;
/** True once nothing may be fetched any more: an installation that has not begun does not begin. */
let isHeld = false;
let registration: Promise<ServiceWorkerRegistration | undefined> | undefined;

function install(): void {
  if (isHeld) return;
  // Without it the app works, but not offline.
  registration ??= navigator.serviceWorker.register(trustedScriptUrl('/sw.js')).catch(() => undefined);
}

/** Installs the service worker once the page is loaded. */
export function installServiceWorker(): void {
  if (isOffered) addEventListener('load', () => setTimeout(install, INSTALL_DELAY), { once: true });
}

/** Waits until a worker that is being installed has fetched what it keeps, or has failed to. */
function installed(worker: ServiceWorker): Promise<void> {
  return new Promise((done) => {
    const look = (): void => {
      if (worker.state !== 'installing') done();
    };
    worker.addEventListener('statechange', look);
    look();
  });
}

/**
 * Waits until the service worker fetches nothing more by itself: a newer one is looked for now, and not later. An
 * installation that has not begun is left for another time.
 */
export async function serviceWorkerSettled(): Promise<void> {
  isHeld = true;
  const found = await registration;
  if (!found) return;
  await found.update().catch(() => undefined);
  if (found.installing) await installed(found.installing);
}
