//! The searches for the observations of a chart. Three search by category. The fourth finds all others, which then go
//! to the sections to which they belong (`reading/results/observation-place.ts`).

import { isOfType, type Observation, type Resource } from '#reading/fhir/types.ts';
import { containedResults } from '#reading/results/contained-results.ts';
import { withSources } from '#reading/results/names/told-apart.ts';
import { OTHER_CATEGORIES, type Place, placeOf, SCREENING_CATEGORIES } from '#reading/results/observation-place.ts';
import { joinedResult } from '../../source/joined-result.ts';
import type { SearchResult } from '../../source/source.ts';

const search = (category: string): string => `Observation?patient={patient}&${category}&_count=200`;

export const VITALS = search('category=vital-signs');
export const LABS = search('category=laboratory');
export const SCREENING = search(`category=${SCREENING_CATEGORIES.join()}`);
/** A server without support for `:not` may answer with all observations. They are filtered here. */
export const OTHER_OBSERVATIONS = search(
  `category:not=${['vital-signs', 'laboratory', ...SCREENING_CATEGORIES].join()}`,
);

/** Returns the categories of a search, each with a search of its own, or nothing if it has only one category. */
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

/** Returns the place of the observations that a search is for, or nothing for another search. */
export const placeOfSearch = (query: string): Place | undefined => PLACES.get(query);

const isIn = (place: Place, resource: Resource): boolean =>
  isOfType('Observation', resource) ? placeOf(resource) === place : true;

/** Returns the place of a contained result. Most are from laboratories, whose section waits for reports anyway. */
const placeOfContained = (o: Observation): Place => (placeOf(o) === 'others' ? 'others' : 'labs');

/**
 * Returns the observations of a section, each once: those of its own search, those of the search for all others that
 * belong to it, and the results that these and `reports` contain. The result reports the omissions of both searches.
 * `panels` are those of the search for all others: whom they are about, their members in other sections are about.
 */
export function placed(
  place: Place,
  own: SearchResult,
  others: SearchResult,
  reports: readonly Resource[] = [],
  panels: readonly Resource[] = [],
): SearchResult {
  const sources = [...reports, ...panels];
  const contained = containedResults([...new Set([...own.matches, ...others.matches, ...reports])]).filter(
    (one) => placeOfContained(one) === place,
  );
  if (own === others) {
    const matches = [...own.matches.filter((one) => isIn(place, one)), ...contained];
    return { ...own, matches: withSources(matches, sources) };
  }
  const known = new Map<string, Resource>();
  for (const one of [...own.matches, ...others.matches]) {
    if (isIn(place, one) && !known.has(one.id)) known.set(one.id, one);
  }
  for (const one of contained) if (!known.has(one.id)) known.set(one.id, one);
  return { ...joinedResult([own, others]), matches: withSources([...known.values()], sources) };
}
