//! Tolerant reading of elements: parts that are not understood are listed, so that the reader can be told of them.

import { plainDecimal } from '../language/decimal.ts';
import { ENGLISH } from '../language/words.ts';
import { isAbsent, isObject, isShaped, itemsOf } from '../shape.ts';
import { withoutDirections } from '../visible.ts';
import { clipped, concept } from './text.ts';
import * as fhir from './types.ts';

type Members = Readonly<Record<string, unknown>>;

/** Returns a text that is not empty, for a place in a sentence. */
export const textIn = (value: unknown): string | undefined =>
  (typeof value === 'string' && withoutDirections(value).trim()) || undefined;

/** Returns a number, also if it was sent as a text. */
export function numberIn(value: unknown): number | undefined {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined;
}

export const booleanIn = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

/** The suffixes of SNOMED CT terms that name their kind. */
const TAG = /(?<!\s)\s*\((?:unit of presentation|basic dose form|qualifier value|body structure|dose form)\)$/;

/** Returns a term without the suffix that names its kind. */
export const plainTerm = (text: string): string => text.replace(TAG, '');

/** Returns a quantity, also if its number was sent as a text. */
export function quantityIn(value: unknown): fhir.Quantity | undefined {
  if (!isObject(value)) return undefined;
  if (isShaped(fhir.quantity, value)) {
    if (value.value === undefined && !value.unit && !value.code) return undefined;
    const { unit, written } = value;
    if (unit === undefined || !TAG.test(unit)) return value;
    // The written digits are not enumerable, so that the spread does not copy them.
    return { ...value, unit: plainTerm(unit), ...(written === undefined ? {} : { written }) };
  }
  const read = numberIn(value.value);
  const { value: written, ...others } = value;
  if (read === undefined || typeof written !== 'string' || !isShaped(fhir.quantity, others)) return undefined;
  return { ...others, value: read, written: written.trim() };
}

/** Returns a period with at least one end. */
export const periodIn = (value: unknown): fhir.Period | undefined =>
  isShaped(fhir.period, value) && (value.start || value.end) ? value : undefined;

export const referenceIn = (value: unknown): fhir.Reference | undefined =>
  isShaped(fhir.referenceShape, value) ? value : undefined;

/** Returns a concept with a text or a code. */
export const conceptIn = (value: unknown): fhir.Concept | undefined =>
  isShaped(fhir.concept, value) && concept(ENGLISH, value) !== undefined ? value : undefined;

/** Returns a reader of lists that requires every item to be understood. */
export const allIn =
  <T>(read: (value: unknown) => T | undefined) =>
  (value: unknown): T[] | undefined => {
    const items = itemsOf(value).map(read);
    return items.every((item) => item !== undefined) && items.length > 0 ? items : undefined;
  };

/** A part of an element that is not understood or has no value. */
export interface UnreadPart {
  /** The name of the part; `undefined` if the element is not an object. */
  name: string | undefined;
  /** The words and numbers of the value. */
  value: string;
  /** The code of the reason for a missing value (<https://hl7.org/fhir/R4/extension-data-absent-reason.html>). */
  absent?: string;
}

/** The longest value that is shown after its name. */
const MAX_LENGTH = 80;

/** Members of data types that no reader needs. */
const SYSTEMS = new Set(['system', 'url', 'id', 'fhir_comments']);

/** Returns the words and numbers within a value. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
  if (typeof value === 'number' || typeof value === 'boolean') return [plainDecimal(String(value))];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, of]) => (SYSTEMS.has(name) ? [] : leavesOf(of)));
}

const leaves = (value: unknown): string => clipped([...new Set(leavesOf(value))].join(' '), MAX_LENGTH);

const DATA_ABSENT = /\/data-absent-reason$/;

/** Returns the code of the reason for which an element has no value, if the element has nothing else. */
export function absentReason(value: unknown): string | undefined {
  if (!isObject(value) || Object.keys(value).some((name) => name !== 'extension' && name !== 'id')) return undefined;
  const found = itemsOf(value.extension).filter(isObject);
  const reason = found.find(({ url }) => typeof url === 'string' && DATA_ABSENT.test(url));
  return textIn(reason?.valueCode) ?? (reason && 'unknown');
}

/** Names of members without information about the record. */
const SILENT = new Set(['id', 'resourceType', 'fhir_comments']);

/** An element whose parts are taken one by one. Parts that were not taken or not understood are left. */
export class Parts {
  readonly #of: Members;
  readonly #taken = new Set<string>(SILENT);
  readonly #odd: UnreadPart[] = [];

  constructor(of: unknown) {
    this.#of = isObject(of) ? of : {};
    if (!isObject(of) && !isAbsent(of)) this.#odd.push({ name: undefined, value: leaves(of) });
  }

  /** Takes a part. A part that cannot be read is left. */
  take<T>(name: string, read: (value: unknown) => T | undefined): T | undefined {
    this.#taken.add(name);
    const value = Object.hasOwn(this.#of, name) ? this.#of[name] : undefined;
    // An extension may replace the value.
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

  /** Takes a part unchanged. */
  raw(name: string): unknown {
    return this.take(name, (value) => value);
  }

  /** Takes an element whose own parts are taken one by one. */
  within(name: string): Parts {
    return new Parts(this.raw(name));
  }

  /** Marks a part as not understood. */
  leave(name: string): void {
    this.#odd.push({ name, value: leaves(this.#of[name]) });
  }

  /** Returns the parts that were not taken or not understood, without duplicates. */
  left(): UnreadPart[] {
    const others = Object.keys(this.#of).filter((name) => {
      const plain = name.replace(/^_/, '');
      return !this.#taken.has(plain) && !isAbsent(this.#of[name]);
    });
    const all = [...this.#odd, ...others.map((name) => ({ name, value: leaves(this.#of[name]) }))];
    return [...new Map(all.map((one) => [one.name, one])).values()];
  }
}
