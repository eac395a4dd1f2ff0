//! The records of all types without a section of their own, each in a row.

import { html, nothing, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import { type DocumentRelations, documentRelations, relationText } from '#reading/documents/related-documents.ts';
import { statusCaution } from '#reading/fhir/certainty.ts';
import { newest } from '#reading/fhir/date.ts';
import { valuesAt } from '#reading/fhir/element-text.ts';
import { BILLING, OTHER, typesOf } from '#reading/fhir/other-types.ts';
import { isEnteredInError } from '#reading/fhir/text.ts';
import type { Resource } from '#reading/fhir/types.ts';
import { joined } from '#reading/joined.ts';
import { meaningOf } from '#reading/records/meaning.ts';
import { LINE } from '#reading/records/other-words.ts';
import { type PlainMessage, t, translated, words } from '../language/message.ts';
import type { ChartStore } from './loading/store.ts';
import { counted } from './section/other-count.ts';
import { errorsFolded, labelled, newestRows, type Row } from './section/row.ts';
import type { Section } from './section/section.ts';

/** Returns the row for a record of any type: what it is about, when, its value and its author. */
export function otherRow(resource: Resource, relations?: DocumentRelations): Row {
  const { kind, what, when, who, value } = meaningOf(words(), resource);
  const isError = isEnteredInError(resource);
  const related = relations && relationText(words(), resource, relations);
  return {
    resource,
    when,
    title: what ?? translated(kind),
    status: joined(statusCaution(words(), resource), related) || undefined,
    tone: isError ? 'error' : relations?.replaced.has(resource) ? 'quiet' : 'plain',
    details: [...(value?.split(LINE) ?? []), labelled('Who', who)],
  };
}

/** Draws the records by their kinds, in the order of their types. */
function groups(all: readonly Resource[], query: string, store: ChartStore): TemplateResult[] {
  return typesOf(query).flatMap((type) => {
    const ofType = all.filter(({ resourceType }) => resourceType === type);
    const [first] = ofType;
    if (!first) return [];
    const name = translated(meaningOf(words(), first).kind);
    const relations = documentRelations(ofType);
    const made = newest(
      ofType.map((one) => otherRow(one, relations)),
      ({ when }) => when,
    );
    const errors = made.filter(({ resource }) => isEnteredInError(resource));
    const rows = made.filter((row) => !errors.includes(row));
    // What was replaced comes last.
    const isLast = ({ resource }: Row): boolean => relations.replaced.has(resource);
    const items = [...rows.filter((row) => !isLast(row)), ...rows.filter(isLast)];
    // A detected issue of high severity is always shown.
    const stays = ({ resource }: Row): boolean => valuesAt(resource, 'severity').includes('high');
    return [
      html`<h3>${name} <span class="count">${rows.length}</span></h3>
        ${newestRows(items, (item) => item, { name, stays }, store)}${errorsFolded(errors, (row) => row, store)}`,
    ];
  });
}

/** Draws a place for records that are loaded when its button is pressed or, unless bills, when it comes into sight. */
function laterView(query: string, what: PlainMessage, says: PlainMessage, store: ChartStore): TemplateResult {
  const load = (): void => store.begin(query);
  const watch = (element: Element | undefined): void => {
    if (!element || query === BILLING) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      load();
    });
    observer.observe(element);
  };
  return html`<p class="state later" ${ref(watch)}><span><span class="label">${t(what)}</span> ${t(
    'Not loaded yet.',
  )}</span> <button type="button" class="quiet" @click=${load}>${t(says)}</button></p>`;
}

export const otherRecords: Section = {
  id: 'other',
  title: 'Other records',
  queries: [OTHER, BILLING],
  nothing: 'No record of another type is in this chart.',
  show([others, billing], store) {
    // The uses of devices stand at the devices.
    const all = (others?.matches ?? []).filter(({ resourceType }) => resourceType !== 'DeviceUseStatement');
    const bills = billing?.matches ?? [];
    const shown = [...all, ...bills];
    return {
      ...counted(shown.filter((one) => !isEnteredInError(one))),
      ...(others?.later ? { brief: t('not loaded yet') } : {}),
      none: shown.length === 0 && !others?.later ? 'No record of another type is in this chart.' : undefined,
      body: html`${groups(all, OTHER, store)}${
        others?.later ? laterView(OTHER, 'Other records', 'Load the other records', store) : nothing
      }${groups(bills, BILLING, store)}${
        billing?.later
          ? laterView(BILLING, 'Bills and insurance claims', 'Look for bills and insurance claims', store)
          : nothing
      }`,
    };
  },
};
