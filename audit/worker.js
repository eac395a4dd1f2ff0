// Keeps the audit log: a Tail Worker that writes the lines of the audit into an R2 bucket, one object of NDJSON for
// each batch of requests. Objects are only added; how long they stay is a rule of the bucket (docs/operations.md,
// "Audit").

/// Tries before a batch is given up, and the milliseconds before the second; each later pause is twice as long.
const TRIES = 4;
const PAUSE = 200;

/// The lines of the audit in what a Worker has logged.
export const auditLines = (events) =>
  events
    .flatMap(({ logs = [] }) => logs.flatMap(({ message }) => [message].flat()))
    .filter((text) => typeof text === 'string' && text.startsWith('{"audit":'));

/// Where a batch is put: by day, then by time.
const nameOf = (now, id) => `${now.slice(0, 10)}/${now.slice(11)}-${id}.ndjson`;

async function store(bucket, lines) {
  const name = nameOf(new Date().toISOString(), crypto.randomUUID());
  for (let tried = 1; ; tried += 1) {
    try {
      return await bucket.put(name, `${lines.join('\n')}\n`, { httpMetadata: { contentType: 'application/x-ndjson' } });
    } catch (error) {
      if (tried === TRIES) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, PAUSE * 2 ** (tried - 1));
      });
    }
  }
}

export default {
  async tail(events, { AUDIT }) {
    const lines = auditLines(events);
    if (lines.length === 0) return;
    try {
      await store(AUDIT, lines);
    } catch (error) {
      // The log of this Worker is the last place that can hold them.
      for (const line of lines) console.error(line);
      throw error;
    }
  },
};
