//! The notice at the top of a chart: what it leaves out, in a line, and the list behind it, which can be downloaded.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { engine } from '../../engine/client.ts';
import { capital } from '../../fhir/text.ts';
import { typeWords } from '../../fhir/type-words.ts';
import { t } from '../../language/message.ts';
import { number } from '../../language/number.ts';
import { download } from '../../parts/copy.ts';
import { openDrawer } from '../../parts/drawer.ts';
import { waiting } from '../../parts/notice.ts';
import type { ChartStore } from '../store.ts';
import { csv } from './csv.ts';
import { type NoticeEntry, type NoticeItem, noticeItems } from './items.ts';

/** The addresses of all records of the patient of a store, once the engine has told them. */
const known = new WeakMap<ChartStore, ReturnType<typeof signal<readonly string[]>>>();

/** What own files have of the patient. A server says of no type what it has, and what the sample has is known. */
function addressesOf(store: ChartStore): readonly string[] {
  if (store.source.name !== 'files') return [];
  let all = known.get(store);
  if (!all) {
    const fresh = signal<readonly string[]>([]);
    all = fresh;
    known.set(store, fresh);
    engine('addresses', 'files', store.patient, false).then(
      ({ value }) => {
        fresh.value = value;
      },
      () => undefined,
    );
  }
  return all.value ?? [];
}

export function chartNotice(store: ChartStore): TemplateResult | typeof nothing {
  const items = noticeItems(store, addressesOf(store));
  if (items.length === 0) return nothing;
  return html`<div class="state incomplete chart-notice" role="note"><span class="mark" aria-hidden="true">!</span><p>
    <strong>${t('Left out or changed in this chart:')}</strong>
    ${items.map(({ says }, i) => html`${i > 0 ? ' · ' : ''}<span>${says}</span>`)}
    <button type="button" class="quiet" @click=${() => openList(items)}>${t('Show the list')}</button></p></div>`;
}

interface Listed {
  item: NoticeItem;
  entries: NoticeEntry[];
}

function openList(items: NoticeItem[]): void {
  const lists = signal<Listed[] | undefined>(undefined);
  void Promise.all(
    items.map(async (item) => ({ item, entries: await Promise.resolve(item.entries()).catch(() => []) })),
  ).then((all) => {
    lists.value = all;
  });
  openDrawer(() => ({
    title: t('What this chart leaves out'),
    body: lists.value ? listView(lists.value) : waiting(t('the list')),
  }));
}

function listView(lists: Listed[]): TemplateResult {
  const save = (): void => {
    const rows = lists.flatMap(({ item, entries }) =>
      entries.map(({ type, id, file = '', line, place = '', reason }) => [
        item.title,
        type,
        id,
        file,
        line === undefined ? '' : String(line),
        place,
        reason,
      ]),
    );
    const head = [t('Kind'), t('Type'), t('Id'), t('File'), t('Line'), t('Place'), t('Reason')];
    download('left-out.csv', 'text/csv', [csv([head, ...rows])]);
  };
  return html`<p class="actions"><button type="button" @click=${save}>${t('Download the list')}</button></p>
    ${lists.map(
      ({ item: { title, about, count }, entries }) => html`<section class="left-out"><h3>${title}
        <span class="count">${number(count)}</span></h3><p class="aside">${about}</p>
        ${entries.length > 0 ? html`<ul role="list">${entries.map(entryView)}</ul>` : nothing}
        ${
          count > entries.length && entries.length > 0
            ? html`<p class="aside">${t('The first {shown} of {n}.', { shown: entries.length, n: count })}</p>`
            : nothing
        }</section>`,
    )}`;
}

function entryView({ type, id, file, line, place, reason }: NoticeEntry): TemplateResult {
  const where = [file, line === undefined ? '' : t('line {line}', { line: number(line) }), place].filter(Boolean);
  return html`<li><p>${type ? html`<strong>${typeWords(type)}</strong> ` : nothing}${
    id ? html`<code class="breakable">${id}</code>` : nothing
  }</p><p>${capital(reason)}</p>${
    where.length > 0 ? html`<p class="aside breakable">${where.join(' · ')}</p>` : nothing
  }</li>`;
}
