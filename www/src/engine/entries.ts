//! The entries of a document with their texts: those of a Bundle, or the one resource that the document is.

import { type PlacedResource, resourcesIn } from './documents.ts';
import { entrySpans } from './entry-spans.ts';
import { parsedDocument } from './parsed-document.ts';

export interface Entry {
  /** Nothing where the entry has neither a resource nor a deletion. */
  placed: PlacedResource | undefined;
  place: string;
  /** The place of the Bundle that it is in. */
  around: string;
  /** The FHIR base in its `fullUrl`; the empty text where it names none. */
  base: string;
  text: string;
  /** Where its text is in that of the document. */
  start: number;
  end: number;
}

/** Returns whether an entry is the request that deletes a resource. */
export const isDeletion = ({ resource }: PlacedResource): boolean => !Object.hasOwn(resource, 'resourceType');

/** The entries of a document, in their order. A Bundle in a Bundle is looked into, and is none itself. */
export function entriesOf(text: string): Entry[] {
  const placed = new Map([...resourcesIn(parsedDocument(text))].map((one) => [one.place, one]));
  const whole = placed.get('');
  if (whole) return [{ placed: whole, place: '', around: '', base: '', text, start: 0, end: text.length }];
  if (placed.size === 0) return [];
  const spans = [...entrySpans(text)].sort(([, [a]], [, [b]]) => a - b);
  const bundles = new Set([...placed.keys()].flatMap((place) => outerPlaces(place)));
  let done = 0;
  return spans.flatMap(([place, [start, end]]) => {
    // What is in a resource is no entry of its own.
    if (start < done || bundles.has(place)) return [];
    done = end;
    const found = placed.get(place);
    const base = found ? baseIn(found.fullUrl, found.type) : '';
    const around = place.slice(0, place.lastIndexOf('.entry['));
    return [{ placed: found, place, around, base, text: text.slice(start, end), start, end }];
  });
}

/** The FHIR base in the address of a resource of a type; the empty text in one of another form. */
export const baseIn = (address: string, type: string): string =>
  /^https?:/.test(address) ? address.slice(0, Math.max(0, address.lastIndexOf(`/${type}/`))) : '';

/** The places of the entries around one, whose resources are Bundles. */
function outerPlaces(place: string): string[] {
  const places: string[] = [];
  for (let at = place.lastIndexOf('.resource'); at > 0; at = place.lastIndexOf('.resource', at - 1)) {
    places.push(place.slice(0, at));
  }
  return places;
}
