//! The state of the search playground, and what its buttons do. Nothing here draws.

import { engine } from '../../engine/client.ts';
import type { Explanation, Grant, RecordsName } from '../../engine/types.ts';
import { t } from '../../language/message.ts';
import { replaceFragment } from '../../routes.ts';
import { debounced, yieldToPage } from '../../scheduling.ts';
import { type SearchedType, searchedTypes } from '../../search/capabilities.ts';
import { type Comparison, compareAnswers, median } from '../../search/compare.ts';
import { type Example, loadExamples } from '../../search/examples.ts';
import { keepSearch, pastSearches, pastSearchOf } from '../../search/history.ts';
import { type DiffLine, differentLines } from '../../search/lines.ts';
import { searchFragment } from '../../search/link.ts';
import { formatQuery, parseQuery, type Query } from '../../search/query.ts';
import { type BackendToken, requestBackendToken } from '../../smart/backend.ts';
import { BASE } from '../../smart/server.ts';
import { session } from '../../smart/session.ts';
import { edge, encodedQuery } from '../../source/edge.ts';
import { files } from '../../source/files.ts';
import { errorText, exchange } from '../../source/http.ts';
import { local, ofFiles } from '../../source/local.ts';
import type { Exchange } from '../../source/source.ts';
import { PLACES, type Run, resourceOf, runAnswers } from './run.ts';

export type Place = 'edge' | 'local';
/** One of the two answers that are shown side by side. */
export type Side = 'first' | 'second';

/** One example of a run over all of them. */
export interface SweepLine {
  example: Example;
  local: Exchange;
  edge?: Exchange;
  comparison?: Comparison;
}

/** The runs whose answers are kept in memory. */
const KEPT_RUNS = 20;
const FIRST_QUERY = 'Observation?patient=amara-okafor&category=laboratory&date=ge2026-01-01';

/** The first query of opened files: something of their first patient. */
function firstQueryOfFiles(): string {
  const { value } = files;
  const patient = value.is === 'open' ? value.patient : undefined;
  return patient === undefined ? 'Patient?name=' : `Condition?patient=${patient}`;
}

export class SearchModel {
  /** The records that are searched in this browser. */
  records: RecordsName = 'sample';
  /** The query as it is typed. */
  text: string;
  types: SearchedType[] = [];
  examples: Example[] = [];
  explanation: Explanation | undefined;
  /** The token that was taken from the sandbox, instead of the session's. */
  backend: BackendToken | undefined;
  /** The number of times that a search is run. */
  times = 1;
  busy: Place | 'both' | 'all' | undefined;
  problem: string | undefined;
  /** The runs of this page, newest first. Their answers are kept in memory alone. */
  runs: Run[] = [];
  /** The runs that are shown side by side. */
  shown: { [S in Side]?: Run } = {};
  comparison: Comparison | undefined;
  /** The side whose answer is shown in full. */
  full: Side = 'first';
  /** The different lines of the resources that were looked at, by address. */
  lines = new Map<string, DiffLine[]>();
  sweep: SweepLine[] | undefined;
  readonly #redraw: () => void;
  readonly #explainSoon: () => void;
  #explanations = 0;
  #lastNumber = 0;
  #left = false;
  readonly #stop: () => void;

  constructor(text: string | null, redraw: () => void) {
    if (text === null && files.value.is === 'open') this.records = 'files';
    this.text = text ?? (this.records === 'files' ? firstQueryOfFiles() : FIRST_QUERY);
    this.#redraw = redraw;
    this.#explainSoon = debounced(() => void this.explain(), 140);
    this.#stop = pastSearches.watch(redraw);
    void this.#fetchTypes();
    if (this.records === 'sample') this.#fetchExamples();
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
    this.#show({});
    this.sweep = undefined;
    this.#redraw();
    this.#explainSoon();
  }

  /** Searches other records, from their first query on. */
  searchIn(records: RecordsName): void {
    this.records = records;
    if (records === 'sample' && this.examples.length === 0) this.#fetchExamples();
    this.setText(records === 'files' ? firstQueryOfFiles() : FIRST_QUERY);
  }

  /** The address of the search at the server. */
  get url(): string {
    return `${BASE}/${encodedQuery(this.text.trim())}`;
  }

  /** True if there is a token for the edge. */
  get authorized(): boolean {
    return this.backend !== undefined || session.value !== undefined;
  }

  /** Another page is open: its address is not for this one to write. */
  leave(): void {
    this.#left = true;
    this.#stop();
  }

  async explain(): Promise<void> {
    if (this.#left) return;
    const mine = ++this.#explanations;
    // An address stays in the history: a query on a user's own files is not for it.
    replaceFragment(this.records === 'files' ? '/search' : searchFragment(this.text));
    try {
      const { value } = await engine('explain', encodedQuery(this.text), this.#grant(), BASE);
      if (mine === this.#explanations) this.explanation = value;
    } catch {
      this.explanation = undefined;
    }
    this.#redraw();
  }

  async run(where: Place | 'both'): Promise<void> {
    this.busy = where;
    this.#show({});
    this.problem = undefined;
    this.sweep = undefined;
    this.#redraw();
    const query = this.text.trim();
    try {
      // One after the other: each has the machine to itself, so that the times can be compared.
      if (where !== 'edge') {
        this.#show({ first: await this.#repeat(query, () => this.#askLocal(query)) });
        this.#redraw();
      }
      if (where !== 'local') {
        const run = await this.#repeat(query, () => this.#askEdge(query));
        this.#show(where === 'edge' ? { first: run } : { ...this.shown, second: run });
      }
    } catch (error) {
      this.problem = errorText(error);
    }
    this.busy = undefined;
    this.#redraw();
  }

  /** Shows a run of this page at a side, by its number. */
  choose(side: Side, number: number): void {
    const { [side]: _, ...others } = this.shown;
    const run = this.runs.find((one) => one.number === number);
    this.#show(run ? { ...others, [side]: run } : others);
    this.#redraw();
  }

  /** Compares the lines of a resource that both answers have. */
  compareLines(address: string): void {
    const { first, second } = this.shown;
    if (!first || !second || this.lines.has(address)) return;
    const [a, b] = [first, second].map(({ exchange: { body } }) => resourceOf(body, address));
    this.lines.set(address, differentLines(a, b));
    this.#redraw();
  }

  /** Runs every example, at the edge too where it can be asked. Another question ends it. */
  async runExamples(): Promise<void> {
    this.busy = 'all';
    this.#show({});
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
    this.full = this.full === 'first' ? 'second' : 'first';
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

  #fetchExamples(): void {
    loadExamples().then(
      (examples) => this.#update(() => (this.examples = examples)),
      () => undefined,
    );
  }

  #grant(): Grant | undefined {
    if (this.records === 'files') return undefined;
    if (this.backend) return { scopes: this.backend.scope, client: 'backend-basic' };
    return session.value ? edge().grant : undefined;
  }

  #askEdge(query: string): Promise<Exchange> {
    if (!this.backend) return edge().search(query);
    const headers = { Accept: 'application/fhir+json', Authorization: `Bearer ${this.backend.token}` };
    return exchange(`${BASE}/${encodedQuery(query)}`, { headers });
  }

  #askLocal(query: string): Promise<Exchange> {
    const { value } = files;
    const source = this.records === 'files' && value.is === 'open' ? ofFiles(value.load) : local(this.#grant());
    return source.search(encodedQuery(query));
  }

  #show(shown: { [S in Side]?: Run }): void {
    const { first, second } = shown;
    this.shown = shown;
    this.full = 'first';
    this.lines = new Map();
    this.comparison = first && second && compareAnswers(...runAnswers([first, second]));
  }

  async #repeat(query: string, ask: () => Promise<Exchange>): Promise<Run> {
    const first = await ask();
    const times = [first.ms];
    for (let i = 1; i < this.times && first.status === 200; i += 1) {
      times.push((await ask()).ms);
      await yieldToPage();
    }
    const run = { number: ++this.#lastNumber, query, exchange: first, times };
    this.runs = [run, ...this.runs].slice(0, KEPT_RUNS);
    // The history stays on the device: a query on a user's own files is not for it either.
    if (this.records === 'sample') keepSearch(pastSearchOf(query, first, median(times)));
    return run;
  }

  async #runExample(example: Example, withEdge: boolean): Promise<SweepLine> {
    const atLocal = await this.#askLocal(example.query);
    if (!withEdge) return { example, local: atLocal };
    const atEdge = await this.#askEdge(example.query);
    return {
      example,
      local: atLocal,
      edge: atEdge,
      comparison: compareAnswers(
        { ...atEdge, name: t(PLACES.edge), query: example.query },
        { ...atLocal, name: t(PLACES.local), query: example.query },
      ),
    };
  }

  /** Without the types, a query is written by hand alone. */
  async #fetchTypes(): Promise<void> {
    const types = await searchedTypes().catch(() => []);
    this.#update(() => (this.types = types));
  }

  #update(change: () => void): void {
    change();
    this.#redraw();
  }
}
