//! The words of documents in the sections of a chart: each section's narrative, and the reason why it has no entries.
//! The narrative is folded, or open if a reader should compare it with the coded records.

import { html, nothing, type TemplateResult } from 'lit-html';
import { type DocumentSection, documentOf, type SummaryDocument } from '#reading/documents/composition.ts';
import { REST } from '#reading/documents/places.ts';
import { reasonText } from '#reading/documents/reasons.ts';
import { cautionOf } from '#reading/fhir/certainty.ts';
import { shortDate } from '#reading/fhir/date.ts';
import { clipped } from '#reading/fhir/text.ts';
import type { Resource } from '#reading/fhir/types.ts';
import { joined } from '#reading/joined.ts';
import { kept } from '#reading/kept.ts';
import type { Words } from '#reading/language/words.ts';
import { htmlPage } from '../../fhir/narrative.ts';
import { t, words } from '../../language/message.ts';
import { folded } from '../../parts/folded.ts';
import { whenOpen } from '../../parts/when-open.ts';
import type { ChartStore } from '../loading/store.ts';
import { type PartOfDocument, wordsFor } from './documents.ts';

const reasonSaid = (section: DocumentSection): string | undefined => {
  const reason = reasonText(words(), section.emptyReason);
  return reason && t('The summary says: {reason}.', { reason });
};

/** The sections of a Composition, read once in each language. */
const sectionsOf = kept((words: Words) =>
  kept((resource: Resource): DocumentSection[] => documentOf(words, resource).sections),
);

/** The narrative of a section, made once: a redrawn chart shows the same nodes. */
const narrativeOf = kept(({ div, title }: DocumentSection): HTMLElement | typeof nothing => {
  if (div === undefined) return nothing;
  const frame = Object.assign(document.createElement('div'), { tabIndex: 0 });
  frame.classList.add('narrative', 'document-words');
  frame.setAttribute('role', 'group');
  frame.setAttribute('aria-label', title ? t('{title}: the words', { title }) : t('The words of the summary'));
  frame.append(htmlPage(div));
  return frame;
});

const sectionView = (section: DocumentSection): TemplateResult => {
  const reason = reasonSaid(section);
  return html`${section.title ? html`<p class="label">${section.title}</p>` : nothing}${
    section.about ? html`<p class="tag" data-tone="alert">${t('About: {name}', { name: section.about })}</p>` : nothing
  }${reason ? html`<p>${reason}</p>` : nothing}${narrativeOf(section)}`;
};

/** Draws the words of a Composition in the drawer, section by section. Draws nothing for other records. */
export function documentWords(resource: Resource): TemplateResult | typeof nothing {
  if (resource.resourceType !== 'Composition') return nothing;
  const sections = sectionsOf(words())(resource).filter(
    ({ div, emptyReason }) => div !== undefined || emptyReason !== undefined,
  );
  return sections.length > 0 ? html`<h3>${t('Its sections')}</h3>${sections.map(sectionView)}` : nothing;
}

/** Says from which document words come, and whether that is preliminary or the like. */
function headOf({ date, isSummary, title, resource, related }: SummaryDocument): string {
  const on = shortDate(words(), date) || t('no date');
  const head =
    isSummary || !title
      ? t('As the summary of {date} words it', { date: on })
      : t('As “{title}” of {date} words it', { title, date: on });
  const caution = joined(cautionOf(words(), resource), related);
  return caution ? `${head} (${caution})` : head;
}

const partView = ({ document, sections }: PartOfDocument, isOpen: boolean): TemplateResult =>
  folded(
    headOf(document),
    whenOpen(() => html`${sections.map(sectionView)}`),
    isOpen,
  );

/** The most documents whose words are listed at once. Those of older documents are folded away. */
const MAX = 3;

/** The sections of the chart in which the words of the newest document are always open. */
const OPENED = ['allergies', 'problems', 'medications', 'labs', 'plan', 'flags', 'consents', REST];

/**
 * Draws the words of the documents for a section of the chart. Those of the newest document are open if nothing else is
 * recorded, and where a difference from the records matters most: the reader judges whether they differ.
 */
export function summaryWords(id: string, count: number, store: ChartStore): TemplateResult | typeof nothing {
  const parts = wordsFor(id, store);
  const [newest] = parts;
  if (!newest) return nothing;
  const [first, older] = [parts.slice(0, MAX), parts.slice(MAX)];
  const isOpen = OPENED.includes(id) || (count === 0 && id !== 'other');
  return html`<div class="summary-words">${headingOf(id, newest)}${first.map((part, i) =>
    partView(part, isOpen && i === 0),
  )}${
    older.length > 0
      ? folded(
          t('{n} earlier document|{n} earlier documents', { n: older.length }),
          whenOpen(() => html`${older.map((part) => partView(part, false))}`),
        )
      : nothing
  }</div>`;
}

/** Draws the heading of the words among the notes, with the number and the titles of their sections. */
function headingOf(id: string, { sections }: PartOfDocument): TemplateResult | typeof nothing {
  if (id !== REST) return nothing;
  const titles = sections.flatMap(({ title }) => title ?? []).map((title) => clipped(title, 60));
  return html`<h3>${t('In the words of the document')} <span class="count">${sections.length}</span></h3>
    <p class="aside">${titles.join(' · ')}</p>`;
}
