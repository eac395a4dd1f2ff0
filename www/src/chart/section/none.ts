//! The words in place of an empty list, if documents say something about the subject, or if bills may mention it.

import { html, type TemplateResult } from 'lit-html';
import { contradicts, type EmptyList, emptyListOf } from '#reading/documents/empty-lists.ts';
import { REST } from '#reading/documents/places.ts';
import { contradictionText } from '#reading/fhir/absence.ts';
import { meaningOf } from '#reading/records/meaning.ts';
import { type PlainMessage, t, words } from '../../language/message.ts';
import { empty } from '../../parts/notice.ts';
import { files } from '../../source/files.ts';
import type { ChartStore } from '../loading/store.ts';
import { wordsElsewhere, wordsFor } from '../summary-document/documents.ts';
import { allergyAnswers } from '../summary-document/form-words.ts';
import { foundBy, LISTS } from './named-elsewhere.ts';
import type { Lack, Section, SectionContent } from './section.ts';

const ELSEWHERE = {
  beside: 'Nothing is coded here: words of a document that may belong here stand in another section.',
  anywhere: 'Nothing is coded here: words of a document that may say something of it are under “Notes and documents”.',
} as const satisfies Record<string, PlainMessage>;
/** The words beside records of the kind that are over, planned or without a title. */
const ELSEWHERE_TOO = {
  beside: 'Nothing current is coded here: words of a document that may belong here stand in another section.',
  anywhere:
    'Nothing current is coded here: words of a document that may say something of it are under “Notes and documents”.',
} as const satisfies Record<keyof typeof ELSEWHERE, PlainMessage>;

const IN_BILLS: PlainMessage =
  'No such record is here. Bills and insurance claims may name some: they are under “Other records”.';
/** The sections that bills may tell about, with a diagnosis, a drug, a procedure or a visit. */
const BILLED = ['problems', 'medications', 'immunizations', 'procedures', 'visits'];

/** Returns whether the records come from files that also have bills. */
function hasBills({ source }: ChartStore): boolean {
  if (source.name !== 'files' || files.value.is !== 'open') return false;
  const { counts } = files.value.report;
  return ['ExplanationOfBenefit', 'Claim'].some((type) => (counts[type] ?? 0) > 0);
}

/** A section of the chart, with the searches for its records if they are known. */
export type Listing = Pick<Section, 'id'> & Partial<Pick<Section, 'queries'>>;

/** Returns whether a section of the chart has records, current or not. The Patient does not count. */
const hasRecords = ({ queries = [] }: Listing, store: ChartStore): boolean =>
  queries.some((query) => store.found(query).some(({ resourceType }) => resourceType !== 'Patient'));

/** Returns the words for a section without current records, or nothing if the usual words apply. */
export function noneText(section: Listing, store: ChartStore): PlainMessage | undefined {
  const { id } = section;
  if (id === 'other') return undefined;
  if (wordsFor(id, store).length > 0)
    return id === REST
      ? 'No note or file is recorded: the summary has words of such a kind, below.'
      : 'Nothing current is coded here: the summary has words on it, below.';
  if (id === REST) return undefined;
  if (id === 'allergies' && allergyAnswers(store).length > 0)
    return 'No allergy is coded: answers on a form, under “Screening and social history”, say something of it.';
  const elsewhere = wordsElsewhere(id, store);
  // A record of the kind that is over, planned or listed without a title is of the kind all the same.
  const isHere = hasRecords(section, store);
  if (elsewhere) return (isHere ? ELSEWHERE_TOO : ELSEWHERE)[elsewhere];
  return BILLED.includes(id) && !isHere && hasBills(store) ? IN_BILLS : undefined;
}

/**
 * The newest list of the kind of a section, if it is empty and says why. Of a server lists are asked for where no entry
 * about allergies is found.
 */
export function emptyList(id: string, store: ChartStore): EmptyList | undefined {
  if (id === 'allergies') store.load(LISTS);
  return emptyListOf(words(), id, foundBy(LISTS, store));
}

/** The words that are the same for several sections, with what these sections lack. */
const LACKS: ReadonlyMap<PlainMessage | undefined, Lack> = new Map([
  [ELSEWHERE.beside, 'beside'],
  [ELSEWHERE.anywhere, 'anywhere'],
]);

/** Returns what a section lacks, by the words in place of its records. */
export const lackOf = (none: PlainMessage | undefined, { nothing }: Pick<Section, 'nothing'>): Lack | undefined =>
  none === nothing ? 'records' : LACKS.get(none);

/** Returns the words in the index for a section on which documents have words. */
function briefOf(id: string, count: number, store: ChartStore): Pick<SectionContent, 'brief'> {
  if (wordsFor(id, store).length === 0) return {};
  if (count === 0) return { brief: t('in words') };
  return id === REST ? { brief: t('{n}, and in words', { n: count }) } : {};
}

/** Says that a list has no entries where the section has some. */
const contradiction = (says: string): TemplateResult =>
  html`<p class="statement" data-tone="alert"><span class="mark" aria-hidden="true">▲</span><strong>${contradictionText(
    words(),
    says,
  )}</strong></p>`;

/** Returns the content of a section, which must not say that nothing is recorded if documents have words on it. */
export function contentBesideDocuments(content: SectionContent, section: Listing, store: ChartStore): SectionContent {
  const { id } = section;
  const none = content.none && noneText(section, store);
  const { next, count } = content;
  const brief = briefOf(id, count, store);
  const list = content.none ? emptyList(id, store) : emptyListOf(words(), id, foundBy(LISTS, store));
  if (list && content.none && !next)
    return { ...content, brief: list.brief, none: undefined, body: html`${empty(list.says)}${content.body}` };
  // Of a section that does not tell its records, any entry may be as old as the list.
  const dates = (): (string | undefined)[] =>
    content.records?.map((one) => meaningOf(words(), one).when) ?? [undefined];
  return {
    ...brief,
    ...content,
    ...(list && count > 0 && !next && contradicts(list, dates())
      ? { body: html`${contradiction(list.says)}${content.body}` }
      : {}),
    ...(none ? { ...brief, none } : {}),
    next: next && (() => contentBesideDocuments(next(), section, store)),
  };
}
