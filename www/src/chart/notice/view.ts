//! The notice at the top of a chart: a line about what the chart leaves out, and its list.

import { type Signal, signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { capital } from '#reading/fhir/text.ts';
import { typeWords } from '#reading/fhir/type-words.ts';
import type { Resource } from '#reading/fhir/types.ts';
import { joinedBy } from '#reading/joined.ts';
import { kept } from '#reading/kept.ts';
import { setWhenDone } from '../../drawing.ts';
import { engine } from '../../engine/client.ts';
import { UNKNOWN_PATIENT } from '../../engine/documents/claim.ts';
import type { KnownPerson } from '../../engine/load/file-report.ts';
import { t, words } from '../../language/message.ts';
import { openDrawer } from '../../parts/drawer.ts';
import { aside, waiting } from '../../parts/notice.ts';
import { chartUrl, navigate } from '../../routes.ts';
import {
  absentRecords,
  files,
  mergePeople,
  type Pair,
  sameAs,
  separatePeople,
  similarPeople,
} from '../../source/files.ts';
import type { ChartStore } from '../loading/store.ts';
import { recordButton } from '../record/record-link.ts';
import { heldRecords, heldWords, namedPatient } from './held.ts';
import { NO_PATIENT, type NoticeEntry, type NoticeItem, noticeItems } from './items.ts';

/** The addresses of all records of a store's patient, once the engine has returned them. */
const known = kept(({ patient }: ChartStore): Signal<readonly string[]> => {
  const all = signal<readonly string[]>([]);
  setWhenDone(
    all,
    engine('addresses', 'files', patient, false).then(({ value }) => value),
  );
  return all;
});

/** Returns the addresses of the patient's records in the user's own files. For other sources, returns none. */
function addressesOf(store: ChartStore): readonly string[] {
  if (store.source.name !== 'files') return [];
  return known(store).value;
}

export function chartNotice(store: ChartStore): TemplateResult | typeof nothing {
  const notes = [claimedNote(store), peopleNote(store), leftOutNote(store)].filter((note) => note !== nothing);
  return notes.length > 0 ? html`${notes}` : nothing;
}

/** Says that records that name no patient are shown here, since the files have no patient. */
function claimedNote({ source, patient }: ChartStore): TemplateResult | typeof nothing {
  const n = source.name === 'files' && patient === UNKNOWN_PATIENT ? absentRecords(UNKNOWN_PATIENT) : 0;
  if (n === 0) return nothing;
  return html`<div class="state incomplete chart-claimed" role="note"><span class="mark" aria-hidden="true">!</span><p>
    <strong>${t('{n} record that names no patient is shown here.|{n} records that name no patient are shown here.', {
      n,
    })}</strong> ${t('They may be of several people.')}</p></div>`;
}

const personText = ({ who, id, file }: KnownPerson): string => `${who || t('Patient {id}', { id })} (${file})`;

/** Merges two charts. If this chart's person has no name, the other chart is kept. */
function join({ own, other }: Pair): void {
  const [kept, moved] = own.who === '' ? [other, own] : [own, other];
  void mergePeople(kept, moved).then(() => navigate(chartUrl('files', kept.patient)));
}

/** Names other charts that may be of the same person, with a button to merge each, and those that the user merged. */
function peopleNote({ source, patient }: ChartStore): TemplateResult | typeof nothing {
  const { value } = files;
  if (source.name !== 'files' || value.is !== 'open') return nothing;
  const [others, same] = [similarPeople(patient), sameAs(patient)];
  if (others.length + same.length === 0) return nothing;
  const button = (text: string, press: () => void): TemplateResult =>
    html`<button type="button" class="quiet" ?disabled=${value.isReading ?? false} @click=${press}>${text}</button>`;
  const isAsked = others.length > 0;
  return html`<div class=${isAsked ? 'state incomplete chart-alike' : 'chart-alike'} role="note">${
    isAsked ? html`<span class="mark" aria-hidden="true">!</span>` : nothing
  }<div>${
    isAsked ? html`<strong>${t('Are these the same person? Their charts are not joined.')}</strong>` : nothing
  }<ul role="list">${others.map(
    (pair) =>
      html`<li>${personText(pair.own)} ·
      <a href=${chartUrl('files', pair.other.patient)}>${personText(pair.other)}</a>
      ${button(t('These are the same person'), () => join(pair))}</li>`,
  )}${same.map(
    (one) =>
      html`<li>${t('You put the records of {person} into this chart.', {
        person: personText(one.other),
      })} ${button(t('Keep apart'), () => void separatePeople(one))}</li>`,
  )}</ul></div></div>`;
}

function leftOutNote(store: ChartStore): TemplateResult | typeof nothing {
  const items = noticeItems(store, addressesOf(store));
  if (items.length === 0) return nothing;
  const quiet = items.filter(({ isQuiet }) => isQuiet);
  const grave = items.filter(({ isQuiet }) => !isQuiet);
  const list = html`<button type="button" class="quiet" @click=${() => openList(items, store)}>${t(
    'Show the list',
  )}</button>`;
  const aside =
    quiet.length > 0 ? html`<span class="nothing-lost">${t('Nothing is missing:')} ${saidOf(quiet)}</span>` : '';
  if (grave.length === 0) return html`<p class="aside chart-notice" role="note">${aside} ${list}</p>`;
  return html`<div class="state incomplete chart-notice" role="note"><span class="mark" aria-hidden="true">!</span><p>
    <strong>${t('Left out of this chart:')}</strong> ${saidOf(grave)} ${list} ${aside}</p></div>`;
}

const saidOf = (items: NoticeItem[]): TemplateResult[] =>
  items.map(({ says }, i) => html`${i > 0 ? ' · ' : ''}<span>${says}</span>`);

interface Listed {
  item: NoticeItem;
  entries: NoticeEntry[];
  /** The loaded records by address. */
  held: ReadonlyMap<string, Resource>;
  /** The records of `held`. */
  records: Resource[];
}

/** Adds to an entry that is in no chart the patient whom its record names. */
function withNamed(entry: NoticeEntry, held: ReadonlyMap<string, Resource>): NoticeEntry {
  const who = entry.isOfNobody ? namedPatient(held.get(`${entry.type}/${entry.id}`)) : undefined;
  return who === undefined ? entry : { ...entry, reason: t('It names {who}, who is not found.', { who }) };
}

async function listed(item: NoticeItem, store: ChartStore): Promise<Listed> {
  const entries = await Promise.resolve(item.entries()).catch(() => []);
  const held = store.source.name === 'files' ? await heldRecords(entries) : store.all();
  return { item, entries: entries.map((entry) => withNamed(entry, held)), held, records: [...held.values()] };
}

/** Opens the list of what a chart leaves out. */
export const openLeftOut = (store: ChartStore): void => openList(noticeItems(store, addressesOf(store)), store);

function openList(items: NoticeItem[], store: ChartStore): void {
  const lists = signal<Listed[] | undefined>(undefined);
  setWhenDone(lists, Promise.all(items.map((item) => listed(item, store))));
  openDrawer(() => ({
    title: items.every(({ isQuiet }) => isQuiet)
      ? t('What was replaced or placed in this chart')
      : t('What this chart leaves out'),
    body: lists.value ? listView(lists.value, store) : waiting(t('the list')),
  }));
}

function listView(lists: Listed[], store: ChartStore): TemplateResult {
  return html`${lists.map(
    ({ item: { title, about, count }, entries, ...found }) => html`<section class="left-out"><h3>${title}
        <span class="count">${words().number(count)}</span></h3><p class="aside">${about}</p>
        ${
          entries.length > 0
            ? html`<ul role="list">${entries.map((entry) => entryView(entry, found, store))}</ul>`
            : nothing
        }
        ${aside(
          count > entries.length &&
            entries.length > 0 &&
            t('The first {shown} of {n}.', { shown: entries.length, n: count }),
        )}</section>`,
  )}`;
}

function entryView(
  entry: NoticeEntry,
  { held, records }: Pick<Listed, 'held' | 'records'>,
  store: ChartStore,
): TemplateResult {
  const { type, id, file, line, place, reason, isHeld, isOfNobody } = entry;
  const address = `${type}/${id}`;
  const resource = isHeld ? held.get(address) : undefined;
  const isNamed = id !== '' && (!resource || !reason.includes(id));
  const where = line !== undefined && t('line {line}', { line: words().number(line) });
  const small = joinedBy(' · ', file, where, place, isNamed && address);
  return html`<li>${
    resource
      ? recordLine(resource, records, store)
      : type
        ? html`<p><strong>${typeWords(words(), type)}</strong></p>`
        : nothing
  }${isOfNobody && reason === t(NO_PATIENT) ? nothing : html`<p>${capital(reason)}</p>`}${
    small ? html`<p class="aside breakable">${small}</p>` : nothing
  }</li>`;
}

/** Draws a record in words, with a button that opens it. */
function recordLine(resource: Resource, records: Resource[], store: ChartStore): TemplateResult {
  const { title, more } = heldWords(resource, records);
  return html`<p>${recordButton(store, resource, title, more)}${more ? html` <span>${more}</span>` : nothing}</p>`;
}
