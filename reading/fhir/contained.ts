//! Resources that are contained in a record, and found by a reference such as `#x`
//! (<https://hl7.org/fhir/R4/references.html#contained>).

import { isObject } from '../shape.ts';
import { valuesAt } from './element-text.ts';

/** A reference to a contained resource. */
const INSIDE = /^#(.+)$/;

/** Returns whether a reference or an address refers to a contained resource. */
export const isInside = (reference: string | undefined): boolean => INSIDE.test(reference ?? '');

/** Returns the contained resource of a reference; `undefined` if there is none. Its elements are not checked. */
export function containedIn(record: unknown, reference: string | undefined): Record<string, unknown> | undefined {
  const wanted = INSIDE.exec(reference ?? '')?.[1];
  if (wanted === undefined) return undefined;
  // Some systems include the sign `#` in the id.
  return valuesAt(record, 'contained')
    .filter(isObject)
    .find(({ id }) => typeof id === 'string' && id.replace(/^#/, '') === wanted);
}
