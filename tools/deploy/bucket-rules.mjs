// The rules of buckets. The bucket of record files notifies the queue of new files and deletes old ones
// (docs/ingest.md). The bucket of documents and exports deletes leftovers of exports (docs/operations.md).

import { change, DRY_RUN, Fault, isAbsent, look, say, WRANGLER } from './commands.mjs';

/// The number of days within which jobs may be repeated, so that their files must be kept.
const DAYS = 35;
/// The prefixes of objects of exports, and the days after which they are deleted. No export uses them for so long.
/// There is no rule for documents, which belong to records.
const OF_EXPORTS = ['parts/', 'exports/'];
const EXPORT_DAYS = 14;
/// The events that wrangler's `object-create` stands for.
const CREATED = ['PutObject', 'CompleteMultipartUpload', 'CopyObject'];

/// Parses a list that wrangler prints: blocks of lines, each with a name, a colon and a value.
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

const lifecycle = (bucket, where, { name = 'old', prefix, days = DAYS } = {}) => ({
  what: `rule of ${bucket} that deletes old ${prefix ? `objects of ${prefix}` : 'files'}`,
  list: ['r2', 'bucket', 'lifecycle', 'list', bucket, ...where],
  is: ({ enabled, prefix: listed, action = '' }) => {
    const [, after] = /Expire objects after (\d+) days?/.exec(action) ?? [];
    return enabled === 'Yes' && listed === (prefix ?? '(all prefixes)') && Number(after) >= days;
  },
  make: [
    ...['r2', 'bucket', 'lifecycle', 'add', bucket, name, ...(prefix ? [prefix] : [])],
    ...['--expire-days', String(days), '--force', ...where],
  ],
});

/// Creates a rule of a bucket if it is missing, and checks that the account lists it.
function makeRule({ what, list, is, make }) {
  const isThere = () => entries(look(list, isAbsent) ?? '').some(is);
  if (isThere()) return say(`${what}: there`);
  say(`making the ${what}`);
  change([WRANGLER, ...make]);
  if (!isThere() && !DRY_RUN) throw new Fault(`the ${what}: the account does not list what was made`);
}

/// Creates the rules of the bucket of record files, if the settings have one. `where` is its jurisdiction as options.
export function makeInbox({ r2_buckets: buckets, queues: { producers = [] } }, where) {
  const bucket = buckets.find(({ binding }) => binding === 'INBOX')?.bucket_name;
  const queue = producers.find(({ binding }) => binding === 'JOBS')?.queue;
  if (!bucket || !queue) return;
  makeRule(notification(bucket, queue, where));
  makeRule(lifecycle(bucket, where));
}

/// Creates the rules of the bucket of documents and exports, if the settings have one.
export function makeFiles({ r2_buckets: buckets }, where) {
  const bucket = buckets.find(({ binding }) => binding === 'FILES')?.bucket_name;
  if (!bucket) return;
  for (const prefix of OF_EXPORTS)
    makeRule(lifecycle(bucket, where, { name: prefix.slice(0, -1), prefix, days: EXPORT_DAYS }));
}
