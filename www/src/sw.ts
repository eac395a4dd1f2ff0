//! The service worker: it keeps the shell, the engine and the sample, so that the app opens offline. It lets records,
//! tokens, sign-in pages, and every request with an Authorization pass untouched.

export {};

// TypeScript's libraries for pages and for workers exclude each other.
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
const PUBLIC = ['/theme.js', '/icon.svg', '/manifest.webmanifest'];
const KEPT = new Set([...FILES, ...PUBLIC]);

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll([...KEPT]);
  await self.skipWaiting();
}

/** Drops the files of earlier versions. */
async function activate(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** Looks up by path alone: a code in the query of the callback page is neither looked up nor kept. */
const keptFile = (pathname: string): Promise<Response | undefined> => caches.match(pathname, { ignoreSearch: true });

async function answer(request: Request, pathname: string): Promise<Response> {
  // A file with its hash in its name never changes; a page may, so the network is asked first.
  if (pathname.startsWith('/assets/')) return (await keptFile(pathname)) ?? fetch(request);
  try {
    return await fetch(request);
  } catch {
    return (await keptFile(pathname)) ?? Response.error();
  }
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const isOurs = origin === self.location.origin && KEPT.has(pathname);
  if (request.method !== 'GET' || request.headers.has('Authorization') || !isOurs) return;
  event.respondWith(answer(request, pathname));
});
