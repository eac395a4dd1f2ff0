/** Returns a function of objects that caches its result for each object as long as the object exists. */
export function kept<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { made: V }>();
  return (key) => {
    const found = known.get(key) ?? { made: make(key) };
    known.set(key, found);
    return found.made;
  };
}

/** Returns a function of objects that caches its result for an object as long as all its dependencies stay the same. */
export function keptWhile<K extends object, V>(
  dependsOn: (key: K) => readonly unknown[],
  make: (key: K) => V,
): (key: K) => V {
  const known = new WeakMap<K, { on: readonly unknown[]; made: V }>();
  return (key) => {
    const [on, before] = [dependsOn(key), known.get(key)];
    if (before && on.every((one, i) => one === before.on[i])) return before.made;
    const made = make(key);
    known.set(key, { on, made });
    return made;
  };
}
