// A request exactly as written: fetch would normalise the path, join headers, and refuse some of them. It also takes
// half the processor time of one by fetch, since its connection is kept and its answer is no stream.

import { request } from 'node:http';

/// Sends a request and resolves to {status, headers, text, body}. `headers` is an object, or a flat list of names and
/// values where a name occurs twice.
export function raw(url, path, { method = 'GET', headers = {}, body } = {}) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers, setHost: !('host' in headers) }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const given = new Headers(Object.entries(answer.headers));
        resolve({ status: answer.statusCode, headers: given, text, body: parsed(text) });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/// The same of an answer to fetch.
export async function answerOf(response) {
  const { status, headers } = response;
  const text = await response.text();
  return { status, headers, text, body: parsed(text) };
}

/// The value of a JSON text, or nothing where it is none.
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
