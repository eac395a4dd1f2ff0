//! The documents of a chart, by one search for all of its parts, and what they say of each section of the chart.

import {
  type Author,
  type DocumentSection,
  documentsIn,
  type SummaryDocument,
  saysNothing,
} from '#reading/documents/composition.ts';
import { mayListObservations, withObservationWords } from '#reading/documents/observation-words.ts';
import { CURRENT_PROBLEMS, isPlaced, mayHave, PAST_ILLNESS, placeOf, REST } from '#reading/documents/places.ts';
import { searchOf } from '#reading/fhir/other-types.ts';
import { recordAddress, referredAddress } from '#reading/fhir/record-address.ts';
import { nameOf } from '#reading/fhir/text.ts';
import { isOfType, type Resource } from '#reading/fhir/types.ts';
import { kept } from '#reading/kept.ts';
import type { Words } from '#reading/language/words.ts';
import { words } from '../../language/language.ts';
import { files } from '../../source/files.ts';
import { OTHER_OBSERVATIONS } from '../observation-searches.ts';
import type { ChartStore, SearchState } from '../store.ts';

/** The search for the documents. It is the one that is made for the other records too. */
export const DOCUMENTS = searchOf('Composition');

/** A document with those of its sections that belong to a section of the chart. */
export interface PartOfDocument {
  document: SummaryDocument;
  sections: DocumentSection[];
}

/** The words of the documents, by section of the chart and by entry. */
interface Index {
  documents: SummaryDocument[];
  /** The documents, with the words of the observations that their sections list. */
  said: SummaryDocument[];
  /** The sections with words, or with the reason why they have no entries, by section of the chart. */
  words: Map<string, PartOfDocument[]>;
  /** The sections in which a record is listed, by its `Type/id`. */
  listed: Map<string, DocumentSection[]>;
}

const NONE: Index = { documents: [], said: [], words: new Map(), listed: new Map() };
/** The indexes by the answer with the documents, with the words and the records of the chart that they depend on. */
const indexes = new WeakMap<SearchState, { index: Index; of: Words; all: unknown }>();

/** Returns whether a section says something, in words or by the reason why it has no entries. */
const says = ({ div, emptyReason }: DocumentSection): boolean => div !== undefined || emptyReason !== undefined;

/** The documents among the records of an answer, which are read once. */
const documentsAmong = kept((words: Words) =>
  kept((records: readonly Resource[]): SummaryDocument[] => documentsIn(words, records)),
);

/** The documents among records, with what they say. `find` finds a record of the chart by its `Type/id`. */
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

/** Returns whether words of documents may be those of observations. */
const mayNeedOthers = kept((documents: readonly SummaryDocument[]): boolean =>
  documents.some(({ sections }) => sections.some(mayListObservations)),
);

function indexIn(store: ChartStore): Index {
  const state = store.load(DOCUMENTS);
  if (state.is !== 'loaded') return NONE;
  const known = indexes.get(state);
  // Observations come with a search of their own, which is made for other observations anyway.
  const isOfOthers = mayNeedOthers(documentsAmong(words())(state.found.matches));
  if (isOfOthers) store.load(OTHER_OBSERVATIONS);
  const all = isOfOthers ? store.all() : undefined;
  if (known?.of === words() && known.all === all) return known.index;
  const index = indexOf(state.found.matches, (address) => store.find(address));
  indexes.set(state, { index, of: words(), all });
  return index;
}

/** The documents of a chart, the newest first. */
export const documentsOf = (store: ChartStore): SummaryDocument[] => indexIn(store).documents;

/** The words of the documents on a section of the chart, the newest first. */
export const wordsFor = (place: string, store: ChartStore): PartOfDocument[] => indexIn(store).words.get(place) ?? [];

/** Returns whether a section has words that say something. */
export const hasWords = kept(({ div }: DocumentSection): boolean => div !== undefined && !saysNothing(div));

/** Returns whether a section has words that say something, and lists no record that would say it too. */
export const isInWordsAlone = (section: DocumentSection): boolean => section.entries.length === 0 && hasWords(section);

/**
 * The place of words that may belong to a section of the chart, and stand in another: `beside` in one of a kin,
 * `anywhere` among those that tell of all kinds, or whose kind is not known.
 */
export function wordsElsewhere(place: string, store: ChartStore): 'beside' | 'anywhere' | undefined {
  const sections = indexIn(store)
    .said.flatMap((one) => one.sections)
    .filter(hasWords);
  if (sections.some((one) => mayHave(one, place) && placeOf(one) !== place)) return 'beside';
  return sections.some((one) => placeOf(one) === REST) ? 'anywhere' : undefined;
}

/** The types of records that the sections of a summary list. */
const LISTED = [
  'AllergyIntolerance',
  'CarePlan',
  'Condition',
  'Immunization',
  'MedicationRequest',
  'MedicationStatement',
  'Observation',
  'Procedure',
];

/** The one document from which the records of a chart come; nothing where they may have another source too. */
export function soleDocument(store: ChartStore): SummaryDocument | undefined {
  const [document, ...others] = documentsOf(store);
  if (!document || others.length > 0 || store.source.name !== 'files' || files.value.is !== 'open') return undefined;
  const { counts } = files.value.report;
  const held = LISTED.reduce((sum, type) => sum + (counts[type] ?? 0), 0);
  const isListed = (address: string): boolean => LISTED.includes(address.split('/')[0] ?? '');
  const listed = new Set(document.sections.flatMap(({ entries }) => entries).filter(isListed)).size;
  return 2 * listed >= held ? document : undefined;
}

/**
 * Returns whether the records come from one document, which has no section for a section of the chart, nor one that
 * lists entries of a kind that is not known.
 */
export const lacksSection = (place: string, store: ChartStore): boolean =>
  soleDocument(store)?.sections.some(
    (section) => mayHave(section, place) || (section.entries.length > 0 && !isPlaced(section)),
  ) === false;

/**
 * The title of the section under which a document lists a problem, where that says another thing than the problem: one
 * that counts as current under past illness, or one that is over under the current ones.
 */
export function otherHeading(isOver: boolean, listed: readonly DocumentSection[]): string | undefined {
  const under = (code: string): DocumentSection | undefined => listed.find(({ codes }) => codes.includes(code));
  const [past, current] = [under(PAST_ILLNESS), under(CURRENT_PROBLEMS)];
  if (past && current) return undefined;
  return isOver ? current?.title : past?.title;
}

/** The sections of documents in which a record is listed. */
export const listingSections = (record: Resource, store: ChartStore): readonly DocumentSection[] =>
  indexIn(store).listed.get(recordAddress(record)) ?? [];

/** The types of records that are read for the name of an author. */
const AUTHORS = ['Device', 'Organization', 'Patient', 'Practitioner', 'PractitionerRole', 'RelatedPerson'];

/** The record at an address, which is read where that costs no request; `waiting` while it is under way. */
function recordAt(address: string, store: ChartStore): Resource | 'waiting' | undefined {
  const isRead = store.source.name !== 'session' && AUTHORS.includes(address.split('/')[0] ?? '');
  if (isRead && store.load(address).is === 'waiting') return 'waiting';
  return store.find(address);
}

/** The name of an author who is being read. */
const WAITING = '…';

/** The name of an author: in words of the document, or of the record, or, of a role, of its practitioner. */
function nameOfAuthor({ address = '', said }: Author, store: ChartStore, isOfRole = false): string | undefined {
  if (said !== undefined) return said;
  const record = recordAt(address, store);
  if (record === 'waiting') return WAITING;
  if (isOfType('Organization', record)) return record.name;
  if (isOfType('Practitioner', record) || isOfType('Patient', record)) return nameOf(record.name);
  if (!isOfType('PractitionerRole', record) || isOfRole) return undefined;
  const { reference, display } = record.practitioner ?? {};
  return nameOfAuthor({ address: referredAddress(reference), said: display }, store, true);
}

/** The names of the authors of a document, as far as they are known. */
export const authorNames = ({ authors }: SummaryDocument, store: ChartStore): string[] =>
  authors.flatMap((author) => nameOfAuthor(author, store) ?? []);

/** Returns whether the documents are still to come, or the name of the author of the newest one. */
export function areDocumentsWaiting(store: ChartStore): boolean {
  if (store.load(DOCUMENTS).is === 'waiting') return true;
  const [newest] = documentsOf(store);
  return newest?.authors.some((author) => nameOfAuthor(author, store) === WAITING) ?? false;
}
