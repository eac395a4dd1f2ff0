// Finds a free port.

import { createServer } from 'node:net';

/// Resolves to a free port, for servers that need the port in their settings before they start.
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
