//! The searches for the observations of a chart. Three ask by category; the fourth asks for all others, each of which
//! is then in the section to which it belongs (`reading/results/observation-place.ts`).

import { isOfType, type Observation, type Resource } from '#reading/fhir/types.ts';
import { containedResults } from '#reading/results/contained-results.ts';
import { OTHER_CATEGORIES, type Place, placeOf, SCREENING_CATEGORIES } from '#reading/results/observation-place.ts';
import { withSpecimens } from '#reading/results/told-apart.ts';
import { joinedResult } from '../source/joined-result.ts';
import type { SearchResult } from '../source/source.ts';

const search = (category: string): string => `Observation?patient={patient}&${category}&_count=200`;

export const VITALS = search('category=vital-signs');
export const LABS = search('category=laboratory');
export const SCREENING = search(`category=${SCREENING_CATEGORIES.join()}`);
/** A server that does not know `:not` answers with all observations, which are then chosen here. */
export const OTHER_OBSERVATIONS = search(
  `category:not=${['vital-signs', 'laboratory', ...SCREENING_CATEGORIES].join()}`,
);

/** The categories that a search asks for, each with a search of its own; none for a search for one category. */
export function searchesApart(query: string): { category: string; query: string }[] {
  const categories = query === OTHER_OBSERVATIONS ? OTHER_CATEGORIES : query === SCREENING ? SCREENING_CATEGORIES : [];
  return categories.map((category) => ({ category, query: search(`category=${category}`) }));
}

/** The search for the reports of a chart, which may contain results. */
export const REPORTS = 'DiagnosticReport?patient={patient}&_count=200';

/** The searches for observations, in the order of their sections. */
export const OBSERVATIONS = [VITALS, LABS, SCREENING, OTHER_OBSERVATIONS];

const PLACES: ReadonlyMap<string, Place> = new Map([
  [VITALS, 'vitals'],
  [LABS, 'labs'],
  [SCREENING, 'screening'],
  [OTHER_OBSERVATIONS, 'others'],
]);

/** The section whose observations a search is for; nothing for another search. */
export const placeOfSearch = (query: string): Place | undefined => PLACES.get(query);

const isIn = (place: Place, resource: Resource): boolean =>
  isOfType('Observation', resource) ? placeOf(resource) === place : true;

/** The place of a contained result: most are of a laboratory, and its section waits for the reports anyway. */
const placeOfContained = (o: Observation): Place => (placeOf(o) === 'others' ? 'others' : 'labs');

/**
 * The observations of a section: those of its own search, and those of the search for all others that belong to it,
 * each once, with the results that these and `reports` contain. What was left out of either is left out of the section.
 */
export function placed(
  place: Place,
  own: SearchResult,
  others: SearchResult,
  reports: readonly Resource[] = [],
): SearchResult {
  const contained = containedResults([...new Set([...own.matches, ...others.matches, ...reports])]).filter(
    (one) => placeOfContained(one) === place,
  );
  if (own === others) {
    const matches = [...own.matches.filter((one) => isIn(place, one)), ...contained];
    return { ...own, matches: withSpecimens(matches, reports) };
  }
  const known = new Map<string, Resource>();
  for (const one of [...own.matches, ...others.matches]) {
    if (isIn(place, one) && !known.has(one.id)) known.set(one.id, one);
  }
  for (const one of contained) if (!known.has(one.id)) known.set(one.id, one);
  return { ...joinedResult([own, others]), matches: withSpecimens([...known.values()], reports) };
}
