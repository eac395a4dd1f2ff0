//! The entries of a document with their texts: those of a Bundle, or the single resource that is the document.

import { entrySpans } from '../text/entry-spans.ts';
import { parsedDocument } from '../text/parsed-document.ts';
import { type PlacedResource, resourcesIn } from './documents.ts';

export interface Entry {
  /** Undefined if the entry has neither a resource nor a deletion. */
  placed: PlacedResource | undefined;
  place: string;
  /** The place of the enclosing Bundle. */
  around: string;
  /** The FHIR base in its `fullUrl`; the empty string if it has none. */
  base: string;
  text: string;
  /** The offsets of its text in the document. */
  start: number;
  end: number;
}

/** Returns whether an entry is a request that deletes a resource. */
export const isDeletion = ({ resource }: PlacedResource): boolean => !Object.hasOwn(resource, 'resourceType');

/** Returns the entries of a document in order. A nested Bundle contributes its entries and is not an entry itself. */
export function entriesOf(text: string): Entry[] {
  const placed = new Map([...resourcesIn(parsedDocument(text))].map((one) => [one.place, one]));
  const whole = placed.get('');
  if (whole) return [{ placed: whole, place: '', around: '', base: '', text, start: 0, end: text.length }];
  if (placed.size === 0) return [];
  const spans = [...entrySpans(text)].sort(([, [a]], [, [b]]) => a - b);
  const bundles = new Set([...placed.keys()].flatMap((place) => outerPlaces(place)));
  let done = 0;
  return spans.flatMap(([place, [start, end]]) => {
    // An `entry` within a resource is part of that resource.
    if (start < done || bundles.has(place)) return [];
    done = end;
    const found = placed.get(place);
    const base = found ? baseIn(found.fullUrl, found.type) : '';
    const around = place.slice(0, place.lastIndexOf('.entry['));
    return [{ placed: found, place, around, base, text: text.slice(start, end), start, end }];
  });
}

/** Returns the FHIR base in the URL of a resource of a type, or the empty string if the URL has another form. */
export const baseIn = (address: string, type: string): string =>
  /^https?:/.test(address) ? address.slice(0, Math.max(0, address.lastIndexOf(`/${type}/`))) : '';

/** Returns the places of the enclosing entries, whose resources are Bundles. */
function outerPlaces(place: string): string[] {
  const places: string[] = [];
  for (let at = place.lastIndexOf('.resource'); at > 0; at = place.lastIndexOf('.resource', at - 1)) {
    places.push(place.slice(0, at));
  }
  return places;
}
