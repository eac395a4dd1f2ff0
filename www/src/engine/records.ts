//! Records that the compiled engine holds, searched under the grant of each call.

import { Chart, Scopes } from '../../pkg/edgechart.js';
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

export class Records {
  readonly #chart: Chart;
  /** The grant that the chart is open for, as JSON. */
  #authorized: string | undefined;

  constructor(base: string) {
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

  /** The number of records whose patient is not known, by type. */
  nobodys(): Record<string, number> {
    return this.#chart.nobodys();
  }

  /** The ids of patients who have records, and of whom there is no Patient. */
  absentPatients(): string[] {
    return [...new Set(this.#chart.absentPatients())].sort();
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
