// A request exactly as written: fetch would normalise the path, join headers, and refuse some of them.

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
        let parsed;
        try {
          parsed = JSON.parse(text);
        } catch {
          parsed = undefined;
        }
        resolve({
          status: answer.statusCode,
          headers: new Headers(Object.entries(answer.headers)),
          text,
          body: parsed,
        });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
