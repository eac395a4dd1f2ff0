//! For tests: how the work for an input grows with its size, by what no machine makes more or less.

/** The methods that may go through all of a list or a text. */
const METHODS = [
  ...['every', 'filter', 'find', 'findIndex', 'flatMap', 'forEach', 'includes', 'indexOf', 'join', 'map', 'reduce'],
  ...['replace', 'replaceAll', 'match', 'matchAll', 'some', 'sort', 'split', 'toSorted', Symbol.iterator],
] as const;

/** The entries of the lists, and the letters of the texts, whose methods are called while something runs. */
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

/** How many times as many steps an input of twice the size takes. */
export function growth<T>(size: number, make: (size: number) => T, run: (input: T) => unknown): number {
  const [once, twice] = [make(size), make(2 * size)];
  return stepsOf(() => run(twice)) / stepsOf(() => run(once));
}
