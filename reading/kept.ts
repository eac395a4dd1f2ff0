/** A function of objects that keeps its answers as long as the objects are there. */
export function kept<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { made: V }>();
  return (key) => {
    const found = known.get(key) ?? { made: make(key) };
    known.set(key, found);
    return found.made;
  };
}
