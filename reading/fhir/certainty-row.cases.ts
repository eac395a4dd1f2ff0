//! The rows of the cases of certainty.

/** A record with its place and its words. The text is empty for a plain fact. */
export interface CertaintyCase {
  name: string;
  resource: { resourceType: string; id: string } & Record<string, unknown>;
  /** The list of a condition or an allergy; `-` for other types, of which only the words are checked. */
  where: string;
  en: string;
  es: string;
  source: string;
}

/** Returns a function that makes cases of records of a type, with the elements that all of them have. */
export const row =
  (type: string, common: Record<string, unknown> = {}) =>
  (
    name: string,
    more: Record<string, unknown>,
    where: string,
    en: string,
    es: string,
    source: string,
  ): CertaintyCase => ({
    name,
    resource: { resourceType: type, id: 'a', ...common, ...more },
    where,
    en,
    es,
    source,
  });
