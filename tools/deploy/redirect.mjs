// Checks that http requests for the app are redirected to https. The Worker redirects the requests that it answers, but
// the files of the app are served before the Worker runs.

import { execFileSync } from 'node:child_process';
import { DRY_RUN, Fault, say, show } from './commands.mjs';

/// Returns the status of a GET, or 0 if there is no answer, and the address of a redirect.
function ask(words) {
  try {
    const [status, location = ''] = execFileSync(words[0], words.slice(1), { encoding: 'utf8' }).split(' ');
    return { status: Number(status), location };
  } catch (error) {
    if (error.code === 'ENOENT') throw new Fault('curl is not here: it asks whether http is redirected to https');
    return { status: 0, location: '' };
  }
}

/// Checks that the pages of a server are not served over http.
export function checkRedirect(origin) {
  const { hostname } = new URL(origin);
  const plain = `http://${hostname}/`;
  const words = ['curl', '--silent', '--output', '/dev/null', '--max-time', '20'];
  words.push('--write-out', '%{http_code} %{redirect_url}', plain);
  if (DRY_RUN) return show(words);
  const { status, location } = ask(words);
  const to = URL.parse(location);
  if (status >= 300 && status < 400 && to?.protocol === 'https:' && to.hostname === hostname) {
    return say(`${plain} is redirected to https`);
  }
  // The HSTS preload list of browsers has the whole domain .dev.
  if (hostname.endsWith('.dev'))
    return say(`${plain} is not redirected, and no browser asks it: .dev is for https alone`);
  if (status === 0)
    throw new Fault(`it is deployed, and ${plain} does not answer yet: make deploy again in some minutes`);
  throw new Fault(
    `it is deployed, but ${plain} is answered with ${status} and not redirected to https: ` +
      'turn on "Always Use HTTPS" for the zone (SSL/TLS, Edge Certificates), and make deploy again',
  );
}
