//! Facts about a record that come from other records of the chart. They are a member of the record as it is read, so
//! that copies of the record have them too. Its JSON and its elements do not include them.

import type { Words } from '../language/words.ts';
import type { MeasuredValue, Observation, Reference } from './types.ts';

export interface Subject {
  /** The code of `Patient.gender`. */
  sex?: string | undefined;
  /** The date of birth as it is written. */
  birth?: string | undefined;
  isAnimal?: boolean;
}

export interface Facts {
  /** Returns the subject of an observation. It is a function since the patient may be read after the observation. */
  subject?: () => Subject | undefined;
  /** The organism that was tested for susceptibility. */
  isolate?: string | undefined;
  /** Oxygen that was given while a saturation was measured. */
  oxygen?: readonly MeasuredValue[] | undefined;
  /** Returns the panel, or the report, that has the observation as a member. It is a function, to be read later. */
  panel?: (() => Observation | undefined) | undefined;
  /** True if a member of the panel is known. */
  hasParts?: boolean | undefined;
  /** Returns the name of the target of a reference, which was found; `undefined` if the target has no name. */
  name?: (words: Words) => string | undefined;
  /** Returns what is wrong with a specimen that was found, or its condition. */
  condition?: (words: Words) => string | undefined;
  /** The notes on a specimen that was found. */
  notes?: readonly string[] | undefined;
  /** Whose the target that was found is, if it is of another than the record. */
  whose?: Reference | undefined;
}

const FACTS = Symbol('facts');

export const factsOf = (of: object): Facts => (of as { [FACTS]?: Facts })[FACTS] ?? {};

/** Returns a record, or a reference, with these facts. */
export const withFacts = <T extends object>(of: T, facts: Facts): T => ({ ...of, [FACTS]: facts });
