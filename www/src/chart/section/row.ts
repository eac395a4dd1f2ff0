//! One record in a list: its date, title, status and details. All lists of the chart are made of these rows.

import { html, nothing, type TemplateResult } from 'lit-html';
import { shortDate } from '#reading/fhir/date.ts';
import { clipped, isEnteredInError, plain } from '#reading/fhir/text.ts';
import type { Resource } from '#reading/fhir/types.ts';
import { type CountMessage, type PlainMessage, t, words } from '../../language/message.ts';
import { folded } from '../../parts/folded.ts';
import { longList } from '../../parts/long-list.ts';
import { tag } from '../../parts/tag.ts';
import { whenOpen } from '../../parts/when-open.ts';
import type { ChartStore } from '../loading/store.ts';
import { recordButton } from '../record/record-link.ts';
import { recordMark } from '../record/record-mark.ts';
import { otherHeadingText } from '../summary-document/documents.ts';
import { type Folding, newestOf } from './newest.ts';

export interface Row {
  resource: Resource;
  when: string | undefined;
  title: string;
  status?: string | undefined;
  /** `quiet` is for past or minor entries, `alert` for those that must be seen. */
  tone?: 'plain' | 'quiet' | 'alert' | 'error' | undefined;
  details?: unknown[];
  /** Opens the content of the record, such as the text of a note. Without this function, the record opens. */
  open?: () => void;
}

function row(
  { resource, when, title, status, tone = 'plain', details = [], open }: Row,
  store: ChartStore,
): TemplateResult {
  const said = [...details, otherHeadingText(resource, store)].filter(
    (detail) => detail !== undefined && detail !== '' && detail !== nothing && detail !== false,
  );
  return html`<li class="row" data-tone=${tone}>
    <span class="when">${when ? shortDate(words(), when) : html`<span class="none">${t('no date')}</span>`}</span>
    <div class="what">
      <p class="title">${
        open
          ? html`<button type="button" class="record" @click=${open}>${title}</button>${recordMark(resource, status)}`
          : recordButton(store, resource, title, status)
      }${tag(plain(words(), status), tone)}</p>
      ${
        said.length
          ? html`<div class="details">${said.map(
              (detail) =>
                html`<div class="detail">${typeof detail === 'string' ? clipped(detail, 4000) : detail}</div>`,
            )}</div>`
          : nothing
      }
    </div>
  </li>`;
}

export type RowMaker<T> = (one: T, store: ChartStore) => Row;

/** Draws rows for possibly hundreds of records. Each row is made when it is drawn. */
export const rowsOf = <T>(list: readonly T[], item: RowMaker<T>, store: ChartStore): TemplateResult =>
  html`<ul class="rows" role="list">${longList(list, (one) => row(item(one, store), store))}</ul>`;

/** Draws rows under a title, which may have their number. Draws nothing if there are none. */
export const titledRows = <T>(
  title: CountMessage,
  list: readonly T[],
  item: RowMaker<T>,
  store: ChartStore,
): TemplateResult | typeof nothing =>
  list.length > 0 ? html`<h3>${t(title, { n: list.length })}</h3>${rowsOf(list, item, store)}` : nothing;

/** Draws rows that are folded away under a title. Draws nothing if there are none. */
export const foldedRows = <T>(
  title: CountMessage,
  list: readonly T[],
  item: RowMaker<T>,
  store: ChartStore,
  open = false,
): TemplateResult | typeof nothing =>
  list.length > 0 ? folded(t(title, { n: list.length }), rowsOf(list, item, store), open) : nothing;

/** Like `foldedRows`, with rows that are made when they are opened: there may be hundreds. */
export const foldedMany = <T>(
  title: CountMessage,
  list: readonly T[],
  item: RowMaker<T>,
  store: ChartStore,
): TemplateResult | typeof nothing => {
  const made = whenOpen(() => rowsOf(list, item, store));
  return list.length > 0 ? folded(t(title, { n: list.length }), made) : nothing;
};

/** Draws the newest of some records as rows, and the others behind a button. Each row is made when it is drawn. */
export const newestRows = <T>(all: readonly T[], item: RowMaker<T>, folding: Folding<T>, store: ChartStore): unknown =>
  newestOf(all, (some) => rowsOf(some, item, store), folding, store);

/** Returns the valid records among some, and those that were entered in error. */
export function byValidity<T extends Resource>(all: readonly T[]): { valid: T[]; errors: T[] } {
  const errors = all.filter(isEnteredInError);
  return { valid: all.filter((one) => !errors.includes(one)), errors };
}

/** Draws the records that were entered in error, folded away. Draws nothing if there are none. */
export const errorsFolded = <T>(
  list: readonly T[],
  item: RowMaker<T>,
  store: ChartStore,
): TemplateResult | typeof nothing => {
  const errorRow: RowMaker<T> = (one) => ({ ...item(one, store), status: 'entered-in-error', tone: 'error' });
  return foldedRows('{n} entry made in error|{n} entries made in error', list, errorRow, store);
};

export const labelled = (label: PlainMessage, value: unknown): TemplateResult | undefined =>
  value === undefined || value === '' ? undefined : html`<span class="label">${t(label)}</span> ${value}`;

export const unusualStatus = (status: string | undefined, usual: string): string | undefined =>
  status === usual ? undefined : status === 'entered-in-error' ? 'entered in error' : status;
