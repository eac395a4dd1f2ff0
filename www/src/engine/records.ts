//! The records that the compiled engine holds. Each search runs under the grant of its call.

import { Chart, Scopes } from '../../pkg/edgechart.js';
import { withOwnAddresses } from './own-addresses.ts';
import type { Grant, IdList } from './types.ts';

let everything: string | undefined;

/** Returns read scopes for every type that the engine serves. A wildcard scope covers fewer types. */
function everyScope(): string {
  if (everything === undefined) {
    const scopes = new Scopes('system/*.read');
    everything = scopes
      .matrix()
      .map(({ type }) => `system/${type}.read`)
      .join(' ');
    scopes.free();
  }
  return everything;
}

/** Returns a grant whose searches use the parameters of an index set. Without a grant, it covers everything. */
export const grantOfIndex = (grant: Grant | undefined, index: string | undefined): Grant | undefined =>
  index === undefined ? grant : { ...(grant ?? { scopes: everyScope() }), index };

export function countsByType(addresses: string[]): Record<string, number> {
  const counts: Record<string, number> = Object.create(null);
  for (const address of addresses) {
    const [type = ''] = address.split('/');
    counts[type] = (counts[type] ?? 0) + 1;
  }
  return counts;
}

export class Records {
  readonly #chart: Chart;
  readonly #base: string;
  /** The index set and the grant that the chart is open for, as text. */
  #authorized: string | undefined;

  constructor(base: string) {
    this.#base = base;
    this.#chart = new Chart(base);
  }

  load(text: string, now?: string): ReturnType<Chart['load']> {
    return this.#chart.load(text, now);
  }

  /** Returns the chart, opened for a grant (by default for everything) and for the parameters of an index set. */
  for(grant: Grant | undefined, index?: string): Chart {
    const wanted = `${index ?? ''} ${grant ? JSON.stringify(grant) : 'everything'}`;
    const given = grant ?? { scopes: everyScope(), patients: 'all' };
    if (this.#authorized !== wanted) this.#chart.authorize(index === undefined ? given : { ...given, index });
    this.#authorized = wanted;
    return this.#chart;
  }

  counts(): Record<string, number> {
    return this.#chart.counts();
  }

  /** Returns the addresses of a patient's records; without a patient, of the records whose patient is not known. */
  addresses(patient?: string): string[] {
    return this.#chart.addresses(patient);
  }

  /** Returns all records of a patient as NDJSON, regardless of the grant. */
  texts(patient: string): string {
    return withOwnAddresses(this.#chart.texts(patient), this.#base);
  }

  /** Returns the addresses of the records of patients without a Patient resource, by patient id. */
  absent(): Map<string, string[]> {
    const absent = new Map<string, string[]>();
    for (const one of this.#chart.absentPatients()) {
      const [patient = '', address = ''] = one.split(' ');
      const addresses = absent.get(patient) ?? [];
      addresses.push(address);
      absent.set(patient, addresses);
    }
    return absent;
  }

  ids(type: string, most: number): IdList {
    const ids = this.#chart.ids(type);
    return { total: ids.length, ids: ids.slice(0, most) };
  }

  /** Frees the memory. The records cannot be used afterwards. */
  free(): void {
    this.#chart.free();
  }
}
