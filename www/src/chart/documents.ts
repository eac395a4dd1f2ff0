//! Notes and documents, and reading one in the drawer.

import { html, nothing } from 'lit-html';
import { clockDate, newest, periodDate, shortDate } from '../fhir/date.ts';
import { concept, isEnteredInError, references } from '../fhir/text.ts';
import type { DocumentReference } from '../fhir/types.ts';
import { ofType } from '../fhir/types.ts';
import { t } from '../language/message.ts';
import { openDrawer } from '../parts/drawer.ts';
import { attachmentView } from './attachment.ts';
import { kindName } from './attachment-content.ts';
import { foldedMany, type Row, rows, unusualStatus } from './row.ts';
import type { Section, SectionContext } from './section.ts';
import { isOfOther, otherSubjectNote } from './whose-document.ts';

const written = (d: DocumentReference): string | undefined => periodDate(d.context?.period) ?? d.date;

function readDocument(d: DocumentReference, context: SectionContext): void {
  openDrawer(() => ({
    title: concept(d.type) ?? t('Document'),
    body: html`${otherSubjectNote(d, context.store)}<p class="lead">${[clockDate(written(d)), references(d.author)].filter(Boolean).join(' · ')}</p>
      ${d.description ? html`<p>${d.description}</p>` : nothing}
      ${(d.content ?? []).map(({ attachment }) => (attachment ? attachmentView(attachment, d, context) : nothing))}
      <p class="actions">${context.link(d, t('The whole record'))}</p>`,
  }));
}

export const documents: Section = {
  id: 'documents',
  title: 'Notes and documents',
  queries: ['DocumentReference?patient={patient}&_count=200'],
  nothing: 'No data: no document is recorded in this chart.',
  show([found], context) {
    const all = newest(ofType('DocumentReference', found?.matches), written);
    const valid = all.filter(({ status }) => status === 'current' || status === undefined);
    const rest = all.filter((d) => !valid.includes(d));
    const item = (d: DocumentReference): Row => ({
      resource: d,
      when: written(d),
      title: concept(d.type) ?? t('Document'),
      open: () => readDocument(d, context),
      status:
        [
          isOfOther(d, context.store) ? t('names another person') : '',
          unusualStatus(d.status, 'current'),
          d.docStatus === 'final' ? '' : d.docStatus,
        ]
          .filter(Boolean)
          .join(', ') || undefined,
      tone: isEnteredInError(d)
        ? 'error'
        : isOfOther(d, context.store)
          ? 'alert'
          : d.status === 'superseded'
            ? 'quiet'
            : 'plain',
      details: [
        d.description,
        references(d.author),
        html`<button type="button" class="quiet inset" @click=${() => readDocument(d, context)}>${t('Read')}<span
          class="visually-hidden"> ${concept(d.type)}, ${shortDate(written(d))}</span></button>
          <span class="aside">${(d.content ?? [])
            .map(({ attachment }) => (attachment ? kindName(attachment) : ''))
            .filter(Boolean)
            .join(', ')}</span>`,
      ],
    });
    return {
      count: valid.length,
      body: html`${rows(valid.map(item), context)}${
        rest.length
          ? foldedMany(
              t('{n} replaced or withdrawn document|{n} replaced or withdrawn documents', { n: rest.length }),
              () => rows(rest.map(item), context),
            )
          : nothing
      }`,
    };
  },
};
