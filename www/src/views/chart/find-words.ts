//! The words that the app makes of a record, for which a reader may search: the name from a record that it refers to,
//! the dose from its structure, the status and the uncertainty, in the language of the page.

import { cautionOf } from '#reading/fhir/certainty.ts';
import { recordAddress } from '#reading/fhir/record-address.ts';
import { isOfType, type Resource } from '#reading/fhir/types.ts';
import { meaningOf } from '#reading/records/meaning.ts';
import { toldApart } from '#reading/results/told-apart.ts';
import { words } from '../../language/language.ts';

/** The address of a record, its name, and its other words. */
type RecordWords = [address: string, name: string, ...more: string[]];

/** Returns the words of a record; `undefined` if the app makes none. `medications`: those that it may refer to. */
export function wordsFor(resource: Resource, medications: Resource[]): RecordWords | undefined {
  const address = recordAddress(resource);
  // There may be thousands of results. Their values are found as they are recorded.
  if (resource.resourceType === 'Observation') {
    const told = isOfType('Observation', resource) ? toldApart(words(), resource) : [];
    const said = [...told, cautionOf(words(), resource)].flatMap((one) => one ?? []);
    return said.length === 0 ? undefined : [address, '', ...said];
  }
  const { what = '', value, who, status, caution } = meaningOf(words(), resource, medications);
  const more = [...new Set([value, who, status, caution])].filter((words) => words !== undefined && words !== '');
  return what === '' && more.length === 0 ? undefined : [address, what, ...more.map(String)];
}
