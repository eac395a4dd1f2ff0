//! The start of the app: loads the language, draws the shell, and installs the service worker.

import { loadLanguage } from './language/language.ts';
import { openShell } from './shell/shell.ts';
import { trustedScriptUrl } from './trusted-types.ts';

const host = document.getElementById('app');
if (!host) throw new Error('The page has no element for the app.');
void loadLanguage().then(() => openShell(host));

/** In milliseconds. The page loads what it needs itself first. */
const INSTALL_DELAY = 500;

async function installServiceWorker(): Promise<void> {
  try {
    await navigator.serviceWorker.register(trustedScriptUrl('/sw.js'));
  } catch {
    // Without it the app works, but not offline.
  }
}

if ('serviceWorker' in navigator && isSecureContext) {
  addEventListener('load', () => setTimeout(installServiceWorker, INSTALL_DELAY), { once: true });
}
