//! The words of documents in the sections of a chart: each section's narrative, folded, and open where no coded record
//! says the same; the reason why a section has no entries; and what the words have that coded medications do not.

import { html, nothing, type TemplateResult } from 'lit-html';
import { cautionOf } from '../../fhir/certainty.ts';
import {
  type DocumentSection,
  documentOf,
  linesOf,
  type SummaryDocument,
  withStruck,
  wordsOf,
} from '../../fhir/composition.ts';
import { shortDate } from '../../fhir/date.ts';
import { dosages } from '../../fhir/dosage.ts';
import { medication } from '../../fhir/medication.ts';
import { htmlPage } from '../../fhir/narrative.ts';
import { capital, codeOf, concept } from '../../fhir/text.ts';
import { ofType, type Resource } from '../../fhir/types.ts';
import { type PlainMessage, t } from '../../language/message.ts';
import { own } from '../../own.ts';
import { whenOpen } from '../../parts/when-open.ts';
import { folded, foldedMany } from '../row.ts';
import type { Section, SectionContent } from '../section.ts';
import type { ChartStore } from '../store.ts';
import { lacksSection, type PartOfDocument, soleDocument, wordsFor } from './documents.ts';
import { type CodedDrug, type Difference, differences } from './dose-numbers.ts';
import { REST } from './places.ts';

/** Why a section has no entries (<http://terminology.hl7.org/CodeSystem/list-empty-reason>, and of IPS). */
const REASONS: Readonly<Record<string, PlainMessage>> = {
  nilknown: 'nil known',
  notasked: 'not asked#why a section is empty',
  withheld: 'withheld#why a section is empty',
  unavailable: 'unavailable#why a section is empty',
  notstarted: 'not started#why a section is empty',
  closed: 'closed, no entries are added#why a section is empty',
  'no-known-allergies': 'no known allergies',
  'no-known-medications': 'no known medications',
  'no-known-problems': 'no known problems',
  'no-known-procedures': 'no known procedures',
  'no-known-immunizations': 'no known immunizations',
  'no-known-devices': 'no known devices',
};

/** The reason why a section has no entries, in words. */
export function reasonText({ emptyReason }: DocumentSection): string | undefined {
  if (emptyReason === undefined) return undefined;
  const known = own(REASONS, codeOf(emptyReason) ?? '');
  return known ? t(known) : concept(emptyReason);
}

const reasonSaid = (section: DocumentSection): string | undefined => {
  const reason = reasonText(section);
  return reason && t('The summary says: {reason}.', { reason });
};

const read = new WeakMap<Resource, DocumentSection[]>();

/** The sections of a Composition, read once. */
function sectionsOf(resource: Resource): DocumentSection[] {
  const known = read.get(resource) ?? documentOf(resource).sections;
  read.set(resource, known);
  return known;
}

const frames = new WeakMap<DocumentSection, HTMLElement>();

/** The narrative of a section, made once: a chart that is drawn again shows the same nodes. */
function narrativeOf(section: DocumentSection): HTMLElement | typeof nothing {
  const { div, title } = section;
  if (div === undefined) return nothing;
  const made = frames.get(section);
  if (made) return made;
  const frame = Object.assign(document.createElement('div'), { tabIndex: 0 });
  frame.classList.add('narrative', 'document-words');
  frame.setAttribute('role', 'group');
  frame.setAttribute('aria-label', title ? t('{title}: the words', { title }) : t('The words of the summary'));
  frame.append(htmlPage(div));
  frames.set(section, frame);
  return frame;
}

const sectionView = (section: DocumentSection): TemplateResult => {
  const reason = reasonSaid(section);
  return html`${section.title ? html`<p class="label">${section.title}</p>` : nothing}${
    section.about ? html`<p class="tag" data-tone="alert">${t('About: {name}', { name: section.about })}</p>` : nothing
  }${reason ? html`<p>${reason}</p>` : nothing}${narrativeOf(section)}`;
};

/** The words of a Composition in the drawer, section by section; nothing of other records. */
export function documentWords(resource: Resource): TemplateResult | typeof nothing {
  if (resource.resourceType !== 'Composition') return nothing;
  const sections = sectionsOf(resource).filter(
    ({ div, emptyReason }) => div !== undefined || emptyReason !== undefined,
  );
  return sections.length > 0 ? html`<h3>${t('Its sections')}</h3>${sections.map(sectionView)}` : nothing;
}

/** Says of which document words are, and that it is a preliminary one. */
function headOf({ date, isSummary, title, resource }: SummaryDocument): string {
  const on = shortDate(date) || t('no date');
  const head =
    isSummary || !title
      ? t('As the summary of {date} words it', { date: on })
      : t('As “{title}” of {date} words it', { title, date: on });
  const caution = cautionOf(resource);
  return caution ? `${head} (${caution})` : head;
}

const partView = ({ document, sections }: PartOfDocument, isOpen: boolean): TemplateResult =>
  folded(
    headOf(document),
    whenOpen(() => html`${sections.map(sectionView)}`),
    isOpen,
  );

/** The documents whose words stand at once; those of older ones are folded away. */
const MOST = 3;

/** The words of the documents for a section of the chart. They are open where nothing else is recorded. */
export function summaryWords(
  { id }: Pick<Section, 'id'>,
  count: number,
  store: ChartStore,
): TemplateResult | typeof nothing {
  const parts = wordsFor(id, store);
  if (parts.length === 0) return nothing;
  const only = id === 'medications' ? differencesIn(parts[0], store) : [];
  const [first, older] = [parts.slice(0, MOST), parts.slice(MOST)];
  const isOpen = id !== REST && (count === 0 || only.length > 0);
  return html`<div class="summary-words">${differencesView(only)}${first.map((part, i) =>
    partView(part, isOpen && i === 0),
  )}${
    older.length > 0
      ? foldedMany(
          t('{n} earlier document|{n} earlier documents', { n: older.length }),
          () => html`${older.map((part) => partView(part, false))}`,
        )
      : nothing
  }</div>`;
}

/** The coded medications, as the chart shows them. */
function codedDrugs(store: ChartStore): CodedDrug[] {
  const all = [...store.all().values()];
  return [
    ...ofType('MedicationRequest', all).map((one) => ({ one, dose: dosages(one.dosageInstruction) })),
    ...ofType('MedicationStatement', all).map((one) => ({ one, dose: dosages(one.dosage) })),
  ].map(({ one, dose }) => {
    const name = medication(one, all);
    return { name, texts: [name, dose ?? ''] };
  });
}

/** What the words of a document about medications have, and its coded entries do not. */
function differencesIn(part: PartOfDocument | undefined, store: ChartStore): Difference[] {
  const lines = (part?.sections ?? []).flatMap(({ div }) =>
    div === undefined ? [] : linesOf(withStruck(div, () => ' ')),
  );
  return lines.length === 0 ? [] : differences(lines, codedDrugs(store));
}

const differencesView = (only: readonly Difference[]): TemplateResult | typeof nothing =>
  only.length === 0
    ? nothing
    : html`<p class="compare">${t("The summary's words and its coded entries may differ: compare.")} ${t(
        'In the words alone: {amounts}.',
        { amounts: only.map(({ drug, amounts }) => `${capital(drug)} ${amounts.join(', ')}`).join('; ') },
      )}</p>`;

const NO_SECTION = {
  summary: 'This summary has no such section, and nothing of the kind is in it.',
  document: 'This document has no such section, and nothing of the kind is in it.',
} as const;

/** The words in the place of an empty list, where documents say something of it, or have no section of the kind. */
function noneText(id: string, store: ChartStore): PlainMessage | undefined {
  if (id === REST || id === 'documents') return undefined;
  if (wordsFor(id, store).length > 0) return 'Nothing current is coded here: the summary has words on it, below.';
  if (!lacksSection(id, store)) return undefined;
  const isSummary = soleDocument(store)?.isSummary;
  if (id === 'allergies')
    return isSummary
      ? 'This summary has no section on allergies, which does not mean that there are none.'
      : 'This document has no section on allergies, which does not mean that there are none.';
  return isSummary ? NO_SECTION.summary : NO_SECTION.document;
}

/** Returns whether words in the place of a list say that the document has no section of the kind. */
export const isLackOfSection = (words: PlainMessage | undefined): boolean =>
  words === NO_SECTION.summary || words === NO_SECTION.document;

/** The content of a section, in which no words say that nothing is recorded where documents have words on it. */
export function besideSummary(
  content: SectionContent,
  section: Pick<Section, 'id'>,
  store: ChartStore,
): SectionContent {
  const { id } = section;
  const none = content.none && noneText(id, store);
  if (!none) return content;
  const { next } = content;
  return {
    ...content,
    none,
    ...(content.count === 0 && wordsFor(id, store).length > 0 ? { brief: t('in words') } : {}),
    next: next && (() => besideSummary(next(), section, store)),
  };
}

/** The longest words of a summary that stand at a glance; longer ones are in their section. */
const LONGEST = 240;

/** The lists whose words count also beside records. Those of others count where the document lists no records. */
const LISTS = ['allergies', 'problems', 'medications'];

const wordsAtGlance = (id: string, isFirst: boolean, store: ChartStore): PartOfDocument[] =>
  wordsFor(id, store).filter(
    ({ sections }) => (isFirst && LISTS.includes(id)) || sections.every(({ entries }) => entries.length === 0),
  );

/** What the documents say in the place of an empty list at a glance; nothing where they say nothing of it. */
export function glanceWords(
  sections: readonly Pick<Section, 'id'>[],
  store: ChartStore,
  isWhole = true,
): string | undefined {
  const [part] = sections.flatMap(({ id }, i) => wordsAtGlance(id, i === 0, store).slice(0, 1));
  if (!part) {
    const none = isWhole && sections.length === 1 && sections[0] ? noneText(sections[0].id, store) : undefined;
    return none && t(none);
  }
  const said = part.sections.map((section) => reasonText(section) ?? wordsOf(section.div ?? '')).join(' · ');
  const date = shortDate(part.document.date) || t('no date');
  const caution = cautionOf(part.document.resource);
  return said.length <= LONGEST
    ? t('The summary of {date} says: {words}', { date, words: [caution, said].filter(Boolean).join(' · ') })
    : t('The summary of {date} has words on it: see the section.', { date });
}
