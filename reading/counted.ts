//! For tests: counts how the work for an input grows with its size, independently of the speed of the machine.

/** The methods that may visit every item of a list or every letter of a text. */
const METHODS = [
  ...['every', 'filter', 'find', 'findIndex', 'flatMap', 'forEach', 'includes', 'indexOf', 'join', 'map', 'reduce'],
  ...['replace', 'replaceAll', 'match', 'matchAll', 'some', 'sort', 'split', 'toSorted', Symbol.iterator],
] as const;

/** Returns the total length of the lists and texts whose methods are called during a run. */
function stepsOf(run: () => unknown): number {
  let steps = 0;
  const undone = [Array.prototype, String.prototype].flatMap((of: object) =>
    METHODS.filter((name) => Object.hasOwn(of, name)).map((name) => {
      const method = Reflect.get(of, name);
      const counted = function (this: { length: number }, ...given: unknown[]): unknown {
        steps += this.length;
        return Reflect.apply(method, this, given);
      };
      Reflect.set(of, name, counted);
      return () => Reflect.set(of, name, method);
    }),
  );
  try {
    run();
    return steps;
  } finally {
    for (let i = 0; i < undone.length; i += 1) undone[i]?.();
  }
}

/** Returns the ratio of the steps for an input of twice the size to the steps for the input. */
export function growth<T>(size: number, make: (size: number) => T, run: (input: T) => unknown): number {
  const [once, twice] = [make(size), make(2 * size)];
  return stepsOf(() => run(twice)) / stepsOf(() => run(once));
}
