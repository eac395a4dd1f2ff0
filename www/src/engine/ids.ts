//! Ids of the resources in files. An id that FHIR does not allow (<https://hl7.org/fhir/R4/datatypes.html#id>) is
//! replaced by one that follows from it, so that references go on finding the resource, whatever its file. The ids of a
//! document are also made others where it is of another person than one of the same id.

import { digest } from './digest.ts';
import { type PlacedResource, resourcesIn } from './documents.ts';
import { parsedDocument } from './parsed-document.ts';

const LEGAL = /^[A-Za-z0-9.-]{1,64}$/;
/** The most of an id that is kept in the one in its place, in characters. */
const KEPT = 40;

export const isLegalId = (id: string): boolean => LEGAL.test(id);

/** An id that FHIR allows in place of another: its readable part, and a digest of the whole. */
export function legalId(id: string): string {
  const kept = id
    .replace(/[^A-Za-z0-9.-]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, KEPT);
  return `${kept}${kept ? '-' : ''}${digest(id)}`;
}

/** An id with an ending, shortened where it would be too long. */
export function joinedId(id: string, ending: string): string {
  if (ending === '') return id;
  const long = `${id}-${ending}`;
  return isLegalId(long) ? long : legalId(long);
}

/** The address of a resource in a document: the FHIR base with a slash, if it is absolute, the type and the id. */
export interface Address {
  base: string;
  type: string;
  id: string;
  /** The member that has it. */
  member: 'reference' | 'fullUrl' | 'url';
}

/** Gives the new address of a resource, without a version; nothing where it stays. */
type Rename = (address: Address) => string | undefined;

/** The members that name resources. Strings within strings have backslashes before their quotation marks. */
const NAMES = /"(id|reference|fullUrl|url)"(\s*:\s*)(?:"((?:[^"\\]|\\.)*)"|(-?\d[\d.]*)(?=\s*[,}]))/g;
const ADDRESS = /^((?:.*\/)?)([A-Z][A-Za-z]+)\/([^/?#|]+)((?:\/_history\/[^/]*)?)$/s;

/**
 * Writes a document with other ids, and nothing else changed. `ofOwn` gives the new id of its resources by their ids,
 * `rename` the addresses of those that references name.
 */
export function withIds(text: string, ofOwn: ReadonlyMap<string, string>, rename: Rename): string {
  return text.replace(NAMES, (whole, name: string, colon: string, quoted?: string, digits?: string) => {
    const write = (value: string): string => `"${name}"${colon}${JSON.stringify(value)}`;
    let value = digits ?? '';
    try {
      if (quoted !== undefined) value = JSON.parse(`"${quoted}"`);
    } catch {
      return whole;
    }
    if (name === 'id') {
      const id = ofOwn.get(value);
      return id === undefined ? whole : write(id);
    }
    if (quoted === undefined) return whole;
    if (name !== 'url') value = plainAddress(value);
    const written = quoted === JSON.stringify(value).slice(1, -1) ? whole : write(value);
    const inside = value.startsWith('#') ? ofOwn.get(value.slice(1)) : undefined;
    if (inside !== undefined && name === 'reference') return write(`#${inside}`);
    const [, base = '', type = '', id = '', version = ''] = ADDRESS.exec(value) ?? [];
    // Other addresses than those of requests are no names of resources.
    if (type === '' || (name === 'url' && base !== '')) return written;
    const renamed = rename({ base, type, id, member: name as Address['member'] });
    return renamed === undefined ? written : write(`${renamed}${version}`);
  });
}

/** A text that may have an id that FHIR does not allow, or a reference to one. */
const ODD = new RegExp(
  [
    String.raw`"id"\s*:\s*(?:"(?![A-Za-z0-9.-]{1,64}")|-?\d|null|true|false)`,
    String.raw`"reference"\s*:\s*"(?:\s|\.?\/|[^"]*[\s/]")`,
    String.raw`"(?:reference|fullUrl)"\s*:\s*"urn:uuid:[^"]*[A-F]`,
    String.raw`"(?:reference|fullUrl)"\s*:\s*"(?:[^"]*\/)?[A-Z][A-Za-z]+\/(?![A-Za-z0-9.-]{1,64}["/])[^"/]`,
  ].join('|'),
);

/** An id that is none. The resource is given another one, as if it had none. */
const BLANK = /"id"\s*:\s*(?:null|true|false|"")\s*,/g;
const LAST_BLANK = /,\s*"id"\s*:\s*(?:null|true|false|"")(?=\s*\})/g;

/** A reference without what is around an address by mistake, and with its UUID in lower case. */
const plainAddress = (value: string): string =>
  value
    .trim()
    .replace(/^\.?\/+(?=[A-Z])/, '')
    .replace(/(?<=[A-Za-z0-9])\/+$/, '')
    .replace(/^urn:uuid:.+$/i, (uuid) => uuid.toLowerCase());

/** Returns whether a text may have such an id. */
export const hasOddId = (text: string): boolean => ODD.test(text);

/** A resource whose id was replaced. */
export interface ReplacedId extends PlacedResource {
  /** The id in its place. */
  legal: string;
}

/** A document whose ids are ones that FHIR allows, and the resources whose ids were others. */
export function withLegalIds(given: string): { text: string; replaced: ReplacedId[] } {
  if (!hasOddId(given)) return { text: given, replaced: [] };
  const text = given.replace(BLANK, '').replace(LAST_BLANK, '');
  const replaced: ReplacedId[] = [];
  const ofOwn = new Map<string, string>();
  for (const placed of resourcesIn(parsedDocument(text))) {
    const { id: given } = placed.resource;
    const id = typeof given === 'number' ? String(given) : placed.id;
    if (id === '' || (isLegalId(id) && typeof given === 'string')) continue;
    const legal = isLegalId(id) ? id : legalId(id);
    ofOwn.set(id, legal);
    replaced.push({ ...placed, id, legal });
  }
  const rename: Rename = ({ base, type, id }) => (isLegalId(id) ? undefined : `${base}${type}/${legalId(id)}`);
  return { text: withIds(text, ofOwn, rename), replaced };
}

/** The resource with an id that follows from its text. It had none. */
export const withOwnId = (text: string): string => text.replace('{', `{"id":"${digest(text)}",`);

const NO_IDS: ReadonlyMap<string, string> = new Map();

/** A resource on a line of its own with relative references, where they are below a base. */
export const relativeToBase = (text: string, wanted: string): string =>
  text.includes(wanted) && !text.includes('"fullUrl"')
    ? withIds(text, NO_IDS, ({ base, type, id, member }) =>
        member === 'reference' && base === wanted ? `${type}/${id}` : undefined,
      )
    : text;

/** The FHIR bases of the patients whom a text names. */
export const patientBases = (text: string): string[] =>
  [...text.matchAll(/"reference"\s*:\s*"(https?:\/\/[^"\s]+\/)Patient\/[^"/]/g)].map(([, base = '']) => base);
