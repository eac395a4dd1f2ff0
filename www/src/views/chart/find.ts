//! Finding records of a chart by the words in them: names, codes, values, dates and notes. The engine in this browser
//! looks through the records that the chart has loaded, as one types.

import { effect, signal, untracked } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import { openResource } from '../../chart/resource.ts';
import type { ChartStore } from '../../chart/store.ts';
import { engine } from '../../engine/client.ts';
import type { Finding } from '../../engine/types.ts';
import { shortDate } from '../../fhir/date.ts';
import { compact } from '../../fhir/json.ts';
import { type Meaning, meaningOf } from '../../fhir/meaning.ts';
import { clipped } from '../../fhir/text.ts';
import { isOfType, type Resource } from '../../fhir/types.ts';
import { t, translated } from '../../language/message.ts';
import { fieldValue } from '../../parts/form.ts';
import { yieldToPage } from '../../scheduling.ts';

/** The most records that are listed. */
const MOST = 30;
/** The records that are sent to the engine at a time, so that no frame is missed. */
const AT_ONCE = 150;
/** The longest part of a text that is shown around a word, in characters. */
const EXCERPT = 90;

interface FoundRecord {
  finding: Finding;
  resource: Resource;
}

export class ChartFind {
  readonly text = signal('');
  /** Nothing before the first answer to a text. */
  readonly found = signal<FoundRecord[] | undefined>(undefined);
  readonly isOpen = signal(false);
  readonly #store: ChartStore;
  /** Begins the searches of all sections. */
  readonly #begin: () => void;
  #remembered = -1;
  #remembering: Promise<void> | undefined;
  #asked = 0;
  readonly stop: () => void;

  constructor(store: ChartStore, begin: () => void) {
    this.#store = store;
    this.#begin = begin;
    this.stop = effect(() => {
      const { answered } = store;
      untracked(() => this.#refresh(answered));
    });
  }

  async setText(text: string): Promise<void> {
    this.text.value = text;
    this.isOpen.value = text.trim() !== '';
    const mine = ++this.#asked;
    if (!this.isOpen.value) {
      this.found.value = undefined;
      return;
    }
    await this.prepare();
    const { value } = await engine('find', text, MOST + 1);
    if (mine !== this.#asked) return;
    const all = this.#store.all();
    this.found.value = value.flatMap((finding) => {
      const resource = all.get(finding.address);
      return resource ? [{ finding, resource }] : [];
    });
  }

  close(): void {
    this.isOpen.value = false;
  }

  /** Looks again when more of the chart was loaded: what is being looked for may be there now. */
  #refresh(answered: number): void {
    const isBehind = this.#remembered >= 0 && this.#remembered !== answered;
    if (this.isOpen.value && isBehind) void this.setText(this.text.value);
  }

  /** Gives the engine the records that it does not have yet. */
  async prepare(): Promise<void> {
    this.#begin();
    while (this.#remembered !== this.#store.answered) {
      this.#remembering ??= this.#remember();
      await this.#remembering;
    }
  }

  async #remember(): Promise<void> {
    const answered = this.#store.answered;
    const all = [...this.#store.all().values()];
    const key = `${this.#store.source.key} ${this.#store.patient} ${answered}`;
    try {
      await engine('remember', key, '');
      for (let from = 0; from < all.length; from += AT_ONCE) {
        const lines = all.slice(from, from + AT_ONCE).map(compact);
        await engine('remember', key, lines.join('\n'));
        await yieldToPage();
      }
      this.#remembered = answered;
    } finally {
      // After a fault the next letter tries again.
      this.#remembering = undefined;
    }
  }
}

export function findView(find: ChartFind, store: ChartStore): TemplateResult {
  const [text, found, isOpen] = [find.text.value, find.found.value, find.isOpen.value];
  const input = { field: undefined as HTMLInputElement | undefined };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      find.close();
      input.field?.focus();
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    if (!(event.currentTarget instanceof HTMLElement)) return;
    const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, .found button')];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    stops[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
    event.preventDefault();
  };
  return html`<search class="find" @keydown=${onKey}>
    <label class="visually-hidden" for="find">${t('Find in this chart')}</label>
    <input id="find" type="search" placeholder=${t('Find in this chart')} autocomplete="off" spellcheck="false"
      .value=${text} ${ref((element) => {
        if (element instanceof HTMLInputElement) input.field = element;
      })}
      @focus=${() => void find.prepare()}
      @input=${(event: Event) => void find.setText(fieldValue(event))}>
    <p class="visually-hidden" role="status">${isOpen && found ? countText(found.length) : ''}</p>
    ${isOpen && found ? resultsView(found, text, store) : nothing}
  </search>`;
}

function countText(count: number): string {
  if (count === 0) return t('Nothing is found');
  return count > MOST ? t('The first {n} records', { n: MOST }) : t('{n} record|{n} records', { n: count });
}

function resultsView(found: FoundRecord[], text: string, store: ChartStore): TemplateResult {
  const included = [...store.all().values()];
  const [word = ''] = text.trim().split(/\s+/);
  return html`<div class="found" role="region" aria-label=${t('Records that were found')} tabindex="-1">
    <p class="found-count" aria-hidden="true">${
      found.length === 0 ? t('Nothing is found in the records that this chart has loaded.') : countText(found.length)
    }</p>
    <ul role="list">${found.slice(0, MOST).map(({ finding, resource }) => {
      const meaning = meaningOf(resource, included);
      const title = titleOf(resource, meaning);
      return html`<li><button type="button" @click=${() => openResource(resource, store)}>
        <span class="kind">${translated(meaning.kind)}</span> <span class="found-title">${title}</span>
        <span class="found-when">${meaning.when ? shortDate(meaning.when) : ''}</span>
        ${excerptView(finding, word, title)}</button></li>`;
    })}</ul></div>`;
}

/** The types whose records are told by their dose. */
const DOSED = ['MedicationRequest', 'MedicationStatement', 'MedicationAdministration'];

function titleOf(resource: Resource, { what, value, kind, caution }: Meaning): string {
  const isValued = isOfType('Observation', resource) || DOSED.includes(resource.resourceType);
  const title = isValued && what && value ? `${what}: ${value}` : (what ?? value ?? translated(kind));
  const short = clipped(title, 120);
  return caution ? `${short} (${caution})` : short;
}

/** The text with the word, if the title does not say it. */
function excerptView({ text }: Finding, word: string, title: string): TemplateResult | typeof nothing {
  const at = text.toLowerCase().indexOf(word.toLowerCase());
  const said = title.toLowerCase();
  if (said.includes(word.toLowerCase()) || said.includes(text.toLowerCase())) return nothing;
  const from = Math.max(0, at - EXCERPT / 3);
  const shown = text.slice(from, from + EXCERPT);
  return html`<span class="found-text">${from > 0 ? '…' : ''}${shown}${from + EXCERPT < text.length ? '…' : ''}</span>`;
}
