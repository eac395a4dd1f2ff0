//! Links to a record, or to the trend of a test, in a chart. They are real links: an ordinary press opens a record in
//! the drawer over the chart, and any other one, such as that of the middle button, opens its address.

import { html, nothing, type TemplateResult } from 'lit-html';
import type { Resource } from '../fhir/types.ts';
import { chartUrl } from '../routes.ts';
import { openResource } from './resource.ts';
import type { ChartStore } from './store.ts';
import { unclaimedMark } from './unclaimed-mark.ts';

/** What a link leads to: a record, or the results of a test by its key. */
export type LinkTarget = { record: Resource } | { trend: string };

/** The address of a target. */
export function targetUrl({ source, patient }: Pick<ChartStore, 'source' | 'patient'>, to: LinkTarget): string {
  if ('trend' in to) return chartUrl(source.name, patient, 'trend', to.trend);
  return chartUrl(source.name, patient, 'record', to.record.resourceType, to.record.id);
}

/** Returns whether a press asks for what the browser does with a link by itself, such as to open a new tab. */
const isForBrowser = ({ button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  button !== 0 || altKey || ctrlKey || metaKey || shiftKey;

/** An entry of an overview that leads to its target. */
export function entryLink(store: ChartStore, to: LinkTarget, content: unknown): TemplateResult {
  const open = (event: MouseEvent): void => {
    if ('trend' in to || isForBrowser(event)) return;
    event.preventDefault();
    openResource(to.record, store);
  };
  return html`<a class="entry" href=${targetUrl(store, to)} @click=${open}>${content}${
    'record' in to ? unclaimedMark(to.record) : nothing
  }</a>`;
}
