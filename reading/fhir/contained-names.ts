//! The names of what records contain, for the references to it: `#1` alone means nothing to a reader.

import { isObject, isShaped } from '../shape.ts';
import { firstText, valuesAt } from './element-text.ts';
import { setReferenceName } from './reference-names.ts';
import { nameOf } from './text.ts';
import { humanNameShape } from './types.ts';

/** The elements by which a resource is known. A role is known by who has it. */
const KNOWN_BY = ['name', 'deviceName.name', 'practitioner', 'code', 'type', 'title', 'description'];

/** The name of a resource of any type. */
const nameIn = (resource: unknown): string | undefined =>
  nameOf(valuesAt(resource, 'name').filter((name) => isShaped(humanNameShape, name))) ?? firstText(resource, KNOWN_BY);

/** The deepest elements that are looked through. */
const DEEPEST = 12;

function nameWithin(value: unknown, names: ReadonlyMap<string, string>, depth: number): void {
  if (depth > DEEPEST) return;
  if (Array.isArray(value)) for (const item of value) nameWithin(item, names, depth + 1);
  if (!isObject(value)) return;
  const { reference } = value;
  const name = typeof reference === 'string' ? names.get(reference) : undefined;
  if (name !== undefined) setReferenceName(value, name);
  for (const inner of Object.values(value)) nameWithin(inner, names, depth + 1);
}

/** The names of contained resources by the references to them. */
const namesOf = (contained: readonly Record<string, unknown>[]): Map<string, string> =>
  new Map(
    contained.flatMap((one) => {
      const name = typeof one.id === 'string' ? nameIn(one) : undefined;
      // Some systems write the sign into the id too.
      return name === undefined ? [] : [[`#${String(one.id).replace(/^#/, '')}`, name] as const];
    }),
  );

/** Names the references of a record to what it contains. */
export function nameContained(record: object): void {
  const contained = valuesAt(record, 'contained').filter(isObject);
  if (contained.length === 0) return;
  // A role is known by a practitioner who may be contained too, and has a name after the first time.
  for (const _ of [1, 2]) nameWithin(record, namesOf(contained), 0);
}
