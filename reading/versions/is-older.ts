//! Records of an older FHIR, DSTU2 or STU3, that cannot be read as records of R4: their type has none there, or an
//! element says what no element of R4 says.

import { own } from '../own.ts';
import { isObject } from '../shape.ts';
import type { Members } from './steps.ts';

/** An element by which a record cannot be read, after its conversion. */
interface Mark {
  name: string;
  /** True if it is so as a text alone. */
  isText?: true;
  /** The element with which the record can be read. */
  unless?: string;
}

/** The marks by type. A type whose older elements are all converted has none. */
const MARKS: Record<string, Mark[]> = {
  AdverseEvent: [{ name: 'category', isText: true }],
  AllergyIntolerance: [{ name: 'status' }],
  Goal: [{ name: 'status', unless: 'lifecycleStatus' }],
};

/** The types of clinical records that have none in R4. */
const OLDER_TYPES = new Set(['DeviceComponent', 'ImagingManifest', 'ImagingObjectSelection', 'Order', 'OrderResponse']);

/** Returns whether a type exists in an older FHIR and not in R4. */
export const isOlderType = (type: string): boolean => OLDER_TYPES.has(type);

const isMarked = (resource: Members, { name, isText, unless = '' }: Mark): boolean =>
  Object.hasOwn(resource, name) && !Object.hasOwn(resource, unless) && (!isText || typeof resource[name] === 'string');

/** Returns whether a resource, after its conversion, is of an older FHIR. */
export function isOlder(resource: unknown): boolean {
  if (!isObject(resource) || typeof resource.resourceType !== 'string') return false;
  const { resourceType: type } = resource;
  return isOlderType(type) || (own(MARKS, type) ?? []).some((mark) => isMarked(resource, mark));
}
