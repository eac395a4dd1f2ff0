//! The records to which others refer without their names: medications, and what tells results apart; and the panels and
//! reports that say whom their results are about, and the specimen.

import { referredAddress } from '../fhir/record-address.ts';
import { namedBy, namelessReferences } from '../fhir/reference-names.ts';
import { isOfType, ofType, type Resource } from '../fhir/types.ts';
import { related } from '../results/related.ts';
import { withSources } from '../results/told-apart.ts';
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

/** The panels and reports: the parameter that finds them, and what they say of their results. */
const SOURCES: Readonly<Record<string, readonly [parameter: string, elements: string]>> = {
  Observation: ['has-member', 'code,subject,hasMember,extension,focus,specimen,bodySite,method,device'],
  DiagnosticReport: ['specimen', 'subject,result,specimen'],
};

/** Returns the records of answers. An answer that was refused has none. */
const readIn = (answers: readonly Answer[]): Resource[] =>
  answers.filter(({ status }) => status === 200).flatMap((answer) => pageOf(answer).matches);

/** Yields the searches for the patient, and for the panels and reports that say more of results, and returns them. */
function* sourcesOf(call: ToolCall, patient: string): Generator<string[], Resource[], Answer[]> {
  const searches = Object.entries(SOURCES).flatMap(([type, [name, elements]]) => {
    const [ofPatient, having] = [['patient', patient] as const, [`${name}:missing`, 'false'] as const];
    const asked = [ofPatient, having, ['_elements', elements], ['_count', '1000']] as const;
    return call.types.includes(type) ? searchOf(type, asked) : [];
  });
  if (call.types.includes('Patient')) searches.push(searchOf('Patient', [['_id', patient]]));
  return searches.length > 0 ? readIn(yield searches) : [];
}

/** Yields the searches for the records to which records refer without a name, and returns them. */
function* targetsOf(call: ToolCall, records: readonly Resource[]): Generator<string[], Resource[], Answer[]> {
  const addresses = new Set(records.flatMap(namelessReferences).map(({ to }) => `/${referredAddress(to.reference)}`));
  const searches = READ.filter((type) => call.types.includes(type)).flatMap((type) => {
    const ids = [...addresses].flatMap((address) => address.split(`/${type}/`)[1] ?? []);
    const search = (some: string[]): string =>
      searchOf(type, [
        ['_id', some.join(',')],
        ['_count', `${MOST}`],
      ]);
    return ids.flatMap((_, i) => (i % MOST === 0 ? search(ids.slice(i, i + MOST)) : []));
  });
  return searches.length > 0 ? readIn(yield searches.slice(0, MOST_SEARCHES)) : [];
}

/**
 * Yields the searches for what records refer to, and for what panels and reports say of results. Returns the records
 * with these facts, and all that is known.
 */
export function* withTargets(
  call: ToolCall,
  patient: string | undefined,
  records: readonly Resource[],
): Generator<string[], { all: Resource[]; known: Resource[] }, Answer[]> {
  const hasResults = records.some((one) => isOfType('Observation', one));
  const sources = hasResults && patient !== undefined ? yield* sourcesOf(call, patient) : [];
  const known = [...records, ...(yield* targetsOf(call, [...records, ...sources]))];
  const named = namedBy(known);
  const [person] = ofType('Patient', sources);
  return { all: related(withSources(records, sources.map(named)), () => person, named), known };
}
