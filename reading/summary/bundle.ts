//! The records of a chart as files: a Bundle of type `collection`, and NDJSON.

import { compact, printed } from '../fhir/json.ts';
import { recordAddress } from '../fhir/record-address.ts';
import type { Resource } from '../fhir/types.ts';

/** Returns an entry of a Bundle, with the same `fullUrl` as on the server. */
export const entryOf = (base: string, resource: Resource): { fullUrl: string; resource: Resource } => ({
  fullUrl: `${base}/${recordAddress(resource)}`,
  resource,
});

/** Returns a Bundle of records. `now` is the time at which it is made. */
export function collection(base: string, resources: Resource[], now: Date): string {
  const entry = resources.map((resource) => entryOf(base, resource));
  return printed({ resourceType: 'Bundle', type: 'collection', timestamp: now.toISOString(), entry });
}

export const ndjson = (resources: Resource[]): string => resources.map((one) => `${compact(one)}\n`).join('');
