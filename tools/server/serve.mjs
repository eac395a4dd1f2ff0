// `make serve`: runs the built Worker and the Worker for jobs on workerd, with the cron trigger, until it is
// interrupted.

import { parseArgs } from 'node:util';
import { notify } from './arrivals.mjs';
import { trigger } from './cron.mjs';
import { hello } from './hello.mjs';
import { problemOf } from './port.mjs';
import { built, JOBS, start } from './workerd.mjs';

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    state: { type: 'string' },
    store: { type: 'string', default: 'd1' },
    index: { type: 'string', default: 'us-core' },
    keys: { type: 'string', default: '.dev.vars' },
    // The seconds between two runs of the cron trigger.
    cron: { type: 'string', default: '60' },
  },
});
const problem = await problemOf(values.port);
if (problem !== undefined) {
  console.error(`· ${problem}`);
  process.exit(1);
}
const origin = `http://localhost:${values.port}`;
const server = await start({
  port: Number(values.port),
  state: values.state,
  keys: values.keys,
  vars: { ORIGIN: origin, STORE: values.store, INDEX: values.index },
  modules: built('build', { rehearses: true }),
  bare: true,
});
const worker = await server.miniflare.getWorker(JOBS);
const bucket = await server.miniflare.getR2Bucket('INBOX');
const known = new Map();
const stops = [
  trigger(() => worker.scheduled({ cron: '* * * * *' }), Number(values.cron)),
  trigger(() => notify(bucket, worker, known), 1),
];
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, async () => {
    for (const stop of stops) stop();
    await server.close();
    process.exit(0);
  });
}
console.log(`· the log is in ${server.log}`);
await hello(origin);
