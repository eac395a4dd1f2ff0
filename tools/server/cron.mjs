// Fires the cron trigger of a local server, as the platform does for a deployment (`triggers` in
// tools/deploy/settings.mjs). It fires once a minute, so that interrupted or repeated jobs do not wait long. For the
// Worker for jobs beside `wrangler dev`:
//   node tools/server/cron.mjs http://localhost:8787

/// The path of `wrangler dev` that fires the trigger of the Worker for jobs.
const FIRE = '/cdn-cgi/local/explorer/api/local/scheduled?worker=edgechart-jobs';

/// Calls `fire` every so many seconds, unless the last call is still running. Failures are ignored. Returns a function
/// that stops this.
export function trigger(fire, seconds = 60) {
  let goesOn = false;
  const timer = setInterval(async () => {
    if (goesOn) return;
    goesOn = true;
    await fire().catch(() => {});
    goesOn = false;
  }, seconds * 1_000);
  return () => clearInterval(timer);
}

if (import.meta.filename === process.argv[1]) {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ cron: '* * * * *' });
  trigger(() => fetch(process.argv[2] + FIRE, { method: 'POST', headers, body }));
}
