// The cron trigger of a local server, which the platform fires for a deployment (`[triggers]` of wrangler.toml): once a
// minute, so that a job that was cut off or is done again does not wait long. For the Worker that does the jobs, beside
// `wrangler dev`:
//   node tools/server/cron.mjs http://localhost:8787

/// The address of `wrangler dev` that fires the trigger of the Worker that does the jobs.
const FIRE = '/cdn-cgi/local/explorer/api/local/scheduled?worker=edgechart-jobs';

/// Does something every so many seconds, if it has ended by then, until the function that is returned is called. What
/// fails is tried again.
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
