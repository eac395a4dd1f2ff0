//! Shapes of values from outside: answers of servers and of the engine, messages, storage. A value is checked once,
//! where it enters; after that its type is reliable. Members that a shape does not name are permitted.

/** Returns the problem of a value, named by its path, or `undefined` if the value is a `T`. */
export interface Shape<T> {
  (value: unknown, path: string): string | undefined;
  /** Exists only for the type checker. */
  readonly shaped?: T;
}

export type ShapeValue<S> = S extends Shape<infer T> ? T : never;

/** The error for a value from outside that does not have the required shape. */
export class ShapeError extends Error {
  override name = 'ShapeError';
}

/** Returns the value as the type of its shape. Throws a `ShapeError` with the `path` of what has another shape. */
export function checked<T>(shape: Shape<T>, value: unknown, path: string): T {
  if (isShaped(shape, value)) return value;
  throw new ShapeError(shape(value, path));
}

export const isShaped = <T>(shape: Shape<T>, value: unknown): value is T => shape(value, '') === undefined;

/** Returns the value of a JSON text, or `undefined` if it is not JSON or has another shape. */
export function parsedAs<T>(shape: Shape<T>, text: string | null): T | undefined {
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isShaped(shape, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a value of JSON is an object: neither a list nor null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether a value of JSON says nothing: it is missing, null or blank. */
export const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Returns the items of an element: those of a list, or the single value. */
export const itemsOf = (value: unknown): unknown[] => (isAbsent(value) ? [] : Array.isArray(value) ? value : [value]);

const expected = (path: string, what: string): string => `${path || 'the value'} is not ${what}`;

export const string: Shape<string> = (value, path) =>
  typeof value === 'string' ? undefined : expected(path, 'a string');
export const number: Shape<number> = (value, path) =>
  typeof value === 'number' ? undefined : expected(path, 'a number');
export const boolean: Shape<boolean> = (value, path) =>
  typeof value === 'boolean' ? undefined : expected(path, 'true or false');
export const anything: Shape<unknown> = () => undefined;

/** The shape of one value. */
export const exactly =
  <const V extends string | number | boolean | null>(only: V): Shape<V> =>
  (value, path) =>
    value === only ? undefined : expected(path, String(only));

/** The shape of one of some strings. */
export const oneOf =
  <const V extends string>(...values: V[]): Shape<V> =>
  (value, path) =>
    values.some((one) => one === value) ? undefined : expected(path, values.join(' or '));

export const list =
  <T>(item: Shape<T>): Shape<T[]> =>
  (value, path) =>
    Array.isArray(value) ? firstProblem(value, (one, i) => item(one, `${path}[${i}]`)) : expected(path, 'a list');

/** An object with any names, whose values have one shape. */
export const record =
  <T>(item: Shape<T>): Shape<Record<string, T>> =>
  (value, path) =>
    isObject(value)
      ? firstProblem(Object.entries(value), ([name, one]) => item(one, join(path, name)))
      : expected(path, 'an object');

type Members = Record<string, Shape<unknown>>;
type Required<M extends Members> = { [K in keyof M]: ShapeValue<M[K]> };
type Optional<M extends Members> = { [K in keyof M]?: ShapeValue<M[K]> };
/** Combines two types into one, for readable messages of the compiler. */
type Both<A, B> = { [K in keyof (A & B)]: (A & B)[K] };

/** Returns members of one shape. */
export const each = <S, K extends string>(shape: S, ...names: K[]): Record<K, S> =>
  Object.fromEntries(names.map((name) => [name, shape])) as Record<K, S>;

/** Returns the shape of an object with required and optional members. */
export const object = <R extends Members, O extends Members = Record<never, never>>(
  required: R,
  optional?: O,
): Shape<Both<Required<R>, Optional<O>>> => {
  const always = Object.entries(required);
  const sometimes = new Map(Object.entries(optional ?? {}));
  return (value, path) => {
    if (!isObject(value)) return expected(path, 'an object');
    return (
      firstProblem(always, ([name, member]) => member(value[name], join(path, name))) ??
      firstProblem(Object.keys(value), (name) =>
        value[name] === undefined ? undefined : sometimes.get(name)?.(value[name], join(path, name)),
      )
    );
  };
};

/** Returns the shape of an object whose members are all optional. */
export const partial = <O extends Members>(optional: O): Shape<Both<Required<Record<never, never>>, Optional<O>>> =>
  object({}, optional);

/** A value of the first shape or of the second. */
export const either =
  <A, B>(first: Shape<A>, second: Shape<B>): Shape<A | B> =>
  (value, path) =>
    first(value, path) === undefined ? undefined : second(value, path);

const join = (path: string, name: string): string => (path ? `${path}.${name}` : name);

function firstProblem<T>(items: T[], problemOf: (item: T, i: number) => string | undefined): string | undefined {
  for (let i = 0; i < items.length; i += 1) {
    const problem = problemOf(items[i] as T, i);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
