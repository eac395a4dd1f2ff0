//! A line of the banner with records that must be seen first.

import { html, nothing, type TemplateResult } from 'lit-html';
import type { Resource } from '#reading/fhir/types.ts';
import { type PlainMessage, t } from '../language/message.ts';
import type { ChartStore } from './loading/store.ts';
import { recordButton } from './record/record-link.ts';

export const ALERT_SIGN = html`<span class="sign" aria-hidden="true">▲</span>`;

interface BannerLine {
  title: PlainMessage;
  /** The class of the line. */
  kind?: string;
  /** The words in place of records that could not be read. */
  without?: string | undefined;
  records: readonly { record: Resource; name: string; about: string; isAlert: boolean }[];
  /** True if not all records can be shown. */
  isPartial?: boolean;
}

/** Draws a line. Each record opens. Draws nothing if there is nothing to say. */
export function bannerLine(
  { title, kind = '', without, records, isPartial }: BannerLine,
  store: ChartStore,
): TemplateResult | typeof nothing {
  if (records.length === 0 && !without && !isPartial) return nothing;
  const none = (text: string): TemplateResult => html`<span class="none">${text}</span>`;
  return html`<div class=${`flag-line ${kind}`}><strong>${t(title)}</strong> ${without ? none(without) : nothing}<ul
    role="list">${records.map(
      ({ record, name, about, isAlert }) =>
        html`<li>${isAlert ? html`${ALERT_SIGN} ` : nothing}${recordButton(
          store,
          record,
          name,
          about,
        )}${about ? html` <span class="reaction">${about}</span>` : nothing}</li> `,
    )}</ul>${isPartial ? none(t('not all can be shown')) : nothing}</div>`;
}
