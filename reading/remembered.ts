/**
 * A function of texts that keeps its answers, of the first texts that it is asked for. Records from anywhere may have
 * any number of them.
 */
export function remembered<V>(make: (text: string) => V, most = 2_000): (text: string) => V {
  const known = new Map<string, { made: V }>();
  return (text) => {
    const before = known.get(text);
    if (before) return before.made;
    const made = make(text);
    if (known.size < most) known.set(text, { made });
    return made;
  };
}
