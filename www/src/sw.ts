//! The service worker. It caches the app, the engine and the sample, so that the app opens offline after the first
//! visit, installed or not. Records, tokens, sign-in pages, and requests with an Authorization header are passed
//! through.

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
const KEPT = new Set(FILES);
/** The time that the network has before the cached page is shown, in milliseconds. A weak network may never answer. */
const PATIENCE = 3_000;
/** The time for which such a network is not awaited again, in milliseconds, since a page has several files. */
const SILENT = 10_000;

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

/** Looks up a file by its path, so that a code in the query of the callback page is neither looked up nor cached. */
const keptFile = (pathname: string): Promise<Response | undefined> => caches.match(pathname, { ignoreSearch: true });

/** The time until which the network counts as silent, in milliseconds since 1970. */
let isSilentUntil = 0;

async function answer(request: Request, pathname: string): Promise<Response> {
  // A file with a hash in its name never changes. A page may change, so the network is asked first.
  if (pathname.startsWith('/assets/')) return (await keptFile(pathname)) ?? fetch(request);
  const answered = fetch(request);
  // The cached file may already be shown when this fails.
  const orNothing = answered.catch(() => undefined);
  const patience = Date.now() < isSilentUntil ? 0 : PATIENCE;
  const silence = new Promise<'silence'>((done) => setTimeout(() => done('silence'), patience));
  const first = await Promise.race([orNothing, silence]);
  if (first === 'silence') isSilentUntil = Date.now() + SILENT;
  else if (first) return first;
  return (await keptFile(pathname)) ?? answered;
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
