// A port that nothing listens on.

import { createServer } from 'node:net';

/// For servers whose links lead to where they listen: the port is in their settings before they start.
export async function freePort() {
  const probe = createServer().listen(0);
  await new Promise((resolve) => {
    probe.once('listening', resolve);
  });
  const { port } = probe.address();
  await new Promise((resolve) => {
    probe.close(resolve);
  });
  return port;
}
