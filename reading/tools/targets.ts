//! The records to which others refer without their names: medications, and what tells results apart; and the panels and
//! reports that say whom their results are about, and the specimen.

import { referredAddress } from '../fhir/record-address.ts';
import { namedBy, namelessReferences } from '../fhir/reference-names.ts';
import { isOfType, ofType, type Patient, type Resource } from '../fhir/types.ts';
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

/** The patient, and the panels and reports that say more of results: how each is found. */
const SOURCES: Readonly<Record<string, string>> = {
  Patient: '_id',
  Observation:
    'has-member:missing=false&_elements=code,subject,hasMember,extension,focus,specimen,bodySite,method,device&patient',
  DiagnosticReport: 'specimen:missing=false&_elements=subject,result,specimen&patient',
};

/** Yields searches, and returns what they find. A search that is refused finds nothing. */
function* foundBy(searches: string[]): Generator<string[], Resource[], Answer[]> {
  const answers = searches.length > 0 ? yield searches.slice(0, MOST_SEARCHES) : [];
  return answers.filter(({ status }) => status === 200).flatMap((answer) => pageOf(answer).matches);
}

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
 * Yields the searches for what records refer to, for what panels and reports say of results, and for their patient if
 * it is not known. Returns the records with these facts, and all that is known.
 */
export function* withTargets(
  call: ToolCall,
  patient: string | undefined,
  records: readonly Resource[],
  person?: Patient,
): Generator<string[], { all: Resource[]; known: Resource[] }, Answer[]> {
  const hasResults = records.some((one) => isOfType('Observation', one));
  const ofPatient = hasResults && patient !== undefined ? Object.entries(SOURCES) : [];
  const open = ofPatient.filter(([type]) => call.types.includes(type) && !(type === 'Patient' && person));
  const sources = yield* foundBy(
    open.map(([type, by]) => `${type}?_count=1000&${by}=${encodeURIComponent(patient ?? '')}`),
  );
  const known = [...records, ...(yield* foundBy(searchesFor(call, [...records, ...sources])))];
  const named = namedBy(known);
  const [of = person] = ofType('Patient', sources);
  return { all: related(withSources(records, sources.map(named)), () => of, named), known };
}
