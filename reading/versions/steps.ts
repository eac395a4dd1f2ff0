//! The steps by which a record of another version of FHIR becomes one of R4. A step returns the same object if it has
//! nothing to change. Numbers keep their digits, since no quantity is copied.

import { own } from '../own.ts';
import { isObject, itemsOf } from '../shape.ts';

/** The members of a resource or of an element. */
export type Members = Record<string, unknown>;

/** A step of the conversion of a resource, or of an element. */
export type Step = (members: Members) => Members;

export type Steps = Readonly<Record<string, readonly Step[]>>;

export const appliedTo = (members: Members, steps: readonly Step[]): Members =>
  steps.reduce((made, step) => step(made), members);

/** Returns the objects of a list, or a single object. */
export const objectsOf = (value: unknown): Members[] => itemsOf(value).filter(isObject);

export const without = (members: Members, ...names: string[]): Members =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));

/** Returns a member with a value; none for a missing value or an empty list. */
export const memberOf = (name: string, value: unknown): Members =>
  value === undefined || (Array.isArray(value) && value.length === 0) ? {} : { [name]: value };

export const codesOf = (concept: unknown): string[] =>
  (isObject(concept) ? objectsOf(concept.coding) : []).flatMap(({ code }) => (typeof code === 'string' ? code : []));

/** Returns the words of a concept: its text or a display, or else a code. */
export function wordsOf(concept: unknown): string | undefined {
  if (!isObject(concept)) return undefined;
  const displays = objectsOf(concept.coding).map(({ display }) => display);
  const found = [concept.text, ...displays, ...codesOf(concept)].find((one) => typeof one === 'string' && one !== '');
  return typeof found === 'string' ? found : undefined;
}

/** Returns several concepts as one, with the words of all. */
export function oneConcept(value: unknown): unknown {
  const all = itemsOf(value);
  return all.length < 2 ? all[0] : { text: all.flatMap((one) => wordsOf(one) ?? []).join('; ') };
}

/** Changes the value of an element. It stays if `make` returns `undefined`. */
export const changed =
  (name: string, make: (value: unknown) => unknown): Step =>
  (members) => {
    const made = Object.hasOwn(members, name) ? make(members[name]) : undefined;
    return made === undefined || made === members[name] ? members : { ...members, [name]: made };
  };

/** Moves the value of an element to another one that is missing. It stays if `make` returns `undefined`. */
export const moved =
  (from: string, to: string, make: (value: unknown) => unknown = (value) => value): Step =>
  (members) => {
    if (!Object.hasOwn(members, from) || Object.hasOwn(members, to)) return members;
    const made = make(members[from]);
    return made === undefined ? members : { ...without(members, from), [to]: made };
  };

/** Moves a choice of types, such as `occurrenceDateTime` to `performedDateTime`. */
export const movedChoice = (from: string, to: string, ...types: string[]): Step[] =>
  types.map((type) => moved(`${from}${type}`, `${to}${type}`));

export const textOnly = (value: unknown): unknown => (typeof value === 'string' ? value : undefined);

/** Returns a value as a list, unless one of its items has one of some members, which is then of another version. */
export const listWithout =
  (...names: string[]) =>
  (value: unknown): unknown[] | undefined =>
    itemsOf(value).some((one) => isObject(one) && names.some((name) => Object.hasOwn(one, name)))
      ? undefined
      : itemsOf(value);

/** Writes a single value as a list. */
export const listed = (...names: string[]): Step =>
  inOrder(
    names.map((name) => changed(name, (value) => (isObject(value) || typeof value === 'string' ? [value] : undefined))),
  );

/** Writes a list of one value as the value. */
export const single = (...names: string[]): Step =>
  inOrder(
    names.map((name) => changed(name, (value) => (Array.isArray(value) && value.length === 1 ? value[0] : undefined))),
  );

/** Writes a code as a concept of a system. */
export const coded = (name: string, system: string): Step =>
  changed(name, (value) => (typeof value === 'string' ? { coding: [{ system, code: value }] } : undefined));

/** Writes a text as the last of the notes. */
export const noted =
  (name: string): Step =>
  (members) => {
    const { [name]: text } = members;
    if (typeof text !== 'string') return members;
    const { note, ...others } = without(members, name);
    return { ...others, note: [...itemsOf(note), { text }] };
  };

/** Applies steps to an element, or to each item of a list. */
export const within = (name: string, ...steps: Step[]): Step =>
  changed(name, (value) => {
    if (isObject(value)) return appliedTo(value, steps);
    if (!Array.isArray(value)) return undefined;
    const made = value.map((one) => (isObject(one) ? appliedTo(one, steps) : one));
    return made.some((one, i) => one !== value[i]) ? made : undefined;
  });

/** Replaces a code, such as a status. */
export const recoded = (name: string, codes: Readonly<Record<string, string>>): Step =>
  changed(name, (value) => (typeof value === 'string' ? own(codes, value) : undefined));

/** Reads a flag of something that was not done: the status says it in R4. A record made in error remains one. */
export const undone =
  (name: string, status: string): Step =>
  (members) => {
    const { [name]: flag, status: before } = members;
    if (typeof flag !== 'boolean') return members;
    const rest = without(members, name);
    return flag && before !== 'entered-in-error' ? { ...rest, status } : rest;
  };

/** Steps as one. */
export const inOrder =
  (steps: readonly Step[]): Step =>
  (members) =>
    appliedTo(members, steps);
