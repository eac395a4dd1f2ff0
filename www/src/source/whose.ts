//! Records of other patients in the answers of a server: a server that ignores a parameter of a search may return the
//! records of all patients.

import type { Resource } from '#reading/fhir/types.ts';
import { isObject } from '#reading/shape.ts';
import type { SearchResult } from './source.ts';

const referenceIn = (value: unknown): string =>
  isObject(value) && typeof value.reference === 'string' ? value.reference : '';

export function isOfAnother(resource: object, patient: string): boolean {
  const { subject, patient: named } = resource as Record<string, unknown>;
  return [subject, named].some((one) => {
    const [, id] = /(?:^|\/)Patient\/([^/?#|]+)/.exec(referenceIn(one)) ?? [];
    return id !== undefined && id !== patient;
  });
}

/** Returns an answer without the records of other patients, and with their number. */
export function withoutOthers(found: SearchResult, patient: string): SearchResult {
  const isOwn = (one: Resource): boolean => !isOfAnother(one, patient);
  const [matches, included] = [found.matches.filter(isOwn), found.included.filter(isOwn)];
  const ofOthers = found.matches.length - matches.length + (found.included.length - included.length);
  return ofOthers === 0 ? found : { ...found, matches, included, ofOthers };
}
