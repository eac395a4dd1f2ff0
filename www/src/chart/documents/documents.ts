//! Notes and documents, and the drawer to read one of them.

import { html, nothing, type TemplateResult } from 'lit-html';
import { documentRelations, relationText } from '#reading/documents/related-documents.ts';
import { clockDate, newest, periodDate, shortDate } from '#reading/fhir/date.ts';
import { normalCode } from '#reading/fhir/status-code.ts';
import { concept, references } from '#reading/fhir/text.ts';
import { type Attachment, type DocumentReference, ofType } from '#reading/fhir/types.ts';
import { joined, joinedBy } from '#reading/joined.ts';
import { t, words } from '../../language/message.ts';
import { openDrawer } from '../../parts/drawer.ts';
import type { ChartStore } from '../loading/store.ts';
import { recordButton } from '../record/record-link.ts';
import { counted } from '../section/other-count.ts';
import { byValidity, errorsFolded, foldedMany, newestRows, type Row, unusualStatus } from '../section/row.ts';
import type { Section } from '../section/section.ts';
import { attachmentView } from './attachment.ts';
import { kindName } from './attachment-content.ts';
import { isOfOther, otherSubjectNote } from './whose-document.ts';

const written = (d: DocumentReference): string | undefined => periodDate(d.context?.period) ?? d.date;

/** Returns the attachments with content, or with the address of their content. */
const attachmentsOf = ({ content = [] }: DocumentReference): Attachment[] =>
  content.flatMap(({ attachment }) => (attachment?.data || attachment?.url ? [attachment] : []));

const filesOf = ({ content = [] }: DocumentReference): string[] => [
  ...new Set(content.flatMap(({ attachment }) => attachment?.title?.trim() || [])),
];

/** Returns the name of a document: its type, its description, or the title of its first attachment. */
const titleOf = (d: DocumentReference): string =>
  concept(words(), d.type) ?? (d.description || filesOf(d)[0]) ?? t('Document');

/** Returns the description and the titles of the attachments, without the one that is the name of the document. */
const namesOf = (d: DocumentReference): string[] =>
  [...new Set([d.description ?? '', ...filesOf(d)])].filter((name) => name !== '' && name !== titleOf(d));

export function openDocument(d: DocumentReference, store: ChartStore): void {
  const relations = documentRelations([...store.all().values()]);
  openDrawer(() => ({
    title: titleOf(d),
    body: html`${otherSubjectNote(d, store)}<p class="lead">${joinedBy(
      ' · ',
      clockDate(words(), written(d)),
      references(words(), d.author),
      relationText(words(), d, relations),
    )}</p>
      ${d.description && d.description !== titleOf(d) ? html`<p>${d.description}</p>` : nothing}
      ${(d.content ?? []).map(({ attachment }) => (attachment ? attachmentView(attachment, d, store) : nothing))}
      <p class="actions">${recordButton(store, d, t('The whole record'))}</p>`,
  }));
}

/** Draws the button that opens a document, with the kinds of its files. A document without content has no button. */
function contentLine(d: DocumentReference, store: ChartStore): TemplateResult {
  const attachments = attachmentsOf(d);
  if (attachments.length === 0) return html`<span class="none">${t('no content in the record')}</span>`;
  return html`<button type="button" class="quiet inset" @click=${() => openDocument(d, store)}>${t('Read')}<span
      class="visually-hidden"> ${titleOf(d)}, ${shortDate(words(), written(d))}</span></button>
    <span class="aside">${attachments.map(kindName).filter(Boolean).join(', ')}</span>`;
}

export const DOCUMENTS = 'DocumentReference?patient={patient}&_count=200';

export const documents: Section = {
  id: 'documents',
  title: 'Notes and documents',
  queries: [DOCUMENTS],
  nothing: 'No data: no document is recorded in this chart.',
  show([found], store) {
    const all = newest(ofType('DocumentReference', found?.matches), written);
    // A status that is not known says nothing of a document that has replaced this one.
    const relations = documentRelations(all);
    const { replaced } = relations;
    const { valid, errors } = byValidity(all);
    const rest = valid.filter((d) => normalCode(d.status) === 'superseded' || replaced.has(d));
    const current = valid.filter((d) => !rest.includes(d));
    const item = (d: DocumentReference): Row => {
      const isOther = isOfOther(d, store);
      return {
        resource: d,
        when: written(d),
        title: titleOf(d),
        ...(attachmentsOf(d).length > 0 ? { open: () => openDocument(d, store) } : {}),
        status:
          joined(
            isOther ? t('names another person') : '',
            unusualStatus(d.status, 'current'),
            relationText(words(), d, relations),
            d.docStatus === 'final' ? '' : d.docStatus,
          ) || undefined,
        tone: isOther ? 'alert' : rest.includes(d) ? 'quiet' : 'plain',
        details: [...namesOf(d), references(words(), d.author), contentLine(d, store)],
      };
    };
    const folding = { name: t('Notes and documents'), stays: (d: DocumentReference) => isOfOther(d, store) };
    return {
      ...counted(current),
      body: html`${newestRows(current, item, folding, store)}
        ${foldedMany('{n} replaced or withdrawn document|{n} replaced or withdrawn documents', rest, item, store)}
        ${errorsFolded(errors, item, store)}`,
    };
  },
};
