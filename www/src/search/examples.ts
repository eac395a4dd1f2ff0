//! The saved examples: one search for each row of the contract that finds something in the sample. The build creates
//! them.

import { checked, list, object, type ShapeValue, string } from '#reading/shape.ts';
import { askedOnce } from '../asked-once.ts';

const example = object({ row: string, level: string, type: string, query: string, note: string });
export type Example = ShapeValue<typeof example>;

/** Returns the examples. They are fetched once, and again after a failure. */
export const loadExamples = askedOnce(async (): Promise<Example[]> => {
  const answer = await fetch(EXAMPLES_URL);
  const body: unknown = await answer.json();
  return checked(list(example), body, 'the examples');
});
