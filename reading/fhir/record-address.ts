//! Addresses of records below a FHIR base: `Type/id`.

import type { Resource } from './types.ts';

export const recordAddress = ({ resourceType, id }: Pick<Resource, 'resourceType' | 'id'>): string =>
  `${resourceType}/${id}`;

/** Returns the type of a search, `Type?…`, or of an address, `Type/id`. */
export const typeOf = (query: string): string => /^[^?/]*/.exec(query)?.[0] ?? '';

/** Returns the `Type/id` at the end of a reference, relative or absolute, without a version. */
export const referredAddress = (reference: string | undefined): string =>
  (reference ?? '')
    .replace(/\/_history\/[^/]*$/, '')
    .split('/')
    .slice(-2)
    .join('/');
