// Sends several requests at a time, so that neither the client nor the server waits for the other.

/// The number of requests at a time.
const MAX = 8;

/// Calls `work` for each of the items, in their order, several at a time. Rejects with the first error.
export async function inFlight(items, work, most = MAX) {
  const rest = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: most }, worker));
}
