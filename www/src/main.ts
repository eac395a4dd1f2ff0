//! The start: the shell is drawn, the view of the address is opened, the service worker is asked to come.

import { openShell } from './shell.ts';
import { scriptAddress } from './trusted.ts';

openShell(document.getElementById('app') as HTMLElement);

if ('serviceWorker' in navigator && isSecureContext) {
  // After the page has what it needs itself.
  addEventListener(
    'load',
    () =>
      setTimeout(() => {
        navigator.serviceWorker.register(scriptAddress('/sw.js')).catch(() => undefined);
      }, 500),
    { once: true },
  );
}
