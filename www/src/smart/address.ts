//! Addresses of servers. An address from a link or a person is checked here before anything is sent to it.

/** The hosts that may be requested without TLS: this machine. The page's policy has the same two, see `_headers`. */
const LOCAL_HOSTS = ['localhost', '127.0.0.1'];

/** Returns the address, if requests with codes and tokens may go to it: `https:`, or `http:` at this machine. */
export function safeUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url?.username !== '' || url.password !== '') return undefined;
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL_HOSTS.includes(url.hostname));
  return isSafe ? url : undefined;
}

/** Returns the FHIR base in a text, without a trailing slash. A text that is no base gives nothing. */
export function serverBase(text: string): string | undefined {
  const url = safeUrl(text.trim());
  if (!url || /[?#]/.test(url.href)) return undefined;
  return url.href.replace(/\/+$/, '');
}

/** Returns whether an address is a base, or below it. Dots are resolved as in a browser. */
export function isBelow(base: string, address: string): boolean {
  const href = URL.parse(address)?.href;
  return href !== undefined && (href === base || href.startsWith(`${base}/`) || href.startsWith(`${base}?`));
}
