//! Addresses of records below a FHIR base: `Type/id`.

import type { Resource } from './types.ts';

export const recordAddress = ({ resourceType, id }: Pick<Resource, 'resourceType' | 'id'>): string =>
  `${resourceType}/${id}`;

/** The type that a search, `Type?…`, or an address, `Type/id`, is about. */
export const typeOf = (query: string): string => /^[^?/]*/.exec(query)?.[0] ?? '';

/** The `Type/id` at the end of a reference, relative or absolute, without a version. */
export const referredAddress = (reference: string | undefined): string =>
  (reference ?? '')
    .replace(/\/_history\/[^/]*$/, '')
    .split('/')
    .slice(-2)
    .join('/');
