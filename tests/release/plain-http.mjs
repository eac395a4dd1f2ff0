// Simulates the network in front of a deployment: an HTTP proxy in its own process, which answers each request with the
// status and the redirect address in a file.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/// Starts the proxy. Resolves to {url, close}.
export async function plainHttp(file) {
  const proxy = spawn(process.execPath, [import.meta.filename, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(proxy.stdout, 'data');
  return { url: `http://127.0.0.1:${String(port).trim()}`, close: () => proxy.kill() };
}

if (import.meta.filename === process.argv[1]) {
  const server = createServer((_, answer) => {
    const [status, location] = readFileSync(process.argv[2], 'utf8').split(' ');
    answer.writeHead(Number(status), location ? { location } : {}).end();
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
}
