//! A section of the chart, as data: its searches, and how it draws their answers.

import type { TemplateResult } from 'lit-html';
import type { Resource } from '#reading/fhir/types.ts';
import type { PlainMessage } from '../language/message.ts';
import type { SearchResult } from '../source/source.ts';
import type { ChartStore, SearchState } from './store.ts';

export interface SectionContent {
  body: TemplateResult;
  /** The one number of the section: its heading and the index say the same. */
  count: number;
  /** The things that are counted, where it is not obvious, in the language of the page. */
  of?: string;
  /** The words of the index, where a number would mislead. */
  brief?: string;
  /** The words of the index for entries that the number does not count: `brief` stands behind them. */
  otherCount?: string;
  /** The words for a main list that is empty: they are said above the content, where nothing is left out. */
  none?: PlainMessage | undefined;
  /**
   * The lack that a section says, and no more: records, or also a section of the document; `untyped` where something is
   * left out that may belong to any section. A print joins such.
   */
  lacks?: 'records' | 'section' | 'untyped' | undefined;
  /** Of a large section: the content with its next part, which a later frame draws. */
  next?: (() => SectionContent) | undefined;
}

export interface Section {
  id: string;
  title: PlainMessage;
  /** `{patient}` stands for the patient. The first search decides the section's state; further ones add to it. */
  queries: string[];
  /**
   * The searches that are not waited for once the others have found something. What they find later must take no more
   * room than was left for it.
   */
  backgroundQueries?: readonly string[];
  /** True where the further searches explain what the first finds, and show nothing of their own. */
  onlyFirstShown?: boolean;
  /** The further searches that do not decide whether nothing is recorded: what they find is of another kind. */
  otherKinds?: string[];
  /**
   * Searches of other sections, of whose records the wanted ones are shown here too. What they leave out is said in
   * those sections. Their answers follow those of `queries`, with the wanted records alone.
   */
  sharedRecords?: { queries: readonly string[]; wanted(records: readonly Resource[]): Resource[] };
  /** The words for an empty answer: what it means, and what it does not. */
  nothing: PlainMessage;
  show(found: SearchResult[], context: SectionContext): SectionContent;
}

/** The means of a section beside its data. */
export interface SectionContext {
  store: ChartStore;
  /** A button that opens a record. `told`: the words beside it, which its mark does not repeat. */
  link(resource: Resource, text: unknown, told?: string): TemplateResult;
}

/** A section with the states of its searches, and what is drawn for them. */
export interface SectionState {
  is: SearchState['is'];
  searches: SearchState[];
  content: SectionContent;
}
