//! The medications to which records refer without their names.

import { referredAddress } from '../fhir/record-address.ts';
import { namelessReferences } from '../fhir/reference-names.ts';
import type { Resource } from '../fhir/types.ts';
import { type Answer, pageOf, type ToolCall } from './call.ts';
import { searchOf } from './result.ts';

/** The most medications that are read. */
const MOST = 100;

/** Yields the search for the medications to which records refer without a name, and returns them. */
export function* medicationsOf(
  call: ToolCall,
  records: readonly Resource[],
): Generator<string[], Resource[], Answer[]> {
  const nameless = records.flatMap(namelessReferences).filter(({ element }) => element === 'medicationReference');
  const addresses = nameless.map(({ to }) => referredAddress(to.reference));
  const ids = new Set(addresses.flatMap((address) => /^Medication\/(.+)$/.exec(address)?.[1] ?? []));
  if (ids.size === 0 || !call.types.includes('Medication')) return [];
  const [answer] = yield [
    searchOf('Medication', [
      ['_id', [...ids].slice(0, MOST).join(',')],
      ['_count', `${MOST}`],
    ]),
  ];
  return pageOf(answer).matches;
}
