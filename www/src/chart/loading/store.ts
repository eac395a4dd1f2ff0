//! The records behind a chart. Each search is made once, and all sections that need it share the answer.

import { computed, signal } from '@preact/signals-core';
import { isModified } from '#reading/fhir/certainty.ts';
import { isLater, typesOfSearch } from '#reading/fhir/other-types.ts';
import { recordAddress, referredAddress, typeOf } from '#reading/fhir/record-address.ts';
import { withNames } from '#reading/fhir/reference-names.ts';
import { typeWords } from '#reading/fhir/type-words.ts';
import { isOfType, type Patient, type Resource, type ResourceOf, type ResourceType } from '#reading/fhir/types.ts';
import { kept } from '#reading/kept.ts';
import { testKeysOf } from '#reading/results/panels/test-groups.ts';
import { related } from '#reading/results/related.ts';
import { isPanel } from '#reading/results/values/reading.ts';
import { errorText } from '../../error-text.ts';
import type { Exchange } from '../../http/exchange.ts';
import { t, words } from '../../language/message.ts';
import { inTurns, yieldToPage } from '../../scheduling.ts';
import { conditionsOf, conditionText } from '../../smart/scopes.ts';
import { type AskedPlan, type Obstacle, obstacleText, type Plan, planOf, withoutText } from '../../source/abilities.ts';
import { medicationQueries, missingMedications } from '../../source/medications.ts';
import { allPages, ExchangeError, noResult, readResult, type SearchResult, type Source } from '../../source/source.ts';
import { withoutOthers } from '../../source/whose.ts';
import { type WhyWithheld, withheldBy } from '../../source/withheld.ts';
import { askedByCategory, isRefusal, isRefused } from './by-category.ts';
import { OTHER_OBSERVATIONS, placed, placeOfSearch, REPORTS } from './observation-searches.ts';
import { searchTypes, wasRequested } from './other-search.ts';
import { Targets } from './targets.ts';

export type SearchState =
  | { is: 'waiting' }
  /** `wasAsked` is false if the app never requested the scope, so nobody declined it. */
  | { is: 'withheld'; why: string; wasAsked?: boolean }
  /** The server does not support the search, so no request was made. */
  | { is: 'not offered'; obstacle: Obstacle }
  | { is: 'failed'; exchange: Exchange | undefined; says: string }
  | { is: 'loaded'; found: SearchResult };

/** Returns whether a search is complete: it was answered, or the server has no records of the type. */
export const isAnswered = (state: SearchState): boolean =>
  state.is === 'loaded' || (state.is === 'not offered' && state.obstacle.lacks === 'type');

/** Returns the records that a search has found so far. */
export const matchesIn = (state: SearchState | undefined): readonly Resource[] =>
  state?.is === 'loaded' ? state.found.matches : [];

/** The most searches under way at a time: the first sections must not wait for the last ones. */
const AT_ONCE = 6;

/** The category that US Core requires in searches for care plans. Our own server and local records need none. */
export const ASSESSMENT_AND_PLAN = 'category=assess-plan';

const WAITING: SearchState = { is: 'waiting' };
/** The state of a search that is not made yet because its part of the page is out of sight. */
const LATER: SearchState = { is: 'loaded', found: { ...noResult(), later: true } };

/** The resources of an answer with their addresses, kept because all answers are joined again at each new one. */
const addressed = kept(({ matches, included }: SearchResult) =>
  [...matches, ...included].map((one) => [recordAddress(one), one] as const),
);

export class ChartStore {
  readonly source: Source;
  readonly patient: string;
  /** The searches and reads that were started, in order. */
  readonly #begun = new Set<string>();
  readonly #answers = signal<ReadonlyMap<string, SearchState>>(new Map());
  readonly #all = computed(() => this.#loaded());
  readonly #queue: string[] = [];
  #running = 0;
  /** The answers by query: several searches may lead to the same request. */
  readonly #results = new Map<string, Promise<SearchResult>>();
  /** The search for observations of other categories, once it has started. */
  #others: Promise<SearchResult> | undefined;
  /** The patient, once read: the ranges of observations depend on the patient. */
  #patient: Patient | undefined;

  readonly #targets: Targets;
  readonly whyWithheld: WhyWithheld;

  constructor(source: Source, patient: string) {
    this.source = source;
    this.patient = patient;
    this.whyWithheld = withheldBy(source);
    this.#targets = new Targets(source, this.whyWithheld);
  }

  /** Starts a search or a read unless it has started, and returns its state. `{patient}` is the patient's id. */
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

  /** Starts a search unless it has started, and returns the records found so far. */
  found(query: string): readonly Resource[] {
    return matchesIn(this.load(query));
  }

  /** Starts a search unless it has started, and returns the included records found so far. */
  included(query: string): readonly Resource[] {
    const state = this.load(query);
    return state.is === 'loaded' ? state.found.included : [];
  }

  /** Like `load`, but does not start a search that waits until its part of the page is in sight. */
  loadInTime(query: string): SearchState {
    const { value: answers } = this.#answers;
    if (!isLater(query, this.source.name) || this.#begun.has(query)) return answers.get(query) ?? this.load(query);
    return LATER;
  }

  /** Starts a search that waited until its part of the page is in sight, and redraws that part as waiting. */
  begin(query: string): void {
    this.load(query);
    this.#answers.value = new Map(this.#answers.value);
  }

  retry(query: string): void {
    this.#begun.delete(query);
    this.#results.clear();
    this.#others = undefined;
    const others = new Map(this.#answers.value);
    others.delete(query);
    this.#answers.value = others;
    this.load(query);
  }

  /** Drops the searches that are still in the queue. `load` starts them again. */
  cancelPending(): void {
    for (const query of this.#queue.splice(0)) this.#begun.delete(query);
  }

  /** Returns all loaded resources, each once, by `Type/id`. */
  all(): ReadonlyMap<string, Resource> {
    return this.#all.value;
  }

  #loaded(): ReadonlyMap<string, Resource> {
    const { value: answers } = this.#answers;
    return new Map(
      [...this.#begun].flatMap((query) => {
        const state = answers.get(query);
        return state?.is === 'loaded' ? addressed(state.found) : [];
      }),
    );
  }

  /** The finished searches and reads with their states. */
  get answers(): ReadonlyMap<string, SearchState> {
    return this.#answers.value;
  }

  /** The number of finished searches and reads. */
  get answered(): number {
    return this.#answers.value.size;
  }

  /** Finds a loaded resource by `Type/id`. */
  readonly find = (address: string): Resource | undefined =>
    this.all().get(address) ?? this.#targets.findNamed(address);

  /** Finds the loaded resource of a type that a relative or absolute reference points to. */
  findOfType<T extends ResourceType>(type: T, reference: string | undefined): ResourceOf<T> | undefined {
    const found = this.find(referredAddress(reference));
    return isOfType(type, found) ? found : undefined;
  }

  async #work(): Promise<void> {
    if (this.#running >= AT_ONCE) return;
    const query = this.#queue.shift();
    if (query === undefined) return;
    this.#running += 1;
    const state = await this.#related(await this.#ask(query));
    await yieldToPage();
    this.#running -= 1;
    this.#answers.value = new Map(this.#answers.value).set(query, state);
    void this.#work();
  }

  /** Returns records that were read by themselves, whose references have the names of their targets. */
  async named<T extends Resource>(records: readonly T[]): Promise<T[]> {
    await this.#targets.load(records);
    return records.map((one) => withNames(one, this.#targets.find));
  }

  /** An answer whose records have what they tell of each other, and the names of what they refer to. */
  async #related(state: SearchState): Promise<SearchState> {
    if (state.is !== 'loaded') return state;
    const { matches, included } = state.found;
    const all = [...matches, ...included];
    await this.#targets.load(all);
    const isPatient = (one: Resource): one is Patient => isOfType('Patient', one) && one.id === this.patient;
    this.#patient = all.findLast(isPatient) ?? this.#patient;
    // What is looked for in all records at once is found in turns.
    const named: Resource[] = [];
    await inTurns(all, (one) => void named.push(withNames(one, this.#targets.find)));
    const known = related(
      named,
      () => this.#patient,
      (one) => one,
    );
    const prepare = (one: Resource): void => {
      isModified(one);
      if (isOfType('Observation', one)) testKeysOf(one);
    };
    await inTurns(known, prepare);
    const found = { matches: known.slice(0, matches.length), included: known.slice(matches.length) };
    return { ...state, found: { ...state.found, ...found } };
  }

  #planOf = async (wanted: string): Promise<Plan> =>
    planOf(wanted.replaceAll('{patient}', this.patient), await this.source.abilities?.());

  async #ask(wanted: string): Promise<SearchState> {
    const state = await this.#answer(wanted);
    return state.is === 'loaded' ? { ...state, found: this.#withConditions(wanted, state.found) } : state;
  }

  /** Adds to an answer the conditions of its scopes: records that do not meet them were not sent. */
  #withConditions(wanted: string, found: SearchResult): SearchResult {
    const granted = this.source.granted ?? this.source.grant?.scopes;
    if (granted === undefined) return found;
    const narrowed = (typesOfSearch(wanted) ?? [typeOf(wanted)]).map(
      (type) => [type, conditionsOf(type, granted)] as const,
    );
    const all = narrowed.filter(([, conditions]) => conditions.length > 0);
    if (all.length === 0) return found;
    const { ungranted } = found;
    const says = (): string[] =>
      all.map(([type, conditions]) =>
        t('Of {type} only some may be read: {conditions}.', {
          type: typeWords(words(), type),
          conditions: words().listed(conditions.map(conditionText), 'disjunction'),
        }),
      );
    return { ...found, ungranted: () => [...says(), ...(ungranted ? [ungranted()] : [])].join(' ') };
  }

  async #answer(wanted: string): Promise<SearchState> {
    const query = wanted.replaceAll('{patient}', this.patient);
    try {
      const types = typesOfSearch(wanted);
      if (types) {
        const { source, patient, whyWithheld } = this;
        return {
          is: 'loaded',
          found: await searchTypes(source, patient, types, whyWithheld, undefined, this.#pages),
        };
      }
      const type = typeOf(query);
      const isSearch = query.includes('?');
      const asked = this.source.abilities ? wanted : wanted.replace(`&${ASSESSMENT_AND_PLAN}`, '');
      const plan = await this.#planOf(asked);
      if (plan.is === 'impossible') return { is: 'not offered', obstacle: plan.obstacle };
      const why = await this.whyWithheld(type, isSearch ? 'search' : 'read');
      if (why) return { is: 'withheld', why, wasAsked: wasRequested(this.source, type) };
      if (!isSearch) return { is: 'loaded', found: await this.#read(query) };
      const place = placeOfSearch(wanted);
      if (!place) return { is: 'loaded', found: await this.#search(plan) };
      const others = this.#otherObservations();
      const reports = place === 'labs' || place === 'others' ? this.#reports() : [];
      if (wanted === OTHER_OBSERVATIONS) {
        const found = await others;
        return { is: 'loaded', found: placed(place, found, found, await reports) };
      }
      const unread = (): string => t('Observations of other categories could not be read: some may belong here.');
      const notRead = (error: unknown): SearchResult => ({
        ...noResult(error instanceof ExchangeError ? [error.exchange] : []),
        unread,
      });
      const [found, more] = await Promise.all([this.#observations(wanted, plan), others.catch(notRead)]);
      const panels = await this.named(more.matches.filter((one) => isOfType('Observation', one) && isPanel(one)));
      return { is: 'loaded', found: placed(place, found, more, await reports, panels) };
    } catch (error) {
      const exchange = error instanceof ExchangeError ? error.exchange : undefined;
      return { is: 'failed', exchange, says: errorText(error) };
    }
  }

  /** Returns the observations of other categories, or of none. All sections of observations wait for this answer. */
  #otherObservations(): Promise<SearchResult> {
    if (!this.#others) {
      const asked = this.#planOf(OTHER_OBSERVATIONS).then((plan) => {
        if (plan.is === 'asked') return this.#observations(OTHER_OBSERVATIONS, plan);
        throw new Error(obstacleText(plan.obstacle));
      });
      asked.catch(() => {
        if (this.#others === asked) this.#others = undefined;
      });
      this.#others = asked;
    }
    return this.#others;
  }

  /** Returns the reports, which may contain results. If they cannot be read, the section of reports says so. */
  async #reports(): Promise<readonly Resource[]> {
    try {
      if (await this.whyWithheld('DiagnosticReport', 'search')) return [];
      const plan = await this.#planOf(REPORTS);
      return plan.is === 'asked' ? await this.named((await this.#pages(plan.query)).matches) : [];
    } catch {
      return [];
    }
  }

  /** Searches for observations. If the server refuses the search, asks for each category separately. */
  async #observations(wanted: string, plan: AskedPlan): Promise<SearchResult> {
    const apart = (): Promise<SearchResult | undefined> =>
      askedByCategory(wanted, async (query) => {
        const single = await this.#planOf(query);
        // If the server cannot filter by category, this would repeat the same search.
        return single.is === 'asked' && !single.keep ? this.#search(single) : undefined;
      });
    try {
      const found = await this.#search(plan);
      return isRefusal(found) ? ((await apart()) ?? found) : found;
    } catch (error) {
      const found = isRefused(error) ? await apart() : undefined;
      if (found) return found;
      throw error;
    }
  }

  /** Returns all pages of a search, which is made only once. */
  #pages = (query: string): Promise<SearchResult> => {
    const asked = this.#results.get(query) ?? this.#ofPatient(allPages(this.source, query));
    this.#results.set(query, asked);
    return asked.catch((error: unknown) => {
      this.#results.delete(query);
      throw error;
    });
  };

  /** Removes the records of other patients from the answer of a server. Local searches find only the patient's. */
  async #ofPatient(asked: Promise<SearchResult>): Promise<SearchResult> {
    return this.source.name === 'session' ? withoutOthers(await asked, this.patient) : asked;
  }

  async #search({ query, keep, without }: AskedPlan): Promise<SearchResult> {
    const found = await this.#pages(query);
    if (!query.includes('_include=') && !(await this.#addMedications(found))) {
      return { ...found, missing: () => [t('Names of some medications may be missing.')] };
    }
    const missing = (): string[] => without.flatMap((include) => withoutText(include) ?? []);
    return { ...found, missing, ...(keep ? { matches: found.matches.filter(keep) } : {}) };
  }

  /** Fetches the medications that records refer to and the answer lacks. Returns whether none is missing any more. */
  async #addMedications(found: SearchResult): Promise<boolean> {
    const queries = medicationQueries(missingMedications(found));
    if (queries.length === 0) return true;
    if (await this.whyWithheld('Medication', 'search')) return false;
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
    return readResult(await this.source.read(address));
  }
}
