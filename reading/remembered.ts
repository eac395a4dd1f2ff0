/** The most texts whose results are cached. Records may contain any number of texts. */
const MAX = 2_000;

/** Returns a function of texts that caches its results for the first texts with which it is called. */
export function remembered<V>(make: (text: string) => V): (text: string) => V {
  const known = new Map<string, { made: V }>();
  return (text) => {
    const before = known.get(text);
    if (before) return before.made;
    const made = make(text);
    if (known.size < MAX) known.set(text, { made });
    return made;
  };
}
