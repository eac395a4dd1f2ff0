// The bucket of files of records: it notifies the queue of a new file, and deletes old files (docs/ingest.md).

import { change, DRY_RUN, Fault, isAbsent, look, say, WRANGLER } from './commands.mjs';

/// The days for which jobs may be done again, so that their files have to be there.
const DAYS = 35;
/// The events of wrangler's `object-create`.
const CREATED = ['PutObject', 'CompleteMultipartUpload', 'CopyObject'];

/// The entries of a list of wrangler: blocks of lines, each with a name, a colon and a value.
function entries(text) {
  const blocks = text.split(/\n\s*\n/).map((block) => [...block.matchAll(/^(\w+): +(.*?) *$/gm)]);
  return blocks.map((lines) => Object.fromEntries(lines.map(([, name, value]) => [name, value])));
}

const notification = (bucket, queue, where) => ({
  what: `notification of ${queue} by ${bucket}`,
  list: ['r2', 'bucket', 'notification', 'list', bucket, ...where],
  is: ({ queue_name: name, prefix, suffix, event_type: types = '' }) =>
    name === queue &&
    prefix === '(all prefixes)' &&
    suffix === '(all suffixes)' &&
    CREATED.every((type) => types.split(',').includes(type)),
  make: [
    ...['r2', 'bucket', 'notification', 'create', bucket],
    ...['--event-type', 'object-create', '--queue', queue, ...where],
  ],
});

const lifecycle = (bucket, where) => ({
  what: `rule of ${bucket} that deletes old files`,
  list: ['r2', 'bucket', 'lifecycle', 'list', bucket, ...where],
  is: ({ enabled, prefix, action = '' }) => {
    const [, days] = /Expire objects after (\d+) days?/.exec(action) ?? [];
    return enabled === 'Yes' && prefix === '(all prefixes)' && Number(days) >= DAYS;
  },
  make: ['r2', 'bucket', 'lifecycle', 'add', bucket, 'old', '--expire-days', String(DAYS), '--force', ...where],
});

/// Makes a rule of a bucket, if it is missing, and checks that the account lists it.
function makeRule({ what, list, is, make }) {
  const isThere = () => entries(look(list, isAbsent) ?? '').some(is);
  if (isThere()) return say(`${what}: there`);
  say(`making the ${what}`);
  change([WRANGLER, ...make]);
  if (!isThere() && !DRY_RUN) throw new Fault(`the ${what}: the account does not list what was made`);
}

/// Makes the rules of the bucket of files, where the settings have one. `where` is its jurisdiction, as options.
export function makeInbox({ r2_buckets: buckets, queues: { producers = [] } }, where) {
  const bucket = buckets.find(({ binding }) => binding === 'INBOX')?.bucket_name;
  const queue = producers.find(({ binding }) => binding === 'JOBS')?.queue;
  if (!bucket || !queue) return;
  makeRule(notification(bucket, queue, where));
  makeRule(lifecycle(bucket, where));
}
