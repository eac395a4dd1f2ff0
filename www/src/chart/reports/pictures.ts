//! Pictures and recordings (Media) in the section of reports. Those that no report names form a group. A picture is
//! shown in place if the record holds its content.

import { html, nothing, type TemplateResult } from 'lit-html';
import { statusCaution } from '#reading/fhir/certainty.ts';
import { containedIn } from '#reading/fhir/contained.ts';
import { clockDate, newest } from '#reading/fhir/date.ts';
import { firstWritten, textAt, valuesAt } from '#reading/fhir/element-text.ts';
import { searchOf } from '#reading/fhir/other-types.ts';
import { recordAddress, referredAddress } from '#reading/fhir/record-address.ts';
import { isEnteredInError, reference } from '#reading/fhir/text.ts';
import { type Attachment, attachmentShape, type DiagnosticReport, type Resource } from '#reading/fhir/types.ts';
import { joinedBy } from '#reading/joined.ts';
import { meaningOf } from '#reading/records/meaning.ts';
import { isShaped } from '#reading/shape.ts';
import { t, words } from '../../language/message.ts';
import { openDrawer } from '../../parts/drawer.ts';
import { attachmentView, pictureIn } from '../documents/attachment.ts';
import type { ChartStore } from '../loading/store.ts';
import { recordButton } from '../record/record-link.ts';
import { byValidity, errorsFolded, labelled, newestRows, type Row } from '../section/row.ts';

export const MEDIA = searchOf('Media');

const madeAt = (media: unknown): string | undefined =>
  firstWritten(media, ['createdDateTime', 'createdPeriod.start', 'issued']);

const contentOf = (media: unknown): Attachment | undefined =>
  valuesAt(media, 'content').find((one) => isShaped(attachmentShape, one));

const namedIn = (reports: readonly DiagnosticReport[]): Set<string> =>
  new Set(reports.flatMap(({ media = [] }) => media.map(({ link }) => referredAddress(link?.reference))));

/** Opens a picture or a recording in the drawer. */
function openMedia(media: Resource, title: string, store: ChartStore): void {
  const content = contentOf(media);
  const about = (): string => joinedBy(' · ', clockDate(words(), madeAt(media)), textAt(words(), media, 'operator'));
  openDrawer(() => ({
    title,
    body: html`<p class="lead">${about()}</p>
      ${textAt(words(), media, 'note') ?? nothing}
      ${content ? attachmentView(content, media, store) : nothing}
      <p class="actions">${recordButton(store, media, t('The whole record'))}</p>`,
  }));
}

function item(media: Resource, store: ChartStore): Row {
  const content = contentOf(media);
  const title = meaningOf(words(), media).what ?? t('Picture or recording');
  const note = textAt(words(), media, 'note');
  return {
    resource: media,
    when: madeAt(media),
    title,
    status: statusCaution(words(), media),
    tone: isEnteredInError(media) ? 'error' : 'plain',
    details: [
      labelled('Site', textAt(words(), media, 'bodySite')),
      labelled('View#of a picture', textAt(words(), media, 'view')),
      labelled('Reason', textAt(words(), media, 'reasonCode')),
      labelled('By', textAt(words(), media, 'operator')),
      note,
      content
        ? html`${pictureIn(content, media, note ?? title, store) ?? nothing}<button type="button" class="quiet inset"
            @click=${() => openMedia(media, title, store)}>${t('Open#a picture')}<span
            class="visually-hidden"> ${title}</span></button>`
        : html`<span class="aside">${t('The record names no content.')}</span>`,
    ],
  };
}

export const withoutReport = (all: readonly Resource[], reports: readonly DiagnosticReport[]): Resource[] => {
  const named = namedIn(reports);
  return all.filter((media) => !named.has(recordAddress(media)));
};

/** Draws the group of Media, or nothing if there are none. */
export function mediaView(all: readonly Resource[], store: ChartStore): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  const { valid: made, errors } = byValidity(all);
  const valid = newest(made, madeAt);
  const name = t('Pictures and recordings');
  return html`<h3>${name} <span class="count">${valid.length}</span></h3>
    ${newestRows(valid, item, { name }, store)}${errorsFolded(errors, item, store)}`;
}

/** Draws the pictures and recordings that a report names, each with its comment, for the report's drawer. */
export const mediaOf = (report: DiagnosticReport, store: ChartStore): TemplateResult[] =>
  (report.media ?? []).map(({ comment, link }) => {
    const inside = containedIn(report, link?.reference);
    const found = store.find(referredAddress(link?.reference));
    const content = contentOf(inside ?? found);
    if (!content)
      return html`<p class="detail"><span class="label">${t('Picture')}</span> ${
        comment ?? reference(words(), link)
      } <span
        class="aside">${(inside ?? found) ? t('The record names no content.') : t('not shown here')}</span></p>`;
    // A contained Media cannot contain resources itself: what it refers to is contained in the report.
    const owner = inside ? report : (found ?? report);
    return attachmentView(
      content,
      owner,
      store,
      comment ?? content.title ?? textAt(words(), inside ?? found, 'view', 'note'),
    );
  });
