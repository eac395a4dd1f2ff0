//! Documents that contain resources but are not resources: a list, the Parameters of an operation, an object with a
//! resource in each member. Their resources become the entries of a Bundle.

import { compact, parsed } from '#reading/fhir/json.ts';
import { isObject } from '#reading/shape.ts';

/** Matches a document that does not begin as a resource, or is a Parameters resource, which is not a record. */
const WRAPPED = /^\s*(?:\[|\{(?!\s*"resourceType"\s*:\s*"(?!Parameters")))/m;

/** Returns whether a text may have such a document. */
export const mayBeWrapped = (text: string): boolean => WRAPPED.test(text);

const isRecord = (value: Record<string, unknown>): boolean =>
  typeof value.resourceType === 'string' && value.resourceType !== 'Parameters';

/** Returns the resources in a value. What a resource contains is a part of it. */
function resourcesIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(resourcesIn);
  if (!isObject(value)) return [];
  if (isRecord(value)) return [value];
  return Object.entries(value).flatMap(([name, inner]) => (name === 'contained' ? [] : resourcesIn(inner)));
}

/** Returns the document as a Bundle of its resources, or `undefined` if it is a resource itself or has none. */
export function unwrapped(text: string): string | undefined {
  const document = parsed(text);
  const found = isObject(document) && isRecord(document) ? [] : resourcesIn(document);
  if (found.length === 0) return undefined;
  return compact({ resourceType: 'Bundle', type: 'collection', entry: found.map((resource) => ({ resource })) });
}
