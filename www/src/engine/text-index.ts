//! An index of the texts of resources, to find records by the words that people read in them. It is not a FHIR search:
//! it has no parameters and finds only what was added. Words are compared as in searches, by the caller's `fold`.

import { plainDecimal } from '#reading/language/decimal.ts';
import { own } from '#reading/own.ts';
import { isObject } from '#reading/shape.ts';

/** A record that was found by its words. */
export interface Finding {
  /** `Type/id`. */
  address: string;
  /** The element with the first of the words, such as `code` or `note`. */
  element: string;
  /** The text of the element, or the beginning of a long one. */
  text: string;
}

/** The maximum length of a text that is indexed, in characters. */
const MAX_LENGTH = 4_000;
/** Elements without words for people: addresses, machine values, and documents. */
const SILENT = new Set([
  'resourceType',
  'id',
  'meta',
  'div',
  'system',
  'reference',
  'url',
  'data',
  'contentType',
  'hash',
  'extension',
  'modifierExtension',
  'instantiatesCanonical',
  'instantiatesUri',
  'version',
  'userSelected',
  'use',
]);
/** Elements that say what a resource is about. */
const TITLES = new Set(['code', 'medicationCodeableConcept', 'vaccineCode', 'type', 'title', 'description', 'name']);
/** A separator between texts. Folding does not change it, and no text of a record has it. */
const BETWEEN = '\u0001';

/** The texts of a resource, each with the element that it is in. */
interface Texts {
  address: string;
  elements: string[];
  written: string[];
  folded: string[];
}

/** A number whose digits JavaScript would not keep, such as `7.0`. */
const NUMBER = /("value"\s*:\s*)(-?\d+\.\d*0|-?\d[\d.]*[eE][-+]?\d+)(?=[\s,}])/g;

/** Parses a line. Returns `undefined` if it is not JSON. Numbers that match `NUMBER` become strings. */
function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line.replace(NUMBER, (_, name, digits) => `${name}"${plainDecimal(digits)}"`));
  } catch {
    return undefined;
  }
}

/** Returns the number and the unit of a quantity, or `undefined` if an object is not a quantity. */
function quantityText(members: Record<string, unknown>): string | undefined {
  const { value } = members;
  const unit = [members.unit, members.code].find((one) => typeof one === 'string') ?? '';
  const isNumber = typeof value === 'number' || (unit !== '' && typeof value === 'string' && /^-?[\d.]/.test(value));
  return isNumber ? `${plainDecimal(String(value))} ${unit}`.trimEnd() : undefined;
}

function collect(value: unknown, add: (text: string) => void): void {
  if (typeof value === 'string') add(value.slice(0, MAX_LENGTH));
  else if (Array.isArray(value)) for (const item of value) collect(item, add);
  else if (isObject(value)) {
    const quantity = quantityText(value);
    if (quantity !== undefined) add(quantity);
    else for (const name of Object.keys(value)) if (!SILENT.has(name)) collect(value[name], add);
  }
}

function textsOf(resource: unknown): Texts | undefined {
  if (!isObject(resource)) return undefined;
  const [type, id] = [own(resource, 'resourceType'), own(resource, 'id')];
  if (typeof type !== 'string' || typeof id !== 'string') return undefined;
  const texts: Texts = { address: `${type}/${id}`, elements: [], written: [], folded: [] };
  for (const element of Object.keys(resource)) {
    if (SILENT.has(element)) continue;
    collect(resource[element], (text) => {
      texts.elements.push(element);
      texts.written.push(text.replaceAll(BETWEEN, ' '));
    });
  }
  return texts;
}

/** Letters of unusual width: full-width Latin, half-width Kana and Hangul. */
const WIDTHS = /[\uff01-\uffee]+/g;

const LETTER = /[\p{L}\p{N}]/u;

/** Returns whether a word of a folded text begins with `word`. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !LETTER.test(text.charAt(at - 1))) return true;
  }
  return false;
}

/** Returns the position of a resource's type in a list of types; other types come last. */
function rankIn(types: readonly string[], { address }: Texts): number {
  const at = types.indexOf(address.slice(0, address.indexOf('/')));
  return at < 0 ? types.length : at;
}

export class TextIndex {
  readonly #fold: (text: string) => string;
  readonly #all = new Map<string, Texts>();

  /** `fold` normalizes a text as searches compare it. */
  constructor(fold: (text: string) => string) {
    this.#fold = (text) => fold(text.replace(WIDTHS, (letters) => letters.normalize('NFKC')));
  }

  /** Adds resources as NDJSON, each once, those of `types` first, in that order. Other lines are skipped. */
  add(ndjson: string, types: readonly string[] = []): void {
    const added: Texts[] = [];
    for (const line of ndjson.split('\n')) {
      const texts = line && textsOf(parsedLine(line));
      if (texts && !this.#all.has(texts.address)) added.push(texts);
    }
    if (types.length > 0) added.sort((a, b) => rankIn(types, a) - rankIn(types, b));
    for (const texts of added) this.#all.set(texts.address, texts);
    // One call for all texts, since each call of the engine has a cost.
    const folded = this.#fold(added.flatMap(({ written }) => written).join(BETWEEN)).split(BETWEEN);
    let at = 0;
    for (const texts of added) {
      texts.folded = folded.slice(at, at + texts.written.length).map((text) => text.trim());
      at += texts.written.length;
    }
  }

  /**
   * Adds words to resources that were added. Each entry has an address, a name, and further words. Unknown resources
   * are skipped, and so are words that equal a text of the resource.
   */
  describe(all: readonly (readonly string[])[]): void {
    const added: { texts: Texts; element: string; written: string }[] = [];
    for (const [address = '', ...words] of all) {
      const texts = this.#all.get(address);
      words.forEach((word, i) => {
        const written = word.slice(0, MAX_LENGTH).replaceAll(BETWEEN, ' ');
        if (!texts || written === '' || texts.written.includes(written)) return;
        added.push({ texts, element: i === 0 ? 'name' : 'words', written });
      });
    }
    const folded = this.#fold(added.map(({ written }) => written).join(BETWEEN)).split(BETWEEN);
    added.forEach(({ texts, element, written }, i) => {
      texts.elements.push(element);
      texts.written.push(written);
      texts.folded.push((folded[i] ?? '').trim());
    });
  }

  /**
   * Returns at most `most` resources that have words beginning with all of these words, in any order and any text.
   * Resources with all words in a title come first; otherwise the order is that of addition.
   */
  find(text: string, most: number): Finding[] {
    // Folding may turn a word such as `4548-4` into several, which must then follow one another.
    const words = text
      .split(/\s+/)
      .map(this.#fold)
      .filter((word) => word !== '');
    const [first] = words;
    if (first === undefined) return [];
    const named: Finding[] = [];
    const mentioning: Finding[] = [];
    for (const texts of this.#all.values()) {
      if (named.length === most) break;
      if (!words.every((word) => texts.folded.some((one) => hasWord(one, word)))) continue;
      const isTitle = (i: number): boolean => TITLES.has(texts.elements[i] ?? '');
      const inTitle = (word: string): number => texts.folded.findIndex((one, i) => isTitle(i) && hasWord(one, word));
      const at = inTitle(first) >= 0 ? inTitle(first) : texts.folded.findIndex((one) => hasWord(one, first));
      const finding = { address: texts.address, element: texts.elements[at] ?? '', text: texts.written[at] ?? '' };
      (words.every((word) => inTitle(word) >= 0) ? named : mentioning).push(finding);
    }
    return [...named, ...mentioning].slice(0, most);
  }
}
