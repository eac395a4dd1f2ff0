// Sends notifications about new files from the bucket to the queue, as the platform does and workerd does not.

const QUEUE = 'edgechart-inbox';
/// The key prefixes of the server's own objects (src/api/job_kinds.rs).
const OWN = ['jobs/', 'pieces/', 'reports/'];

/// Resolves to all objects of a bucket: {key, etag}.
async function objectsOf(bucket) {
  const all = [];
  for (let cursor; ; ) {
    const { objects, truncated, cursor: next } = await bucket.list({ cursor });
    all.push(...objects);
    if (!truncated) return all;
    cursor = next;
  }
}

/// Sends the Worker a notification about each file that is new or was rewritten since the last call. `known` has the
/// etags of earlier files by key. A file that has a report was loaded before the server started.
export async function notify(bucket, worker, known) {
  const all = await objectsOf(bucket);
  const reported = known.size > 0 ? new Set() : new Set(all.map(({ key }) => key));
  for (const { key, etag } of all.filter(({ key }) => !OWN.some((prefix) => key.startsWith(prefix)))) {
    const isNew = known.get(key) !== etag && !reported.has(`reports/${key}.json`);
    known.set(key, etag);
    if (!isNew) continue;
    const body = { action: 'PutObject', bucket: QUEUE, object: { key, eTag: etag } };
    const { outcome, retryMessages } = await worker.queue(QUEUE, [
      { id: etag, timestamp: new Date(), attempts: 1, body },
    ]);
    // A failed notification is repeated at the next call.
    if (outcome !== 'ok' || retryMessages.length > 0) known.delete(key);
  }
}
