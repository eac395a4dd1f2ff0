//! The records to which others refer without their names: medications, and what tells results apart.

import { referredAddress } from '../fhir/record-address.ts';
import { namelessReferences } from '../fhir/reference-names.ts';
import type { Resource } from '../fhir/types.ts';
import { type Answer, pageOf, type ToolCall } from './call.ts';
import { searchOf } from './result.ts';

/** The elements whose targets are read, with the type of the target. */
const READ: Readonly<Record<string, string>> = {
  medicationReference: 'Medication',
  specimen: 'Specimen',
  device: 'Device',
  valueReference: 'BodyStructure',
};
/** The most records of a search, and the most searches: a round has 16 requests at most. */
const MOST = 100;
const MOST_SEARCHES = 16;

/** Yields the searches for the records to which records refer without a name, and returns them. */
export function* targetsOf(call: ToolCall, records: readonly Resource[]): Generator<string[], Resource[], Answer[]> {
  const nameless = records.flatMap(namelessReferences);
  const searches = Object.entries(READ).flatMap(([name, type]) => {
    const all = nameless.flatMap(({ element, to }) =>
      element === name ? (referredAddress(to.reference).split(`${type}/`)[1] ?? []) : [],
    );
    const ids = call.types.includes(type) ? [...new Set(all)] : [];
    const search = (some: string[]): string =>
      searchOf(type, [
        ['_id', some.join(',')],
        ['_count', `${MOST}`],
      ]);
    return ids.flatMap((_, i) => (i % MOST === 0 ? search(ids.slice(i, i + MOST)) : []));
  });
  if (searches.length === 0) return [];
  const answers = yield searches.slice(0, MOST_SEARCHES);
  return answers.filter(({ status }) => status === 200).flatMap((answer) => pageOf(answer).matches);
}
