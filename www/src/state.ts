//! A value that others may watch. All that is shared between the parts of the app is one of these.

export interface Watched<T> {
  readonly value: T;
  set(value: T): void;
  watch(told: (value: T) => void): () => void;
}

export function watched<T>(value: T): Watched<T> {
  const told = new Set<(value: T) => void>();
  return {
    get value() {
      return value;
    },
    set(next) {
      value = next;
      for (const tell of [...told]) tell(next);
    },
    watch(tell) {
      told.add(tell);
      return () => told.delete(tell);
    },
  };
}
