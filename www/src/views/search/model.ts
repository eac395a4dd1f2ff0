//! The state of the search playground, and what its buttons do. Nothing here draws.

import { engine } from '../../engine/client.ts';
import type { Explanation, Grant } from '../../engine/types.ts';
import { replaceFragment } from '../../routes.ts';
import { debounced, yieldToPage } from '../../scheduling.ts';
import { type SearchedType, searchedTypes } from '../../search/capabilities.ts';
import { type Comparison, compareAnswers } from '../../search/compare.ts';
import { type Example, loadExamples } from '../../search/examples.ts';
import { formatQuery, parseQuery, type Query } from '../../search/query.ts';
import { type BackendToken, requestBackendToken } from '../../smart/backend.ts';
import { BASE } from '../../smart/server.ts';
import { session } from '../../smart/session.ts';
import { edge, encodedQuery } from '../../source/edge.ts';
import { errorText, exchange } from '../../source/http.ts';
import { local } from '../../source/local.ts';
import type { Exchange } from '../../source/source.ts';

export type Side = 'edge' | 'local';

/** A search that was run, once or several times: its first exchange, and the time of each in milliseconds. */
export interface Run {
  first: Exchange;
  times: number[];
}

/** One example of a run over all of them. */
export interface SweepLine {
  example: Example;
  local: Exchange;
  edge?: Exchange;
  comparison?: Comparison;
}

const FIRST_QUERY = 'Observation?patient=amara-okafor&category=laboratory&date=ge2026-01-01';

export class SearchModel {
  /** The query as it is typed. */
  text: string;
  types: SearchedType[] = [];
  examples: Example[] = [];
  explanation: Explanation | undefined;
  /** The token that was taken from the sandbox, instead of the session's. */
  backend: BackendToken | undefined;
  /** The number of times that a search is run. */
  times = 1;
  busy: Side | 'both' | 'all' | undefined;
  problem: string | undefined;
  /** The query that the runs answer. */
  ranQuery = '';
  runs: { [S in Side]?: Run } = {};
  /** The side whose answer is shown in full. */
  shown: Side = 'local';
  sweep: SweepLine[] | undefined;
  readonly #redraw: () => void;
  readonly #explainSoon: () => void;
  #explanations = 0;

  constructor(text: string | null, redraw: () => void) {
    this.text = text ?? FIRST_QUERY;
    this.#redraw = redraw;
    this.#explainSoon = debounced(() => void this.explain(), 140);
    void searchedTypes().then((types) => this.#update(() => (this.types = types)));
    loadExamples().then(
      (examples) => this.#update(() => (this.examples = examples)),
      () => undefined,
    );
    void this.explain();
  }

  get query(): Query {
    return parseQuery(this.text);
  }

  set query(next: Query) {
    this.setText(formatQuery(next));
  }

  setText(next: string): void {
    this.text = next;
    this.runs = {};
    this.sweep = undefined;
    this.#redraw();
    this.#explainSoon();
  }

  /** The address of the search at the server. */
  get url(): string {
    return `${BASE}/${encodedQuery(this.text.trim())}`;
  }

  /** True if there is a token for the edge. */
  get authorized(): boolean {
    return this.backend !== undefined || session.value !== undefined;
  }

  async explain(): Promise<void> {
    const mine = ++this.#explanations;
    replaceFragment(`/search?${new URLSearchParams({ q: this.text })}`);
    try {
      const { value } = await engine('explain', encodedQuery(this.text), this.#grant(), BASE);
      if (mine === this.#explanations) this.explanation = value;
    } catch {
      this.explanation = undefined;
    }
    this.#redraw();
  }

  async run(where: Side | 'both'): Promise<void> {
    this.busy = where;
    this.runs = {};
    this.problem = undefined;
    this.sweep = undefined;
    this.#redraw();
    const query = this.text.trim();
    this.ranQuery = query;
    try {
      // One after the other: each has the machine to itself, so that the times can be compared.
      if (where !== 'edge') {
        this.runs.local = await this.#repeat(() => this.#askLocal(query));
        this.#redraw();
      }
      if (where !== 'local') this.runs.edge = await this.#repeat(() => this.#askEdge(query));
      this.shown = where === 'edge' ? 'edge' : 'local';
    } catch (error) {
      this.problem = errorText(error);
    }
    this.busy = undefined;
    this.#redraw();
  }

  /** Runs every example, at the edge too where it can be asked. Another question ends it. */
  async runExamples(): Promise<void> {
    this.busy = 'all';
    this.runs = {};
    const lines: SweepLine[] = [];
    this.sweep = lines;
    const withEdge = this.authorized;
    for (const example of this.examples) {
      if (this.sweep !== lines) break;
      lines.push(await this.#runExample(example, withEdge));
      if (lines.length % 8 === 0) this.#redraw();
      await yieldToPage();
    }
    this.busy = undefined;
    this.#redraw();
  }

  showOther(): void {
    this.shown = this.shown === 'edge' ? 'local' : 'edge';
    this.#redraw();
  }

  async takeBackendToken(): Promise<void> {
    this.problem = undefined;
    try {
      this.backend = await requestBackendToken();
    } catch (error) {
      this.problem = errorText(error);
    }
    void this.explain();
  }

  returnBackendToken(): void {
    this.backend = undefined;
    void this.explain();
  }

  #grant(): Grant | undefined {
    if (this.backend) return { scopes: this.backend.scope, client: 'backend-basic' };
    return session.value ? edge().grant : undefined;
  }

  #askEdge(query: string): Promise<Exchange> {
    if (!this.backend) return edge().search(query);
    const headers = { Accept: 'application/fhir+json', Authorization: `Bearer ${this.backend.token}` };
    return exchange(`${BASE}/${encodedQuery(query)}`, { headers });
  }

  #askLocal(query: string): Promise<Exchange> {
    return local(this.#grant()).search(encodedQuery(query));
  }

  async #repeat(ask: () => Promise<Exchange>): Promise<Run> {
    const first = await ask();
    const times = [first.ms];
    for (let i = 1; i < this.times && first.status === 200; i += 1) {
      times.push((await ask()).ms);
      await yieldToPage();
    }
    return { first, times };
  }

  async #runExample(example: Example, withEdge: boolean): Promise<SweepLine> {
    const atLocal = await this.#askLocal(example.query);
    if (!withEdge) return { example, local: atLocal };
    const atEdge = await this.#askEdge(example.query);
    return {
      example,
      local: atLocal,
      edge: atEdge,
      comparison: compareAnswers(example.query, atEdge, atLocal),
    };
  }

  #update(change: () => void): void {
    change();
    this.#redraw();
  }
}
