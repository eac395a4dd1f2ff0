//! The saved examples: one search for each row of the contract that finds something in the sample. The build creates
//! them.

import { checked, list, object, type ShapeValue, string } from '#reading/shape.ts';

const example = object({ row: string, level: string, type: string, query: string, note: string });
export type Example = ShapeValue<typeof example>;

let known: Promise<Example[]> | undefined;

/** Returns the examples. They are fetched once, and again after a failure. */
export function loadExamples(): Promise<Example[]> {
  known ??= fetchExamples().catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

async function fetchExamples(): Promise<Example[]> {
  const answer = await fetch(EXAMPLES_URL);
  const body: unknown = await answer.json();
  return checked(list(example), body, 'the examples');
}
