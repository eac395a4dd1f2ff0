//! The documents of a chart, found by one search, and what they say about each section of the chart.

import {
  type DocumentSection,
  documentsIn,
  type SummaryDocument,
  saysNothing,
} from '#reading/documents/composition.ts';
import { mayListObservations, withObservationWords } from '#reading/documents/observation-words.ts';
import { CURRENT_PROBLEMS, mayHave, PAST_ILLNESS, placeOf, REST } from '#reading/documents/places.ts';
import { standingOf } from '#reading/fhir/certainty.ts';
import { searchOf } from '#reading/fhir/other-types.ts';
import { recordAddress } from '#reading/fhir/record-address.ts';
import { isOfType, type Resource } from '#reading/fhir/types.ts';
import { kept } from '#reading/kept.ts';
import type { Words } from '#reading/language/words.ts';
import { t, words } from '../../language/message.ts';
import { OTHER_OBSERVATIONS } from '../loading/observation-searches.ts';
import type { ChartStore, SearchState } from '../loading/store.ts';

/** The search for the documents. The section of other records uses the same search. */
export const DOCUMENTS = searchOf('Composition');

/** A document with those of its sections that belong to one section of the chart. */
export interface PartOfDocument {
  document: SummaryDocument;
  sections: DocumentSection[];
}

/** The words of the documents, by section of the chart and by entry. */
interface Index {
  documents: SummaryDocument[];
  /** The documents, completed with the words of the observations that their sections list. */
  said: SummaryDocument[];
  /** The sections with words, or with a reason for having no entries, by section of the chart. */
  words: Map<string, PartOfDocument[]>;
  /** The sections that list a record, by its `Type/id`. */
  listed: Map<string, DocumentSection[]>;
}

const NONE: Index = { documents: [], said: [], words: new Map(), listed: new Map() };
/** The indexes by the answer with the documents, each with the language and the records that it depends on. */
const indexes = new WeakMap<SearchState, { index: Index; of: Words; all: unknown }>();

/** Returns whether a section has words, or a reason for having no entries. */
const says = ({ div, emptyReason }: DocumentSection): boolean => div !== undefined || emptyReason !== undefined;

/** The documents among the records of an answer, kept by language and answer. */
const documentsAmong = kept((words: Words) =>
  kept((records: readonly Resource[]): SummaryDocument[] => documentsIn(words, records)),
);

/** Returns the index of the documents among some records. `find` finds a record of the chart by its `Type/id`. */
export function indexOf(
  records: readonly Resource[],
  find: (address: string) => Resource | undefined = () => undefined,
): Index {
  const documents = documentsAmong(words())(records);
  const said = documents.map((one) => withObservationWords(words(), one, find));
  const text = new Map<string, PartOfDocument[]>();
  const listed = new Map<string, DocumentSection[]>();
  for (const document of documents) {
    for (const section of document.sections)
      for (const address of section.entries) listed.set(address, [...(listed.get(address) ?? []), section]);
  }
  for (const document of said) {
    for (const section of document.sections) {
      if (!says(section)) continue;
      const parts = text.get(placeOf(section)) ?? [];
      const last = parts.at(-1);
      if (last?.document === document) last.sections.push(section);
      else parts.push({ document, sections: [section] });
      text.set(placeOf(section), parts);
    }
  }
  return { documents, said, words: text, listed };
}

/** Returns whether sections of some documents may list observations. */
const mayNeedOthers = kept((documents: readonly SummaryDocument[]): boolean =>
  documents.some(({ sections }) => sections.some(mayListObservations)),
);

function indexIn(store: ChartStore): Index {
  const state = store.load(DOCUMENTS);
  if (state.is !== 'loaded') return NONE;
  const known = indexes.get(state);
  // Observations need a search of their own. The section of other observations makes it anyway.
  const isOfOthers = mayNeedOthers(documentsAmong(words())(state.found.matches));
  if (isOfOthers) store.load(OTHER_OBSERVATIONS);
  const all = isOfOthers ? store.all() : undefined;
  if (known?.of === words() && known.all === all) return known.index;
  const index = indexOf(state.found.matches, store.find);
  indexes.set(state, { index, of: words(), all });
  return index;
}

/** Returns the documents of a chart, newest first. */
export const documentsOf = (store: ChartStore): SummaryDocument[] => indexIn(store).documents;

/** Returns the words of the documents for a section of the chart, newest first. */
export const wordsFor = (place: string, store: ChartStore): PartOfDocument[] => indexIn(store).words.get(place) ?? [];

export const hasWords = kept(({ div }: DocumentSection): boolean => div !== undefined && !saysNothing(div));

/** Returns whether a section has words that say something, and lists no records. */
export const isInWordsAlone = (section: DocumentSection): boolean => section.entries.length === 0 && hasWords(section);

/**
 * Says where else documents may have words about a section of the chart: `beside` in a related section, or `anywhere`
 * among words about all or unknown subjects.
 */
export function wordsElsewhere(place: string, store: ChartStore): 'beside' | 'anywhere' | undefined {
  const sections = indexIn(store)
    .said.flatMap((one) => one.sections)
    .filter(hasWords);
  if (sections.some((one) => mayHave(one, place) && placeOf(one) !== place)) return 'beside';
  return sections.some((one) => placeOf(one) === REST) ? 'anywhere' : undefined;
}

/**
 * Returns the title of the section under which a document lists a problem, if that contradicts the problem: a current
 * problem under past illness, or one that is over under current problems.
 */
export function otherHeading(isOver: boolean, listed: readonly DocumentSection[]): string | undefined {
  const under = (code: string): DocumentSection | undefined => listed.find(({ codes }) => codes.includes(code));
  const [past, current] = [under(PAST_ILLNESS), under(CURRENT_PROBLEMS)];
  if (past && current) return undefined;
  return isOver ? current?.title : past?.title;
}

/** Says under which heading a document lists a record, if the heading contradicts the record. */
export function otherHeadingText(record: Resource, store: ChartStore): string | undefined {
  if (!isOfType('Condition', record)) return undefined;
  const heading = otherHeading(
    standingOf(record) !== 'standing',
    indexIn(store).listed.get(recordAddress(record)) ?? [],
  );
  return heading && t('in the summary under: {heading}', { heading });
}
