//! The state of the search playground, and what its buttons do. Nothing here draws.

import { computed, type Signal, signal } from '@preact/signals-core';
import { setWhenDone } from '../../drawing.ts';
import { engine } from '../../engine/client.ts';
import type { Explanation, Grant, RecordsName } from '../../engine/types.ts';
import { attempt } from '../../error-text.ts';
import type { Exchange } from '../../http/exchange.ts';
import { replaceFragment } from '../../routes.ts';
import { debounced, yieldToPage } from '../../scheduling.ts';
import { type Comparison, compareAnswers } from '../../search/compare.ts';
import { type Example, loadExamples } from '../../search/examples.ts';
import { nextPageOf } from '../../search/found-text.ts';
import { searchFragment } from '../../search/link.ts';
import { formatQuery, parseQuery, type Query } from '../../search/query.ts';
import { askWithSandboxToken, takeSandboxToken } from '../../smart/backend.ts';
import { sandboxToken } from '../../smart/sandbox-token.ts';
import { BASE } from '../../smart/server.ts';
import { session } from '../../smart/session.ts';
import { files } from '../../source/files.ts';
import { filesSource, local } from '../../source/local.ts';
import { type SearchedType, searchedTypes, serverIndex } from '../../source/searched-types.ts';
import { encodedQuery, searchAnew, server } from '../../source/server.ts';

export type Place = 'edge' | 'local';
/** One of the two answers that are shown side by side. */
export type Side = 'first' | 'second';

/** A search that was run, once or several times: its first exchange, and the time of each in milliseconds. */
export interface Run {
  query: string;
  exchange: Exchange;
  times: number[];
}

type ShownRuns = { readonly [S in Side]?: Run };

/** The answers to one example, in a run of all examples. */
export interface SweepLine {
  example: Example;
  local: Exchange;
  edge?: Exchange;
  comparison?: Comparison;
}

const FIRST_QUERY = 'Observation?patient=amara-okafor&category=laboratory&date=ge2026-01-01';

/** Returns the first query for opened files: the conditions of their first patient. */
function firstQueryOfFiles(): string {
  const { value } = files;
  const patient = value.is === 'open' ? value.patient : undefined;
  return patient === undefined ? 'Patient?name=' : `Condition?patient=${patient}`;
}

export class SearchModel {
  /** The records that are searched in this browser. */
  readonly records: Signal<RecordsName>;
  /** The query as it is typed. */
  readonly text: Signal<string>;
  readonly types = signal<SearchedType[]>([]);
  readonly examples = signal<Example[]>([]);
  readonly explanation = signal<Explanation | undefined>(undefined);
  /** The token that was taken from the sandbox, instead of the session's. */
  readonly backend = sandboxToken;
  /** The number of times that a search is run. */
  readonly times = signal(1);
  readonly busy = signal<Place | 'both' | 'all' | undefined>(undefined);
  readonly problem = signal<string | undefined>(undefined);
  /** The runs that are shown side by side. */
  readonly shown = signal<ShownRuns>({});
  readonly comparison = computed(() => comparisonOf(this.shown.value));
  /** The side whose answer is shown in full. */
  readonly full = signal<Side>('first');
  readonly sweep = signal<readonly SweepLine[] | undefined>(undefined);
  readonly #explainSoon: () => void;
  #explanations = 0;
  #isGivenBack = false;

  constructor(text: string | null) {
    const isOfFiles = text === null && files.value.is === 'open';
    this.records = signal(isOfFiles ? 'files' : 'sample');
    this.text = signal(text ?? (isOfFiles ? firstQueryOfFiles() : FIRST_QUERY));
    this.#explainSoon = debounced(() => void this.explain(), 140);
    void this.#fetchTypes();
    if (!isOfFiles) this.#fetchExamples();
    void this.explain();
  }

  get query(): Query {
    return parseQuery(this.text.value);
  }

  set query(next: Query) {
    this.setText(formatQuery(next));
  }

  setText(next: string): void {
    this.text.value = next;
    this.#show({});
    this.sweep.value = undefined;
    this.#explainSoon();
  }

  /** Switches to other records, and to the first query for them. */
  searchIn(records: RecordsName): void {
    this.records.value = records;
    if (records === 'sample' && this.examples.value.length === 0) this.#fetchExamples();
    this.setText(records === 'files' ? firstQueryOfFiles() : FIRST_QUERY);
  }

  /** The address of the search at the server. */
  get url(): string {
    return `${BASE}/${encodedQuery(this.text.value.trim())}`;
  }

  /** The place where a query runs by default. The files of the user are only in this browser. */
  get mainPlace(): Place {
    return this.records.value === 'files' ? 'local' : 'edge';
  }

  /** True if there is a token for the server. */
  get authorized(): boolean {
    return this.backend.value !== undefined || session.value !== undefined;
  }

  async explain(): Promise<void> {
    const mine = ++this.#explanations;
    // The address stays in the browser's history, so it must not have a query on the user's own files.
    replaceFragment(this.records.value === 'files' ? '/search' : searchFragment(this.text.value));
    try {
      const index = await this.#index();
      const { value } = await engine('explain', encodedQuery(this.text.value), this.#grant(), BASE, index);
      if (mine === this.#explanations) this.explanation.value = value;
    } catch {
      if (mine === this.#explanations) this.explanation.value = undefined;
    }
  }

  async run(where: Place | 'both'): Promise<void> {
    this.#show({});
    this.sweep.value = undefined;
    const query = this.text.value.trim();
    await this.#asking(where, async () => {
      if (where !== 'local') await this.#takeTokenOnce();
      // The runs are sequential, so that they do not slow each other and their times can be compared.
      if (where !== 'edge') this.#show({ first: await this.#repeat(query, () => this.#askLocal(query)) });
      if (where !== 'local') {
        const run = await this.#repeat(query, () => this.#askEdge(query));
        this.#show(where === 'edge' ? { first: run } : { ...this.shown.value, second: run });
      }
    });
  }

  /** Requests the page that follows the answer of a run, at the same place, and shows only that page. */
  async runNext({ exchange: { where, body } }: Run): Promise<void> {
    const next = nextPageOf(body);
    if (next === undefined) return;
    const below = `${new URL(BASE).pathname}/`;
    const query = next.slice(next.indexOf(below) + below.length);
    const ask = (): Promise<Exchange> => (where === 'edge' ? this.#askEdge(query) : this.#askLocal(query));
    await this.#asking(where, async () => this.#show({ first: await this.#repeat(query, ask) }));
  }

  async #asking(where: Place | 'both', run: () => Promise<void>): Promise<void> {
    this.busy.value = where;
    await attempt(this.problem, run);
    this.busy.value = undefined;
  }

  /** Runs every example in this browser, and with a token also at the edge. Another query stops it. */
  async runExamples(): Promise<void> {
    this.busy.value = 'all';
    this.#show({});
    let shown: readonly SweepLine[] = [];
    this.sweep.value = shown;
    const lines: SweepLine[] = [];
    const { value: examples } = this.examples;
    const withEdge = this.authorized;
    for (const example of examples) {
      if (this.sweep.value !== shown) break;
      lines.push(await this.#runExample(example, withEdge));
      if (this.sweep.value === shown && (lines.length % 8 === 0 || lines.length === examples.length)) {
        shown = [...lines];
        this.sweep.value = shown;
      }
      await yieldToPage();
    }
    this.busy.value = undefined;
  }

  showOther(): void {
    this.full.value = this.full.value === 'first' ? 'second' : 'first';
  }

  async takeBackendToken(): Promise<void> {
    await attempt(this.problem, takeSandboxToken);
    void this.explain();
  }

  returnBackendToken(): void {
    this.backend.value = undefined;
    this.#isGivenBack = true;
    void this.explain();
  }

  /** Takes a token for the server if there is neither a token nor a session, unless the user gave one back. */
  async #takeTokenOnce(): Promise<void> {
    if (this.authorized || this.#isGivenBack) return;
    // A server that is no sandbox gets the query without a token, and says what it needs.
    await takeSandboxToken().catch(() => undefined);
    void this.explain();
  }

  #fetchExamples(): void {
    setWhenDone(this.examples, loadExamples());
  }

  #grant(): Grant | undefined {
    if (this.records.value === 'files') return undefined;
    const { value: backend } = this.backend;
    if (backend) return { scopes: backend.scope, client: 'backend-basic' };
    return session.value ? server().grant : undefined;
  }

  async #askEdge(query: string): Promise<Exchange> {
    return this.backend.value ? askWithSandboxToken(`${BASE}/${encodedQuery(query)}`) : searchAnew(query);
  }

  async #askLocal(query: string): Promise<Exchange> {
    const { value } = files;
    if (this.records.value === 'files' && value.is === 'open')
      return filesSource(value.load).search(encodedQuery(query));
    return local(this.#grant(), await this.#index()).search(encodedQuery(query));
  }

  /** Returns the server's set of search parameters. The sample uses it too, so that both refuse the same queries. */
  async #index(): Promise<string | undefined> {
    return this.records.value === 'files' ? undefined : serverIndex().catch(() => undefined);
  }

  #show(shown: ShownRuns): void {
    this.shown.value = shown;
    this.full.value = 'first';
  }

  async #repeat(query: string, ask: () => Promise<Exchange>): Promise<Run> {
    const first = await ask();
    const times = [first.ms];
    for (let i = 1; i < this.times.value && first.status === 200; i += 1) {
      times.push((await ask()).ms);
      await yieldToPage();
    }
    return { query, exchange: first, times };
  }

  async #runExample(example: Example, withEdge: boolean): Promise<SweepLine> {
    const atLocal = await this.#askLocal(example.query);
    if (!withEdge) return { example, local: atLocal };
    const atEdge = await this.#askEdge(example.query);
    return {
      example,
      local: atLocal,
      edge: atEdge,
      comparison: compareAnswers({ ...atEdge, query: example.query }, { ...atLocal, query: example.query }),
    };
  }

  /** Fetches the types. Without them, a query can only be typed. */
  async #fetchTypes(): Promise<void> {
    this.types.value = await searchedTypes().catch(() => []);
  }
}

const comparisonOf = ({ first, second }: ShownRuns): Comparison | undefined =>
  first &&
  second &&
  compareAnswers({ ...first.exchange, query: first.query }, { ...second.exchange, query: second.query });
