//! The names of contained resources, for the references to them: `#1` alone means nothing to a reader.

import { ENGLISH } from '../language/words.ts';
import { isObject, isShaped } from '../shape.ts';
import { firstText, valuesAt } from './element-text.ts';
import { withFacts } from './facts.ts';
import { nameOf } from './text.ts';
import { humanNameShape } from './types.ts';

/** The elements that identify a resource. A role is identified by its holder. */
const KNOWN_BY = ['name', 'deviceName.name', 'practitioner', 'code', 'type', 'title', 'description'];

/** Returns the name of a resource of any type. */
const nameIn = (resource: unknown): string | undefined =>
  nameOf(valuesAt(resource, 'name').filter((name) => isShaped(humanNameShape, name))) ??
  firstText(ENGLISH, resource, KNOWN_BY);

/** The greatest depth of elements that are read. */
const MAX_DEPTH = 12;

/** Returns a value whose references to contained resources have their names. */
function namedIn(value: unknown, names: ReadonlyMap<string, string>, depth: number): unknown {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => namedIn(item, names, depth + 1));
  if (!isObject(value)) return value;
  const inner = Object.entries(value).map(([member, one]) => [member, namedIn(one, names, depth + 1)]);
  const made = { ...value, ...Object.fromEntries(inner) };
  const name = typeof value.reference === 'string' ? names.get(value.reference) : undefined;
  return name === undefined ? made : withFacts(made, { name });
}

/** Returns the names of contained resources by the references to them. */
const namesOf = (contained: readonly Record<string, unknown>[]): Map<string, string> =>
  new Map(
    contained.flatMap((one) => {
      const name = typeof one.id === 'string' ? nameIn(one) : undefined;
      // Some systems include the sign `#` in the id.
      return name === undefined ? [] : [[`#${String(one.id).replace(/^#/, '')}`, name] as const];
    }),
  );

const containedIn = (record: object): Record<string, unknown>[] => valuesAt(record, 'contained').filter(isObject);

/** Returns a record whose references to contained resources have names; the record itself if it contains none. */
export function withNames<T extends object>(record: T): T {
  if (containedIn(record).length === 0) return record;
  // A role is identified by a practitioner, who may be contained too. Such a role gets its name in the second pass.
  const once = namedIn(record, namesOf(containedIn(record)), 0) as T;
  return namedIn(once, namesOf(containedIn(once)), 0) as T;
}
