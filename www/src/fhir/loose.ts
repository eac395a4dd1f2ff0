//! Elements that are read as far as they are understood: what is not is named, so that it can be said that it is there.

import { isObject, isShaped } from '../shape.ts';
import { concept } from './text.ts';
import {
  type Concept,
  concept as conceptShape,
  type Period,
  period as periodShape,
  type Quantity,
  quantity as quantityShape,
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

/** What terms of SNOMED CT say of their kind. */
const TAG = /\s*\((?:unit of presentation|basic dose form|qualifier value)\)$/;

/** A quantity, also one whose number was sent as a text. */
export function quantityIn(value: unknown): Quantity | undefined {
  if (!isObject(value)) return undefined;
  if (isShaped(quantityShape, value)) {
    if (value.value === undefined && !value.unit && !value.code) return undefined;
    const { unit, written } = value;
    if (unit === undefined || !TAG.test(unit)) return value;
    // The digits are no member that would be copied.
    return { ...value, unit: unit.replace(TAG, ''), ...(written === undefined ? {} : { written }) };
  }
  const read = numberIn(value.value);
  const { value: written, ...others } = value;
  if (read === undefined || typeof written !== 'string' || !isShaped(quantityShape, others)) return undefined;
  return { ...others, value: read, written: written.trim() };
}

/** A period with at least one end. */
export const periodIn = (value: unknown): Period | undefined =>
  isShaped(periodShape, value) && (value.start || value.end) ? value : undefined;

/** A concept that says something. */
export const conceptIn = (value: unknown): Concept | undefined =>
  isShaped(conceptShape, value) && concept(value) !== undefined ? value : undefined;

/** The items of a list, all of which must be understood. */
export const allIn =
  <T>(read: (value: unknown) => T | undefined) =>
  (value: unknown): T[] | undefined => {
    const items = itemsOf(value).map(read);
    return items.every((item) => item !== undefined) && items.length > 0 ? items : undefined;
  };

/** The name of an extension: the end of its address. */
const nameOf = (url: unknown): string => textIn(url)?.split(/[/#:]/).findLast(Boolean) ?? 'extension';

/** The value of an extension in words, where it is simple. */
function extensionValue(extension: Members): string | undefined {
  const name = Object.keys(extension).find((key) => key.startsWith('value'));
  const value = name === undefined ? undefined : extension[name];
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return concept(conceptIn(value)) ?? (isObject(value) ? textIn(value.display) : undefined);
}

/** The extensions among some, each by its name and its value. */
export const extensionsIn = (value: unknown): string[] =>
  itemsOf(value).map((one) => {
    const extension = isObject(one) ? one : {};
    const said = extensionValue(extension);
    return said === undefined ? nameOf(extension.url) : `${nameOf(extension.url)}: ${said}`;
  });

/** The longest value that is shown with its name. */
const SHORT = 40;
const shortValue = (value: unknown): string =>
  ['string', 'number', 'boolean'].includes(typeof value) && String(value).length <= SHORT ? `: ${value}` : '';

/** Names that carry nothing about the record. */
const SILENT = new Set(['id', 'resourceType', 'fhir_comments']);

/** An element whose parts are taken one by one. What was not taken, or not understood, is left. */
export class Parts {
  readonly #of: Members;
  readonly #taken = new Set<string>(SILENT);
  readonly #odd: string[] = [];

  constructor(of: unknown) {
    this.#of = isObject(of) ? of : {};
    if (!isObject(of) && !isAbsent(of)) this.#odd.push(JSON.stringify(of)?.slice(0, 80) ?? '');
  }

  /** Takes a part. One that is there and cannot be read is left. */
  take<T>(name: string, read: (value: unknown) => T | undefined): T | undefined {
    this.#taken.add(name);
    const value = Object.hasOwn(this.#of, name) ? this.#of[name] : undefined;
    if (isAbsent(value)) {
      // An extension stands in the place of the value.
      if (!isAbsent(this.#of[`_${name}`])) this.#odd.push(name);
      return undefined;
    }
    if (Array.isArray(value) && value.length === 0) return undefined;
    const found = read(value);
    if (found === undefined) this.leave(name);
    return found;
  }

  /** Names a part as not understood, with its value where that is short. */
  leave(name: string): void {
    this.#odd.push(`${name}${shortValue(this.#of[name])}`);
  }

  /** The names of the parts that were not taken, or not understood, each with its value where that is short. */
  left(): string[] {
    const others = Object.keys(this.#of).filter((name) => {
      const plain = name.replace(/^_/, '');
      return !this.#taken.has(plain) && !isAbsent(this.#of[name]);
    });
    return [...new Set([...this.#odd, ...others.map((name) => `${name}${shortValue(this.#of[name])}`)])];
  }
}
