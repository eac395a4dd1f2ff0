//! The site on the body, with its side: from codes, from laterality extensions of national profiles, and from
//! referenced body structures.

import type { PlainMessage, Words } from '../language/words.ts';
import { own } from '../own.ts';
import { isObject } from '../shape.ts';
import { containedIn } from './contained.ts';
import { firstWritten, textAt, valuesAt } from './element-text.ts';
import { referredAddress } from './record-address.ts';
import type { Resource } from './types.ts';

/** The record at an address such as `BodyStructure/1`. */
type Lookup = (address: string) => unknown;

/** Extensions for the side or the part of a site, of FHIR, mCODE and German profiles among others. */
const SIDE = /(?:lateral|seitenlokalisation|location-?qualifier|body-?site-?(?:side|qualifier)|\/side$)/i;
/** Extensions that refer to a body structure. */
const STRUCTURE = /(?:\/bodySite|targetBodyStructure|body-?structure)$/i;

/** Sides of the body by their codes: codes of SNOMED CT, and letters and words of national code systems. */
export const SIDES: Readonly<Record<string, PlainMessage>> = {
  '7771000': 'left#side',
  '24028007': 'right#side',
  '51440002': 'both sides',
  '399488007': 'midline',
  B: 'both sides',
  L: 'left#side',
  R: 'right#side',
  LEFT: 'left#side',
  RIGHT: 'right#side',
  BILATERAL: 'both sides',
};

const VALUES = ['valueCodeableConcept', 'valueCoding', 'valueCode', 'valueString'];
const CODES = VALUES.flatMap((name) => [`${name}.coding.code`, `${name}.code`, name]);

/** Returns the side in an extension: by its code, or in its own words. */
function sideIn(words: Words, extension: unknown): string | undefined {
  const codes = CODES.flatMap((path) => valuesAt(extension, path)).filter((code) => typeof code === 'string');
  const [side] = codes.flatMap((code) => own(SIDES, code.toUpperCase()) ?? []);
  return side ? words.t(side) : textAt(words, extension, ...VALUES);
}

const extensionsOf = (value: unknown, url: RegExp, paths: readonly string[]): unknown[] =>
  paths.flatMap((path) => valuesAt(value, path)).filter((one) => url.test(firstWritten(one, ['url']) ?? ''));

const sidesOf = (words: Words, value: unknown): string[] =>
  extensionsOf(value, SIDE, ['extension', 'coding.extension']).flatMap((one) => sideIn(words, one) ?? []);

/** Returns the words of a referenced body structure, or of the reference itself if the structure is missing. */
function structureText(words: Words, record: unknown, extension: unknown, find: Lookup): string | undefined {
  const address = firstWritten(extension, ['valueReference.reference']);
  const structure = containedIn(record, address) ?? find(referredAddress(address));
  return (
    textAt(words, structure, 'location', 'locationQualifier', 'description') ??
    textAt(words, extension, 'valueReference', 'valueCodeableConcept')
  );
}

/** Joins a site and its sides, except for sides that the words of the site contain already. */
const joined = (site: string | undefined, sides: readonly string[]): string | undefined =>
  [site, ...sides.filter((side) => !site?.toLowerCase().includes(side.toLowerCase()))].filter(Boolean).join(', ') ||
  undefined;

/** Returns the site of a record with its side; `undefined` if the record has none. */
export function siteText(words: Words, record: Resource, find: Lookup = () => undefined): string | undefined {
  const sites = valuesAt(record, 'bodySite')
    .filter(isObject)
    .flatMap((site) => joined(textAt(words, { site }, 'site'), sidesOf(words, site)) ?? []);
  const structures = extensionsOf(record, STRUCTURE, ['extension', 'bodySite.extension']).flatMap(
    (one) => structureText(words, record, one, find) ?? [],
  );
  // A side next to the code applies to the whole record.
  const sides = [...sidesOf(words, record), ...sidesOf(words, valuesAt(record, 'code')[0])];
  return joined([...new Set([...sites, ...structures])].join(', '), [...new Set(sides)]);
}
