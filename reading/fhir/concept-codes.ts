//! The codes and the names of a concept, in the form in which they are compared.

import type { Concept } from './types.ts';

export const codesOf = (of: Concept | undefined): string[] => (of?.coding ?? []).flatMap(({ code }) => code ?? []);

/** Returns the text of a concept and the displays of its codes, in lower case. */
export const namesOf = (of: Concept | undefined): string[] =>
  [of?.text, ...(of?.coding ?? []).map(({ display }) => display)].flatMap((one) => one?.trim().toLowerCase() || []);
