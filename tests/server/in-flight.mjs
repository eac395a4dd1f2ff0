// Several requests at a time. A server answers them together, so that neither side waits for the other.

/// How many requests are under way at a time.
const MAX = 8;

/// Does the work for each of the items, begun in their order, several at a time. Ends with the first error.
export async function inFlight(items, work, most = MAX) {
  const rest = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: most }, worker));
}
