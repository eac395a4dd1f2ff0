//! The records behind a chart: each search is made once, several sections may read it, and each says its state by itself.

import { engine } from '../engine/client.ts';
import type { Cell, ScopeRow } from '../engine/types.ts';
import { breath } from '../frame.ts';
import { everyPage, Failed, type Exchange, type Found, type Source } from '../source/source.ts';
import type { Resource } from '../fhir/types.ts';

export type State =
  | { is: 'waiting' }
  | { is: 'withheld'; why: string }
  | { is: 'failed'; exchange: Exchange | undefined; says: string }
  | { is: 'there'; found: Found };

/** How many searches are under way at a time: the first sections must not wait for the last. */
const AT_ONCE = 4;

export class ChartStore {
  readonly #states = new Map<string, State>();
  readonly #queue: { key: string; type: string; query: string }[] = [];
  readonly #rows: Promise<Map<string, ScopeRow> | undefined>;
  #running = 0;

  constructor(
    readonly source: Source,
    readonly patient: string,
    readonly changed: () => void,
  ) {
    const { grant } = source;
    this.#rows = grant
      ? engine('scopes', grant.scopes, grant.patient).then(
          ({ value }) => new Map(value.matrix.map((row) => [row.type, row])),
        )
      : Promise.resolve(undefined);
  }

  /** The state of a search of that type; the first time, it is made. `{patient}` stands for the patient. */
  of(query: string): State {
    const known = this.#states.get(query);
    if (known) return known;
    const state: State = { is: 'waiting' };
    this.#states.set(query, state);
    const [type = ''] = query.split(/[?/]/);
    this.#queue.push({ key: query, type, query: query.replaceAll('{patient}', this.patient) });
    void this.#work();
    return state;
  }

  again(query: string): void {
    this.#states.delete(query);
    this.of(query);
    this.changed();
  }

  /** Drops what was not asked yet. */
  stop(): void {
    this.#queue.length = 0;
  }

  /** What the scopes open of a type; nothing where there are no scopes to ask. */
  async cell(type: string, action: 'read' | 'search'): Promise<Cell | undefined> {
    return (await this.#rows)?.get(type)?.[action];
  }

  /** The resources of all that was found, by address: for references between them. */
  known(address: string): Resource | undefined {
    for (const state of this.#states.values()) {
      if (state.is !== 'there') continue;
      const { matches, included } = state.found;
      const found = [...matches, ...included].find(({ resourceType, id }) => `${resourceType}/${id}` === address);
      if (found) return found;
    }
    return undefined;
  }

  async #work(): Promise<void> {
    if (this.#running >= AT_ONCE) return;
    const next = this.#queue.shift();
    if (!next) return;
    this.#running += 1;
    const state = await this.#ask(next.type, next.query);
    await breath();
    this.#states.set(next.key, state);
    this.#running -= 1;
    this.changed();
    void this.#work();
  }

  async #ask(type: string, query: string): Promise<State> {
    try {
      const read = !query.includes('?');
      const cell = await this.cell(type, read ? 'read' : 'search');
      if (cell && !cell.open) return { is: 'withheld', why: sentence(cell.why ?? `No scope opens ${type}.`) };
      if (!read) return { is: 'there', found: await everyPage(this.source, query) };
      const exchange = await this.source.read(query);
      if (exchange.status !== 200) throw new Failed(exchange);
      return {
        is: 'there',
        found: { matches: [exchange.body as Resource], included: [], exchanges: [exchange], more: false },
      };
    } catch (error) {
      return {
        is: 'failed',
        exchange: error instanceof Failed ? error.exchange : undefined,
        says: error instanceof Error ? error.message : String(error),
      };
    }
  }
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
