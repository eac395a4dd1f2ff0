// `make serve`: the built Worker on workerd, until it is interrupted.

import { parseArgs } from 'node:util';
import { hello } from './hello.mjs';
import { start } from './workerd.mjs';

const { values } = parseArgs({
  options: { port: { type: 'string' }, state: { type: 'string' }, store: { type: 'string', default: 'd1' } },
});
const origin = `http://localhost:${values.port}`;
const server = await start({
  port: Number(values.port),
  state: values.state,
  vars: { ORIGIN: origin, STORE: values.store },
  bare: true,
});
process.on('SIGINT', async () => {
  await server.close();
  process.exit(0);
});
process.on('SIGTERM', async () => {
  await server.close();
  process.exit(0);
});
console.log(`· the log is in ${server.log}`);
await hello(origin);
