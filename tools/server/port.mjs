// Checks that a local server can listen on a port, and says in a sentence why not:
//   node tools/server/port.mjs 8787

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/// The ports to choose from. They are below those that systems give to connections, which would take one before its
/// server listens, and no browser refuses them.
const [FIRST, LAST] = [20_000, 31_999];

/// A port that is free now: the app's address must be known before the server starts, since its links are built from
/// it.
export async function freePort() {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    if ((await problemOf(String(port))) === undefined) return port;
  }
}

/// The sentence about a port on which no server can listen. `undefined` if one can.
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
