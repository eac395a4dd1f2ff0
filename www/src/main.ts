//! The start of the app: loads the language, draws the shell, and installs the service worker.

import { loadLanguage } from './language/language.ts';
import { installServiceWorker } from './service-worker.ts';
import { openShell } from './shell/shell.ts';

const host = document.getElementById('app');
if (!host) throw new Error('The page has no element for the app.');
void loadLanguage().then(() => openShell(host));
installServiceWorker();
