//! Records of other patients in the answers of a server: one that does not know a parameter of a search may answer with
//! the records of everybody.

import type { Resource } from '#reading/fhir/types.ts';
import { isObject } from '#reading/shape.ts';
import type { SearchResult } from './source.ts';

const referenceIn = (value: unknown): string =>
  isObject(value) && typeof value.reference === 'string' ? value.reference : '';

/** Returns whether a record says that it is of another patient than one. */
export function isOfAnother(resource: object, patient: string): boolean {
  const { subject, patient: named } = resource as Record<string, unknown>;
  return [subject, named].some((one) => {
    const [, id] = /(?:^|\/)Patient\/([^/?#|]+)/.exec(referenceIn(one)) ?? [];
    return id !== undefined && id !== patient;
  });
}

/** An answer without the records of other patients, whose number it has then. */
export function withoutOthers(found: SearchResult, patient: string): SearchResult {
  const isOwn = (one: Resource): boolean => !isOfAnother(one, patient);
  const [matches, included] = [found.matches.filter(isOwn), found.included.filter(isOwn)];
  const ofOthers = found.matches.length - matches.length + (found.included.length - included.length);
  return ofOthers === 0 ? found : { ...found, matches, included, ofOthers };
}
