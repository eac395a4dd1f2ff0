//! Records that the compiled engine holds, searched under the grant of each call.

import { Chart, Scopes } from '../../pkg/edgechart.js';
import { withOwnAddresses } from './own-addresses.ts';
import type { Grant, IdList } from './types.ts';

let everything: string | undefined;

/** The scopes of every type that the engine serves. A wildcard stands for fewer. */
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

/** A grant whose searches find by the parameters of an index set; without a grant, one for everything. */
export const grantOfIndex = (grant: Grant | undefined, index: string | undefined): Grant | undefined =>
  index === undefined ? grant : { ...(grant ?? { scopes: everyScope() }), index };

/** The number of addresses of each type. */
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
  /** The grant that the chart is open for, as JSON. */
  #authorized: string | undefined;

  constructor(base: string) {
    this.#base = base;
    this.#chart = new Chart(base);
  }

  load(text: string, now?: string): ReturnType<Chart['load']> {
    return this.#chart.load(text, now);
  }

  /** The chart, open for a grant; without one, for everything. It is searched by the parameters of an index set. */
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

  /** The addresses of the records of a patient; without one, of those whose patient is not known. */
  addresses(patient?: string): string[] {
    return this.#chart.addresses(patient);
  }

  /** The records of a patient as NDJSON, whatever the grant. */
  texts(patient: string): string {
    return withOwnAddresses(this.#chart.texts(patient), this.#base);
  }

  /** The addresses of the records of patients of whom there is no Patient, by the id of the patient. */
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

  /** Gives the memory back. The records cannot be used any more. */
  free(): void {
    this.#chart.free();
  }
}
