//! The service worker: the shell, the engine and the sample, so that the app opens offline. It never touches the records,
//! a token, a sign-in page, or any answer to a request with an Authorization: those are not its business, and go by untouched.

export {};

declare const self: {
  addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  location: Location;
};
interface WorkerEvent extends Event {
  request: Request;
  waitUntil(promise: Promise<unknown>): void;
  respondWith(response: Promise<Response>): void;
}

const CACHE = `edgechart ${VERSION}`;
const known = new Set(FILES);
const PUBLIC = ['/theme.js', '/icon.svg', '/manifest.webmanifest'];

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll([...FILES, ...PUBLIC]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin || request.headers.has('Authorization')) return;
  if (!known.has(pathname) && !PUBLIC.includes(pathname)) return;
  // What has its hash in its name never changes; a page may, so the network is asked first.
  const hashed = pathname.startsWith('/assets/');
  // By path alone: a code in the query of the callback page is neither looked up nor kept.
  const kept = (): Promise<Response | undefined> => caches.match(pathname, { ignoreSearch: true });
  event.respondWith(
    hashed
      ? kept().then((response) => response ?? fetch(request))
      : fetch(request).catch(async () => (await kept()) ?? Response.error()),
  );
});
