//! Installs the service worker, which caches the app for offline use. It fetches many files, so a page that promises
//! that nothing is sent must wait for its end.

import { trustedScriptUrl } from './trusted-types.ts';

/** The delay of the installation in milliseconds, so that the page loads its own files first. */
const INSTALL_DELAY = 500;

const isOffered = 'serviceWorker' in navigator && isSecureContext;
/** True once nothing more may be fetched. An installation that has not begun is then skipped. */
let isHeld = false;
let registration: Promise<ServiceWorkerRegistration | undefined> | undefined;

function install(): void {
  if (isHeld) return;
  // Without the service worker the app works, but not offline.
  registration ??= navigator.serviceWorker.register(trustedScriptUrl('/sw.js')).catch(() => undefined);
}

export function installServiceWorker(): void {
  if (isOffered) addEventListener('load', () => setTimeout(install, INSTALL_DELAY), { once: true });
}

/** Waits until a worker has been installed, or its installation has failed. */
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
 * Waits until the service worker fetches nothing more by itself. An update is checked now, and not later. An
 * installation that has not begun is postponed to another visit.
 */
export async function serviceWorkerSettled(): Promise<void> {
  isHeld = true;
  const found = await registration;
  if (!found) return;
  await found.update().catch(() => undefined);
  if (found.installing) await installed(found.installing);
}
