//! The records to which others refer without their names: medications, and what tells results apart; and the panels and
//! reports that say whom their results are about, and the specimen.

import { referredAddress } from '../fhir/record-address.ts';
import { namedBy, namelessReferences } from '../fhir/reference-names.ts';
import { ofType, type Resource } from '../fhir/types.ts';
import { withSources } from '../results/names/told-apart.ts';
import { related } from '../results/related.ts';
import { type Answer, pageOf, type ToolCall } from './call.ts';
import { searchOf } from './result.ts';

/** The types of records that are read for their names. */
const READ = [
  ...['Medication', 'Specimen', 'Device', 'BodyStructure', 'Condition', 'RelatedPerson', 'Group', 'Location'],
  ...['Practitioner', 'PractitionerRole', 'Organization'],
];
/** The most records of a search, and the most searches: a round has 16 requests at most. */
const MOST = 100;
const MOST_SEARCHES = 16;

/** The panels and reports that say more of results: how each is found. */
const SOURCES: Readonly<Record<string, string>> = {
  Observation:
    'has-member:missing=false&_elements=code,subject,hasMember,extension,focus,specimen,bodySite,method,device',
  DiagnosticReport: 'specimen:missing=false&_elements=subject,result,specimen',
};

/** Returns the searches for what panels and reports say of results, and for their patient. */
export function sourceSearches({ types }: ToolCall, patient: string | undefined): string[] {
  if (patient === undefined) return [];
  const open = Object.entries(SOURCES).filter(([type]) => types.includes(type));
  return [
    ...(types.includes('Patient') ? [searchOf('Patient', [['_id', patient]])] : []),
    ...open.map(([type, by]) => `${type}?_count=1000&${by}&patient=${encodeURIComponent(patient)}`),
  ];
}

/** What is said if the server is not indexed by what {@link SOURCES} ask. */
const NOT_INDEXED = 'What panels and reports say of these results, such as whose they are: not indexed here.';

/** Returns what searches found. A search that is refused finds nothing. */
export const foundBy = (answers: readonly Answer[]): Resource[] =>
  answers.filter(({ status }) => status === 200).flatMap((answer) => pageOf(answer).matches);

/** Returns the searches for the records to which records refer without a name. */
function searchesFor({ types }: ToolCall, records: readonly Resource[]): string[] {
  const addresses = new Set(records.flatMap(namelessReferences).map(({ to }) => `/${referredAddress(to.reference)}`));
  return READ.filter((type) => types.includes(type)).flatMap((type) => {
    const ids = [...addresses].flatMap((address) => address.split(`/${type}/`)[1] ?? []);
    const some = ids.map((_, i) => (i % MOST === 0 ? ids.slice(i, i + MOST).join(',') : ''));
    return some.filter(Boolean).map((list) => `${searchOf(type, [['_id', list]])}&_count=${MOST}`);
  });
}

/**
 * Yields the searches for what records refer to. Returns the records with the names that were found and with what the
 * answers to {@link sourceSearches} say of them, all that is known, and what could not be read.
 */
export function* withTargets(
  call: ToolCall,
  records: readonly Resource[],
  answers: readonly Answer[],
): Generator<string[], { all: Resource[]; known: Resource[]; notIndexed: string[] }, Answer[]> {
  const sources = foundBy(answers);
  const searches = searchesFor(call, [...records, ...sources]).slice(0, MOST_SEARCHES);
  const known = [...records, ...(searches.length > 0 ? foundBy(yield searches) : [])];
  const named = namedBy(known);
  const [of] = ofType('Patient', sources);
  const isRefused = answers.some(({ status }) => status === 400) && ofType('Observation', records).length > 0;
  const all = related(withSources(records, sources.map(named)), () => of, named);
  return { all, known, notIndexed: isRefused ? [NOT_INDEXED] : [] };
}
