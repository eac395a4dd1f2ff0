// Wraps the Worker of a bare server and does what Cloudflare does around a Worker and workerd does not: adds the
// caller's address, serves files, and compresses texts. API requests go to the Worker, in the same isolate. Other
// requests are for files, and go to the Worker if there is no such file. `start` generates `addresses.js`.

import addresses from './addresses.js';
import worker from './index.js';

const escaped = (address) => address.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^?]*');
const API = new RegExp(`^https?://[^/]+(?:${addresses.map(escaped).join('|')})(?:\\?|$)`);
/// The media types of the Worker and the app that Cloudflare compresses.
const COMPRESSED = /^(text\/(html|plain|css|javascript)|application\/(json|wasm|manifest\+json)|image\/svg\+xml)\b/;

/// Adds the caller's address to a request: that of this machine, since the socket is local. An address that the caller
/// gives stays, since tests and benchmarks simulate callers in other networks.
function addressed(request) {
  if (request.headers.has('CF-Connecting-IP')) return request;
  const headers = new Headers(request.headers);
  headers.set('CF-Connecting-IP', '127.0.0.1');
  return new Request(request, { headers });
}

/// Resolves to the answer with a file, or to `undefined` if there is no such file.
async function file({ url, method, headers }, env) {
  const answer = await env.ASSETS.fetch(url, { method, headers });
  return answer.status === 404 ? undefined : answer;
}

/// Compresses an answer if its type is in `COMPRESSED` and the caller accepts gzip.
function compressed(request, answer) {
  if (!COMPRESSED.test(answer.headers.get('Content-Type'))) return answer;
  if (!/\bgzip\b/.test(request.headers.get('Accept-Encoding'))) return answer;
  if (answer.body === null && request.method !== 'HEAD') return answer;
  const other = new Response(answer.body, answer);
  other.headers.set('Content-Encoding', 'gzip');
  return other;
}

export default {
  ...worker,
  async fetch(request, env, context) {
    const answer = API.test(request.url) ? undefined : await file(request, env);
    return compressed(request, answer ?? (await worker.fetch(addressed(request), env, context)));
  },
};
