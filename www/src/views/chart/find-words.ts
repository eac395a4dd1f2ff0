//! The words that the app makes of a record, for which a reader may search: the name from a record that it refers to,
//! the dose from its structure, the status and the uncertainty, in the language of the page.

import { cautionOf } from '#reading/fhir/certainty.ts';
import { recordAddress } from '#reading/fhir/record-address.ts';
import type { Resource } from '#reading/fhir/types.ts';
import { meaningOf } from '#reading/records/meaning.ts';
import { words } from '../../language/language.ts';

/** The address of a record, its name, and its other words. */
type RecordWords = [address: string, name: string, ...more: string[]];

/** Returns the words of a record; `undefined` if the app makes none. `medications`: those that it may refer to. */
export function wordsFor(resource: Resource, medications: Resource[]): RecordWords | undefined {
  const address = recordAddress(resource);
  // There may be thousands of results. Their values are found as they are recorded.
  if (resource.resourceType === 'Observation') {
    const caution = cautionOf(words(), resource);
    return caution === undefined ? undefined : [address, '', caution];
  }
  const { what = '', value, status, caution } = meaningOf(words(), resource, medications);
  const more = [...new Set([value, status, caution])].filter((words) => words !== undefined && words !== '');
  return what === '' && more.length === 0 ? undefined : [address, what, ...more.map(String)];
}
