// The Worker of a bare server, with what Cloudflare does around a Worker and workerd does not: it adds the caller's
// address, serves the files, and compresses texts. A request for the API goes to the Worker, in the same isolate. Any
// other request is for a file, and goes to the Worker where there is none. `addresses.js` is written by `start`.

import addresses from './addresses.js';
import worker from './index.js';

const escaped = (address) => address.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^?]*');
const API = new RegExp(`^https?://[^/]+(?:${addresses.map(escaped).join('|')})(?:\\?|$)`);
/// The types that Cloudflare compresses, of those that the Worker and the app have.
const COMPRESSED = /^(text\/(html|plain|css|javascript)|application\/(json|wasm|manifest\+json)|image\/svg\+xml)\b/;

/// The request with the caller's address, which is this machine's: the socket is open to no other. An address that the
/// caller gives is left, since tests and benches are callers at other networks.
function addressed(request) {
  if (request.headers.has('CF-Connecting-IP')) return request;
  const headers = new Headers(request.headers);
  headers.set('CF-Connecting-IP', '127.0.0.1');
  return new Request(request, { headers });
}

/// The file at that address, if there is one.
async function file({ url, method, headers }, env) {
  const answer = await env.ASSETS.fetch(url, { method, headers });
  return answer.status === 404 ? undefined : answer;
}

/// The answer, compressed if its type is one of those and the caller takes it so.
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
