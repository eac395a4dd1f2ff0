//! The saved examples: one search for each row of the contract that finds something in the sample. The build makes
//! them.

import { checked, list, object, type Shaped, string } from '../shape.ts';

const example = object({ row: string, level: string, type: string, query: string, note: string });
export type Example = Shaped<typeof example>;

export async function loadExamples(): Promise<Example[]> {
  const answer = await fetch(EXAMPLES_URL);
  const body: unknown = await answer.json();
  return checked(list(example), body, 'the examples');
}
