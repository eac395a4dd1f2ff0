//! Resources that are contained in a record, and found by a reference such as `#x`
//! (<https://hl7.org/fhir/R4/references.html#contained>).

import { isObject } from '../shape.ts';
import { valuesAt } from './element-text.ts';

/** A reference to what a record contains. */
const INSIDE = /^#(.+)$/;

/** Returns whether a reference or an address is one to a contained resource. */
export const isInside = (reference: string | undefined): boolean => INSIDE.test(reference ?? '');

/** The resource that a record contains under a reference; nothing where it does not. Its elements are not checked. */
export function containedIn(record: unknown, reference: string | undefined): Record<string, unknown> | undefined {
  const wanted = INSIDE.exec(reference ?? '')?.[1];
  if (wanted === undefined) return undefined;
  // Some systems write the sign into the id too.
  return valuesAt(record, 'contained')
    .filter(isObject)
    .find(({ id }) => typeof id === 'string' && id.replace(/^#/, '') === wanted);
}
