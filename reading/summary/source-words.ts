//! The words of the source documents of records, for the patient summary that is made from them: each section's words
//! as plain lines, in the section of the same kind or in one of their own.

import { type DocumentSection, documentsIn, linesOf, type SummaryDocument } from '../documents/composition.ts';
import { reasonText } from '../documents/reasons.ts';
import { shortDate } from '../fhir/date.ts';
import type { Resource } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';

/** A section of a document, and words that name the document. */
export interface SourceSection {
  of: DocumentSection;
  from: string;
}

/** The most documents whose words are included. */
const MAX = 3;

/** The words of documents that are included, and the documents whose words are not. */
interface SourceWords {
  sections: SourceSection[];
  lacking: string[];
}

const nameOf = (words: Words, { title, date }: SummaryDocument): string =>
  words.t('“{title}” of {date}', {
    title: title ?? words.t('Document'),
    date: shortDate(words, date) || words.t('no date'),
  });

/** The types of records that are separate notes and files, which a summary does not contain. */
const NOTES = ['DocumentReference', 'Media', 'QuestionnaireResponse'];

/** Returns the words of the newest documents among records, and what a summary of them lacks. */
export function sourceWords(words: Words, all: readonly Resource[]): SourceWords {
  const documents = documentsIn(words, all);
  const carried = documents.slice(0, MAX);
  const notes = all.filter(({ resourceType }) => NOTES.includes(resourceType)).length;
  const others = documents.length - carried.length;
  return {
    sections: carried.flatMap((document) =>
      document.sections
        .filter(({ div, emptyReason }) => div !== undefined || emptyReason !== undefined)
        .map((of) => ({ of, from: nameOf(words, document) })),
    ),
    lacking: [
      notes > 0 ? words.t('{n} note or attached file|{n} notes or attached files', { n: notes }) : '',
      others > 0 ? words.t('the words of {n} older document|the words of {n} older documents', { n: others }) : '',
    ].filter(Boolean),
  };
}

/** Returns the words of sections as XHTML: their titles and lines, without other markup. */
export const wordsMarkup = (
  words: Words,
  sections: readonly SourceSection[],
  escaped: (text: string) => string,
): string =>
  sections
    .map(({ of: { title, div = '', emptyReason }, from }) => {
      const head = words.t('As {document} words it: {title}', {
        document: from,
        title: title ?? words.t('Section without a title'),
      });
      const texts = [reasonText(words, emptyReason) ?? '', ...linesOf(words, div)].filter(Boolean);
      return `<p><b>${escaped(head)}</b></p><ul>${texts.map((text) => `<li>${escaped(text)}</li>`).join('')}</ul>`;
    })
    .join('');
