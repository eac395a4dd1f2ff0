//! Ids of the resources in files. An id that FHIR does not allow (<https://hl7.org/fhir/R4/datatypes.html#id>) is
//! replaced by one that is derived from it, so that references from any file still find the resource. `sources.ts` also
//! uses `withIds` to separate people who share an id.

import { digest } from '../text/digest.ts';
import { parsedDocument } from '../text/parsed-document.ts';
import { type PlacedResource, resourcesIn } from './documents.ts';

const LEGAL = /^[A-Za-z0-9.-]{1,64}$/;
/** The number of characters of an id that its replacement keeps at most. */
const KEPT = 40;

export const isLegalId = (id: string): boolean => LEGAL.test(id);

/** Returns an allowed id in place of another one: its readable part and a digest of the whole id. */
export function legalId(id: string): string {
  const kept = id
    .replace(/[^A-Za-z0-9.-]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, KEPT);
  return `${kept}${kept ? '-' : ''}${digest(id)}`;
}

/** Returns an id with an ending, shortened if it would be too long. */
export function joinedId(id: string, ending: string): string {
  if (ending === '') return id;
  const long = `${id}-${ending}`;
  return isLegalId(long) ? long : legalId(long);
}

/** The address of a resource in a document: the FHIR base with a slash if absolute, the type and the id. */
export interface Address {
  base: string;
  type: string;
  id: string;
  /** The member that holds the address. */
  member: 'reference' | 'fullUrl' | 'url';
}

/** Returns the new address of a resource, without a version, or `undefined` if the address stays. */
export type Rename = (address: Address) => string | undefined;

/** The members that name resources. JSON within strings does not match, since its quotation marks are escaped. */
const NAMES = /"(id|reference|fullUrl|url)"(\s*:\s*)(?:"((?:[^"\\]|\\.)*)"|(-?\d[\d.]*)(?=\s*[,}]))/g;
const ADDRESS = /^((?:.*\/)?)([A-Z][A-Za-z]+)\/([^/?#|]+)((?:\/_history\/[^/]*)?)$/s;

/**
 * Replaces ids in a document and changes nothing else. `rename` returns the new addresses of resources that references
 * name; `ofOwn` maps the ids of its own resources to new ids.
 */
export function withIds(text: string, rename: Rename, ofOwn: ReadonlyMap<string, string> = new Map()): string {
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
    // A `url` with a base is not the URL of a request, so it names no resource.
    if (type === '' || (name === 'url' && base !== '')) return written;
    const renamed = rename({ base, type, id, member: name as Address['member'] });
    return renamed === undefined ? written : write(`${renamed}${version}`);
  });
}

/** Matches a text that may have an id that FHIR does not allow, or a reference to such an id. */
const ODD = new RegExp(
  [
    String.raw`"id"\s*:\s*(?:"(?![A-Za-z0-9.-]{1,64}")|-?\d|null|true|false)`,
    String.raw`"reference"\s*:\s*"(?:\s|\.?\/|[^"]*[\s/]")`,
    String.raw`"(?:reference|fullUrl)"\s*:\s*"urn:uuid:[^"]*[A-F]`,
    String.raw`"(?:reference|fullUrl)"\s*:\s*"(?:[^"]*\/)?[A-Z][A-Za-z]+\/(?![A-Za-z0-9.-]{1,64}["/])[^"/]`,
  ].join('|'),
);

/** An `id` without a value. The resource is treated as if it had no id. */
const BLANK = /"id"\s*:\s*(?:null|true|false|"")\s*,/g;
const LAST_BLANK = /,\s*"id"\s*:\s*(?:null|true|false|"")(?=\s*\})/g;

/** Removes stray white space and slashes around a reference, and writes its UUID in lower case. */
const plainAddress = (value: string): string =>
  value
    .trim()
    .replace(/^\.?\/+(?=[A-Z])/, '')
    .replace(/(?<=[A-Za-z0-9])\/+$/, '')
    .replace(/^urn:uuid:.+$/i, (uuid) => uuid.toLowerCase());

/** Returns whether a text may have an id that FHIR does not allow, or a reference to one. */
export const hasOddId = (text: string): boolean => ODD.test(text);

export interface ReplacedId extends PlacedResource {
  /** The replacement. */
  legal: string;
}

/** Returns a document with ids that FHIR allows, and the resources whose ids were replaced. */
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
  return { text: withIds(text, rename, ofOwn), replaced };
}

/** Gives a resource without an id one that is derived from its text. */
export const withOwnId = (text: string): string => text.replace('{', `{"id":"${digest(text)}",`);

/** Makes references below a base relative in a resource on a line of its own. */
export const relativeToBase = (text: string, wanted: string): string =>
  text.includes(wanted) && !text.includes('"fullUrl"')
    ? withIds(text, ({ base, type, id, member }) =>
        member === 'reference' && base === wanted ? `${type}/${id}` : undefined,
      )
    : text;

/** Returns the FHIR bases, each with a slash, of the patients that a text refers to. */
export const patientBases = (text: string): string[] =>
  [...text.matchAll(/"reference"\s*:\s*"(https?:\/\/[^"\s]+\/)Patient\/[^"/]/g)].map(([, base = '']) => base);
