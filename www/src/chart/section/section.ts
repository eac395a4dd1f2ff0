//! A section of the chart as data: its searches, and how it draws their answers.

import type { TemplateResult } from 'lit-html';
import type { Resource } from '#reading/fhir/types.ts';
import type { PlainMessage } from '../../language/message.ts';
import type { SearchResult } from '../../source/source.ts';
import type { ChartStore, SearchState } from '../loading/store.ts';

/**
 * A lack of a section without records: `records`; entries, while words of a document that may be about them are
 * `beside` or `anywhere`; or `untyped` if something is left out that may belong to any section.
 */
export type Lack = 'records' | 'beside' | 'anywhere' | 'untyped';

export interface SectionContent {
  body: TemplateResult;
  /** The number that the heading and the index show. */
  count: number;
  /** The records that the number counts, if the section tells them. */
  records?: readonly Resource[];
  /** The name of the counted things, if it is not obvious, in the language of the page. */
  of?: string;
  /** The words in the index, if a number would mislead. */
  brief?: string;
  /** The words in the index for entries that the number does not count. `brief` follows them. */
  otherCount?: string;
  /** The words for an empty main list. They stand above the content, unless something is left out. */
  none?: PlainMessage | undefined;
  /** Set if the section only says what it lacks. Such sections are joined in one sentence. */
  lacks?: Lack | undefined;
  /** Returns the content with its next part, which a later frame draws. Only for large sections. */
  next?: (() => SectionContent) | undefined;
}

export interface Section {
  id: string;
  title: PlainMessage;
  /** The searches; `{patient}` stands for the patient's id. The first decides the state of the section. */
  queries: string[];
  /**
   * The searches that need not be awaited once others have found something. Their later results must fit into the room
   * that was reserved for them.
   */
  backgroundQueries?: readonly string[];
  /** True if the further searches only explain what the first finds. */
  onlyFirstShown?: boolean;
  /** The further searches for other kinds of records. They do not decide whether the section is empty. */
  otherKinds?: string[];
  /**
   * Searches of other sections whose wanted records are shown here too. Those sections say what the searches leave out.
   * Their answers follow those of `queries`, reduced to the wanted records.
   */
  sharedRecords?: { queries: readonly string[]; wanted(records: readonly Resource[]): Resource[] };
  /** The words for an empty answer. */
  nothing: PlainMessage;
  show(found: SearchResult[], store: ChartStore): SectionContent;
}

/** The state of a section: the states of its searches, and the content that is drawn for them. */
export interface SectionState {
  is: SearchState['is'];
  searches: SearchState[];
  content: SectionContent;
}
