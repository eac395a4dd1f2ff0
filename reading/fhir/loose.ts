//! Elements that are read as far as they are understood: what is not is named, so that it can be said that it is there.

import { ENGLISH } from '../language/words.ts';
import { isObject, isShaped } from '../shape.ts';
import { clipped, concept } from './text.ts';
import {
  type Concept,
  concept as conceptShape,
  type Period,
  period as periodShape,
  type Quantity,
  quantity as quantityShape,
  type Reference,
  referenceShape,
} from './types.ts';

type Members = Readonly<Record<string, unknown>>;

const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** The items of an element: those of a list, or the one value. */
export const itemsOf = (value: unknown): unknown[] => (isAbsent(value) ? [] : Array.isArray(value) ? value : [value]);

/** A text with something in it. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** A number, also one that was sent as a text. */
export function numberIn(value: unknown): number | undefined {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined;
}

/** True or false. */
export const booleanIn = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

/** What terms of SNOMED CT say of their kind. */
const TAG = /\s*\((?:unit of presentation|basic dose form|qualifier value|body structure|dose form)\)$/;

/** A term without what it says of its kind. */
export const plainTerm = (text: string): string => text.replace(TAG, '');

/** A quantity, also one whose number was sent as a text. */
export function quantityIn(value: unknown): Quantity | undefined {
  if (!isObject(value)) return undefined;
  if (isShaped(quantityShape, value)) {
    if (value.value === undefined && !value.unit && !value.code) return undefined;
    const { unit, written } = value;
    if (unit === undefined || !TAG.test(unit)) return value;
    // The digits are no member that would be copied.
    return { ...value, unit: plainTerm(unit), ...(written === undefined ? {} : { written }) };
  }
  const read = numberIn(value.value);
  const { value: written, ...others } = value;
  if (read === undefined || typeof written !== 'string' || !isShaped(quantityShape, others)) return undefined;
  return { ...others, value: read, written: written.trim() };
}

/** A period with at least one end. */
export const periodIn = (value: unknown): Period | undefined =>
  isShaped(periodShape, value) && (value.start || value.end) ? value : undefined;

/** A reference. */
export const referenceIn = (value: unknown): Reference | undefined =>
  isShaped(referenceShape, value) ? value : undefined;

/** A concept that says something. */
export const conceptIn = (value: unknown): Concept | undefined =>
  isShaped(conceptShape, value) && concept(ENGLISH, value) !== undefined ? value : undefined;

/** The items of a list, all of which must be understood. */
export const allIn =
  <T>(read: (value: unknown) => T | undefined) =>
  (value: unknown): T[] | undefined => {
    const items = itemsOf(value).map(read);
    return items.every((item) => item !== undefined) && items.length > 0 ? items : undefined;
  };

/** A part of an element that is there, and is not understood or has no value. */
export interface UnreadPart {
  /** Nothing for an element that is no object. */
  name: string | undefined;
  /** The words and numbers of its value. */
  value: string;
  /** The code of the reason for which it has no value (<https://hl7.org/fhir/R4/extension-data-absent-reason.html>). */
  absent?: string;
}

/** The longest value that is shown with its name. */
const MAX_LENGTH = 80;

/** Members of data types that no reader needs. */
const SYSTEMS = new Set(['system', 'url', 'id', 'fhir_comments']);

/** The words and numbers within a value. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, of]) => (SYSTEMS.has(name) ? [] : leavesOf(of)));
}

const leaves = (value: unknown): string => clipped([...new Set(leavesOf(value))].join(' '), MAX_LENGTH);

const DATA_ABSENT = /\/data-absent-reason$/;

/** The code of the reason for which an element has no value, where it has nothing else. */
export function absentReason(value: unknown): string | undefined {
  if (!isObject(value) || Object.keys(value).some((name) => name !== 'extension' && name !== 'id')) return undefined;
  const found = itemsOf(value.extension).filter(isObject);
  const reason = found.find(({ url }) => typeof url === 'string' && DATA_ABSENT.test(url));
  return textIn(reason?.valueCode) ?? (reason && 'unknown');
}

/** Names that carry nothing about the record. */
const SILENT = new Set(['id', 'resourceType', 'fhir_comments']);

/** An element whose parts are taken one by one. What was not taken, or not understood, is left. */
export class Parts {
  readonly #of: Members;
  readonly #taken = new Set<string>(SILENT);
  readonly #odd: UnreadPart[] = [];

  constructor(of: unknown) {
    this.#of = isObject(of) ? of : {};
    if (!isObject(of) && !isAbsent(of)) this.#odd.push({ name: undefined, value: leaves(of) });
  }

  /** Takes a part. One that is there and cannot be read is left. */
  take<T>(name: string, read: (value: unknown) => T | undefined): T | undefined {
    this.#taken.add(name);
    const value = Object.hasOwn(this.#of, name) ? this.#of[name] : undefined;
    // An extension stands in the place of the value.
    const instead = isAbsent(value) ? this.#of[`_${name}`] : value;
    if (isAbsent(instead)) return undefined;
    const absent = absentReason(instead);
    if (absent !== undefined) this.#odd.push({ name, value: '', absent });
    else if (isAbsent(value)) this.#odd.push({ name, value: leaves(instead) });
    if (absent !== undefined || isAbsent(value) || (Array.isArray(value) && value.length === 0)) return undefined;
    const found = read(value);
    if (found === undefined) this.leave(name);
    return found;
  }

  /** Takes a part as it is. */
  raw(name: string): unknown {
    return this.take(name, (value) => value);
  }

  /** Takes an element whose own parts are taken one by one. */
  within(name: string): Parts {
    return new Parts(this.raw(name));
  }

  /** Names a part as not understood. */
  leave(name: string): void {
    this.#odd.push({ name, value: leaves(this.#of[name]) });
  }

  /** The parts that were not taken, or not understood, each once. */
  left(): UnreadPart[] {
    const others = Object.keys(this.#of).filter((name) => {
      const plain = name.replace(/^_/, '');
      return !this.#taken.has(plain) && !isAbsent(this.#of[name]);
    });
    const all = [...this.#odd, ...others.map((name) => ({ name, value: leaves(this.#of[name]) }))];
    return [...new Map(all.map((one) => [one.name, one])).values()];
  }
}
