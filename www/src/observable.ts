//! A value that others may watch. All state that is shared between parts of the app is one of these.

export interface Observable<T> {
  readonly value: T;
  set(value: T): void;
  /** Calls back after each `set`, until the returned function is called. */
  watch(callback: (value: T) => void): () => void;
}

export function observable<T>(value: T): Observable<T> {
  const callbacks = new Set<(value: T) => void>();
  return {
    get value() {
      return value;
    },
    set(next) {
      value = next;
      for (const callback of [...callbacks]) callback(next);
    },
    watch(callback) {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
  };
}
