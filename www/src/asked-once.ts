/** Returns a function that asks once for each key and keeps the answer. It asks again after a failure. */
export function askedOnce<T>(ask: (key: string) => Promise<T>): (key?: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (key = '') => {
    const asked =
      known.get(key) ??
      ask(key).catch((error: unknown) => {
        known.delete(key);
        throw error;
      });
    known.set(key, asked);
    return asked;
  };
}
