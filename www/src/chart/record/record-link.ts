//! Links to a record, or to the trend of a test, in a chart. They are real links: an ordinary click opens a record in
//! the drawer over the chart, and any other click, such as one with the middle button, opens its address.

import { html, nothing, type TemplateResult } from 'lit-html';
import type { Resource } from '#reading/fhir/types.ts';
import { chartUrl } from '../../routes.ts';
import type { ChartStore } from '../loading/store.ts';
import { recordMark } from './record-mark.ts';
import { openResource } from './resource.ts';

/** The target of a link: a record, with the words beside it, or the results of a test by its key. */
export type LinkTarget = { record: Resource; told?: string } | { trend: string };

function targetUrl({ source, patient }: Pick<ChartStore, 'source' | 'patient'>, to: LinkTarget): string {
  if ('trend' in to) return chartUrl(source.name, patient, 'trend', to.trend);
  return chartUrl(source.name, patient, 'record', to.record.resourceType, to.record.id);
}

/** Returns whether the browser should handle a click itself, for example to open a new tab. */
const isForBrowser = ({ button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  button !== 0 || altKey || ctrlKey || metaKey || shiftKey;

const opens =
  (store: ChartStore, record: Resource) =>
  (event: MouseEvent): void => {
    if (isForBrowser(event)) return;
    event.preventDefault();
    openResource(record, store);
  };

export const entryLink = (store: ChartStore, to: LinkTarget, content: unknown): TemplateResult =>
  html`<a class="entry" href=${targetUrl(store, to)} @click=${
    'record' in to ? opens(store, to.record) : nothing
  }>${content}${'record' in to ? recordMark(to.record, to.told) : nothing}</a>`;

/** Draws a button that opens a record. `told`: the words beside it, which the mark of the record does not repeat. */
export const recordButton = (store: ChartStore, record: Resource, content: unknown, told?: string): TemplateResult =>
  html`<button type="button" class="record" @click=${() => openResource(record, store)}>${content}</button>${recordMark(
    record,
    told,
  )}`;

/** A link to a record within a line. */
export const recordLink = (store: ChartStore, record: Resource, content: unknown, told?: string): TemplateResult =>
  html`<a href=${targetUrl(store, { record })} @click=${opens(store, record)}>${content}</a>${recordMark(
    record,
    told,
  )}`;
