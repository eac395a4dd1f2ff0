//! The names of types in Spanish.

import table from '../../src/fhir/tables/type-words/es.json' with { type: 'json' };
import { typeKind } from './type-words.ts';

/** The translations by the English words. A message that equals one of these has its own translation. */
export const spanishTypes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(table).map(([type, [one = type]]) => [typeKind(type), one]),
);
