//! The records behind a chart: each search is made once, and every section that needs it reads the same answer.

import { computed, signal } from '@preact/signals-core';
import { engine } from '../engine/client.ts';
import type { Cell, Grant, ScopeRow } from '../engine/types.ts';
import { errorText } from '../error-text.ts';
import { recordAddress, referredAddress } from '../fhir/record-address.ts';
import { isOfType, type Resource, type ResourceOf, type ResourceType } from '../fhir/types.ts';
import type { Exchange } from '../http/exchange.ts';
import { language } from '../language/language.ts';
import { t } from '../language/message.ts';
import { yieldToPage } from '../scheduling.ts';
import { isNamed } from '../smart/scopes.ts';
import { type AskedPlan, type Obstacle, planOf, withoutText } from '../source/abilities.ts';
import { medicationQueries, missingMedications } from '../source/medications.ts';
import { allPages, ExchangeError, noResult, resourceIn, type SearchResult, type Source } from '../source/source.ts';

/** A search of the chart, from the question to the records. */
export type SearchState =
  | { is: 'waiting' }
  | { is: 'withheld'; why: string }
  /** The server cannot do it, so nothing was requested. */
  | { is: 'not offered'; obstacle: Obstacle }
  | { is: 'failed'; exchange: Exchange | undefined; says: string }
  | { is: 'loaded'; found: SearchResult };

/** The number of searches under way at a time: the first sections must not wait for the last. */
const AT_ONCE = 6;

const WAITING: SearchState = { is: 'waiting' };

export class ChartStore {
  readonly source: Source;
  readonly patient: string;
  /** The searches and reads that were begun, in their order. */
  readonly #begun = new Set<string>();
  readonly #answers = signal<ReadonlyMap<string, SearchState>>(new Map());
  readonly #all = computed(() => this.#loaded());
  readonly #queue: string[] = [];
  /** The permissions of the source's scopes, by type. */
  #permissions: Promise<Map<string, ScopeRow>> | undefined;
  #running = 0;

  constructor(source: Source, patient: string) {
    this.source = source;
    this.patient = patient;
  }

  /** Begins a search or a read where it is not begun yet, and returns its state. `{patient}` stands for the patient. */
  load(query: string): SearchState {
    const answer = this.#answers.value.get(query);
    if (answer) return answer;
    if (!this.#begun.has(query)) {
      this.#begun.add(query);
      this.#queue.push(query);
      void this.#work();
    }
    return WAITING;
  }

  retry(query: string): void {
    this.#begun.delete(query);
    const others = new Map(this.#answers.value);
    others.delete(query);
    this.#answers.value = others;
    this.load(query);
  }

  /** Drops the searches that are not under way yet. */
  cancelPending(): void {
    this.#queue.length = 0;
  }

  /**
   * Returns the permission for a type; nothing for a source without scopes, and for a type that a scope names. Nobody
   * waits for the engine to be told of such a type.
   */
  async permission(type: string, action: 'read' | 'search'): Promise<Cell | undefined> {
    const { grant } = this.source;
    if (!grant || isNamed(type, grant)) return undefined;
    this.#permissions ??= permissionsOf(grant);
    return (await this.#permissions).get(type)?.[action];
  }

  /** All resources that were loaded, each once, by `Type/id`. */
  all(): ReadonlyMap<string, Resource> {
    return this.#all.value;
  }

  #loaded(): ReadonlyMap<string, Resource> {
    const { value: answers } = this.#answers;
    const resources = [...this.#begun].flatMap((query) => {
      const state = answers.get(query);
      return state?.is === 'loaded' ? [...state.found.matches, ...state.found.included] : [];
    });
    return new Map(resources.map((one) => [recordAddress(one), one]));
  }

  /** The number of searches and reads that have been answered. */
  get answered(): number {
    return this.#answers.value.size;
  }

  /** Finds a resource by `Type/id` among all that was loaded. */
  find(address: string): Resource | undefined {
    return this.all().get(address);
  }

  /** Finds the resource of a type that a reference leads to, relative or absolute. */
  findOfType<T extends ResourceType>(type: T, reference: string | undefined): ResourceOf<T> | undefined {
    const found = this.find(referredAddress(reference));
    return isOfType(type, found) ? found : undefined;
  }

  async #work(): Promise<void> {
    if (this.#running >= AT_ONCE) return;
    const query = this.#queue.shift();
    if (query === undefined) return;
    this.#running += 1;
    const state = await this.#ask(query.replaceAll('{patient}', this.patient));
    await yieldToPage();
    this.#running -= 1;
    this.#answers.value = new Map(this.#answers.value).set(query, state);
    void this.#work();
  }

  async #ask(query: string): Promise<SearchState> {
    try {
      const [type = ''] = query.split(/[?/]/);
      const isSearch = query.includes('?');
      const plan = planOf(query, await this.source.abilities?.());
      if (plan.is === 'impossible') return { is: 'not offered', obstacle: plan.obstacle };
      const permission = await this.permission(type, isSearch ? 'search' : 'read');
      if (permission && !permission.open) {
        return { is: 'withheld', why: sentence(permission.why ?? t('No scope opens {type}.', { type })) };
      }
      return { is: 'loaded', found: await (isSearch ? this.#search(plan) : this.#read(query)) };
    } catch (error) {
      const exchange = error instanceof ExchangeError ? error.exchange : undefined;
      return { is: 'failed', exchange, says: errorText(error) };
    }
  }

  async #search({ query, keep, without }: AskedPlan): Promise<SearchResult> {
    const found = await allPages(this.source, query);
    if (!query.includes('_include=') && !(await this.#addMedications(found))) {
      return { ...found, missing: () => [t('Names of some medications may be missing.')] };
    }
    const missing = (): string[] => without.flatMap((include) => withoutText(include) ?? []);
    return { ...found, missing, ...(keep ? { matches: found.matches.filter(keep) } : {}) };
  }

  /** Asks for the medications that records refer to and that did not come with them. Returns whether it has all. */
  async #addMedications(found: SearchResult): Promise<boolean> {
    const queries = medicationQueries(missingMedications(found));
    if (queries.length === 0) return true;
    const permission = await this.permission('Medication', 'search');
    if (permission && !permission.open) return false;
    try {
      const abilities = await this.source.abilities?.();
      for (const query of queries) {
        if (planOf(query, abilities).is === 'impossible') return false;
        const { matches, exchanges } = await allPages(this.source, query);
        found.included.push(...matches);
        found.exchanges.push(...exchanges);
      }
    } catch {
      return false;
    }
    return missingMedications(found).length === 0;
  }

  async #read(address: string): Promise<SearchResult> {
    const exchange = await this.source.read(address);
    return { ...noResult([exchange]), matches: [resourceIn(exchange)] };
  }
}

async function permissionsOf(grant: Grant): Promise<Map<string, ScopeRow>> {
  const { value } = await engine('scopes', grant.scopes, grant.patient, language());
  return new Map(value.matrix.map((row) => [row.type, row]));
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
