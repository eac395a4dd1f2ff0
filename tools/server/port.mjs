// Checks that a local server can listen on a port, and prints the reason if it cannot:
//   node tools/server/port.mjs 8787

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/// The range of ports. They are below the ephemeral ports of systems, so that no connection takes one before its server
/// listens, and browsers block none of them.
const [FIRST, LAST] = [20_000, 31_999];

/// Resolves to a free port. The origin of the app must be known before the server starts, since links are built from
/// it.
export async function freePort() {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    if ((await problemOf(String(port))) === undefined) return port;
  }
}

/// Resolves to the reason why no server can listen on a port, or to `undefined`.
export async function problemOf(port) {
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    return `PORT is a number from 1 to 65535, not ${port}`;
  }
  const server = createServer();
  const code = await new Promise((resolve) => {
    server.once('error', (error) => resolve(error.code));
    server.listen(Number(port), '127.0.0.1', () => server.close(() => resolve()));
  });
  if (code === undefined) return undefined;
  if (code !== 'EADDRINUSE') return `port ${port} cannot be listened on: ${code}`;
  return (
    `port ${port} is in use, perhaps by a server that was killed before it could end its workerd: ` +
    `end that one (ss -ltnp 'sport = :${port}' names it), or take another port, such as PORT=${Number(port) + 1}`
  );
}

if (import.meta.filename === process.argv[1]) {
  const problem = await problemOf(process.argv[2] ?? '');
  if (problem !== undefined) {
    console.error(`· ${problem}`);
    process.exitCode = 1;
  }
}
