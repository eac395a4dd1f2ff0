//! The codes and the names of a concept, as they are compared.

import type { Concept } from './types.ts';

/** The codes of a concept, of whatever systems. */
export const codesOf = (of: Concept | undefined): string[] => (of?.coding ?? []).flatMap(({ code }) => code ?? []);

/** The text of a concept and the displays of its codes, in small letters. */
export const namesOf = (of: Concept | undefined): string[] =>
  [of?.text, ...(of?.coding ?? []).map(({ display }) => display)].flatMap((one) => one?.trim().toLowerCase() || []);
