//! What the other records of a chart tell of a record. It is a member of the record as it is read, so that a value that
//! is made of the record has it too. Neither its JSON nor its elements have it.

import type { MeasuredValue } from './types.ts';

export interface Subject {
  /** The code of `Patient.gender`. */
  sex?: string | undefined;
  /** The date of birth as it is written. */
  birth?: string | undefined;
}

export interface Facts {
  /** The person whom an observation is of. It is asked for when a range is chosen: the patient may be read later. */
  subject?: () => Subject | undefined;
  /** The organism of a test of susceptibility. */
  isolate?: string | undefined;
  /** Oxygen that was given while a saturation was measured. */
  oxygen?: readonly MeasuredValue[] | undefined;
  /** The name of what a reference leads to inside of its record. */
  name?: string;
}

const FACTS = Symbol('facts');

export const factsOf = (of: object): Facts => (of as { [FACTS]?: Facts })[FACTS] ?? {};

/** A record, or a reference, with what is known of it. */
export const withFacts = <T extends object>(of: T, facts: Facts): T => ({ ...of, [FACTS]: facts });
