/** The most texts whose answers are kept. Records from anywhere may have any number of them. */
const MAX = 2_000;

/** A function of texts that keeps its answers for the first texts that it is asked for. */
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
