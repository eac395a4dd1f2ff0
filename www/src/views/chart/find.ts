//! The search of a chart for words: names, codes, values, dates and notes. The engine in this browser searches the
//! records that the chart has loaded, while the user types.

import { effect, signal, untracked } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { shortDate } from '#reading/fhir/date.ts';
import { compact } from '#reading/fhir/json.ts';
import { typeOf } from '#reading/fhir/record-address.ts';
import { clipped } from '#reading/fhir/text.ts';
import { isOfType, type Resource } from '#reading/fhir/types.ts';
import { type Meaning, meaningOf } from '#reading/records/meaning.ts';
import { related } from '#reading/results/related.ts';
import { openDocument } from '../../chart/documents/documents.ts';
import type { ChartStore } from '../../chart/loading/store.ts';
import { unassignedCount } from '../../chart/notice/items.ts';
import { openLeftOut } from '../../chart/notice/view.ts';
import { patientOf } from '../../chart/patient.ts';
import { openResource } from '../../chart/record/resource.ts';
import { loadedTests } from '../../chart/results/loaded-tests.ts';
import { SEARCHES } from '../../chart/sections.ts';
import { engine } from '../../engine/client.ts';
import type { Finding } from '../../engine/text-index.ts';
import { t, translated, words } from '../../language/message.ts';
import { fieldValue } from '../../parts/form.ts';
import { chartUrl } from '../../routes.ts';
import { inTurns } from '../../scheduling.ts';
import { readResult } from '../../source/source.ts';
import { DocumentTexts } from './find-texts.ts';
import { testsNamed, wordsFor } from './find-words.ts';

/** The most records that are listed. */
const MAX = 30;
/** The longest part of a text that is shown around a word, in characters. */
const EXCERPT = 90;

/** The types of the sections, in their order. Records that are found are listed in this order. */
const TYPES = [...new Set(SEARCHES.map(typeOf))];

interface FoundRecord {
  finding: Finding;
  resource: Resource;
}

const isDocument = ({ resourceType }: Resource): boolean =>
  ['Composition', 'DocumentReference', 'DiagnosticReport', 'Media', 'Communication', 'Consent'].includes(resourceType);

export class ChartFind {
  readonly text = signal('');
  /** `undefined` without a text, and before its first answer. */
  readonly found = signal<FoundRecord[] | undefined>(undefined);
  readonly isOpen = signal(false);
  readonly #store: ChartStore;
  /** Begins the searches of all sections. */
  readonly #begin: () => void;
  /** The number of answers of the store whose records the engine has; -1 at first. */
  #remembered = -1;
  #remembering: Promise<void> | undefined;
  /** The addresses of the records that the page has given to the engine. */
  readonly #given = new Set<string>();
  /** The records whose words the engine has, as `wordsFor` makes them, and the language of these words. */
  #described = { language: words().language, answered: -1, addresses: new Set<string>() };
  #describing: Promise<void> | undefined;
  /** The texts of documents, and the number of files that are not searched. */
  readonly texts: DocumentTexts;
  #asked = 0;
  readonly stop: () => void;

  constructor(store: ChartStore, begin: () => void) {
    this.#store = store;
    this.texts = new DocumentTexts(store);
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
    const isDescribed = this.#isDescribed;
    await this.#answer(text, mine);
    if (isDescribed) return;
    // The engine lacks words that the page makes of the records: it searches again once it has them.
    await this.#describe();
    if (mine === this.#asked) await this.#answer(text, mine);
  }

  /** Shows the records that are found. An empty result is shown only if the engine has all words. */
  async #answer(text: string, mine: number): Promise<void> {
    const isDescribed = this.#isDescribed;
    const { value } = await engine('find', text, MAX + 1);
    if (mine !== this.#asked) return;
    const found = await Promise.all(value.map((finding) => this.#recordOf(finding)));
    if (mine === this.#asked && (found.length > 0 || isDescribed)) {
      this.found.value = found.filter((one) => one !== undefined);
    }
  }

  /** Returns the record that was found. A record that the chart has not loaded is read. */
  async #recordOf(finding: Finding): Promise<FoundRecord | undefined> {
    const { address } = finding;
    const loaded = this.#store.all().get(address);
    if (loaded) return { finding, resource: loaded };
    try {
      const { matches } = readResult(await this.#store.source.read(address));
      const [resource] = related(await this.#store.named(matches), () => patientOf(this.#store));
      return resource && { finding, resource };
    } catch {
      // The record is of an older version of FHIR, or is not valid FHIR. The notice of the chart says so.
      return undefined;
    }
  }

  close(): void {
    this.isOpen.value = false;
  }

  /** Searches again when more of the chart was loaded, since the new records may match. */
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

  get #key(): string {
    const { source, patient } = this.#store;
    return `${source.key} ${patient}`;
  }

  /** True if the engine has the words that the page makes of all loaded records, in the language of the page. */
  get #isDescribed(): boolean {
    const { language: of, answered } = this.#described;
    return !this.#describing && of === words().language && answered === this.#store.answered;
  }

  /** Gives the engine the words that the page makes of the loaded records. */
  async #describe(): Promise<void> {
    if (!this.#isDescribed) {
      this.#describing ??= this.#describeFresh().finally(() => {
        this.#describing = undefined;
      });
      await this.#describing;
    }
  }

  async #describeFresh(): Promise<void> {
    const { answered } = this.#store;
    const isSameLanguage = this.#described.language === words().language;
    const known = isSameLanguage ? this.#described.addresses : new Set<string>();
    this.#described = { language: words().language, answered, addresses: known };
    const loaded = [...this.#store.all()];
    const medications = loaded.flatMap(([, one]) => (one.resourceType === 'Medication' ? [one] : []));
    const fresh = loaded.filter(([address]) => !known.has(address));
    let said: string[][] = [];
    const write = async ([address, resource]: [string, Resource]): Promise<void> => {
      known.add(address);
      const texts = isDocument(resource) ? await this.texts.of(resource) : [];
      const made = wordsFor(resource, medications);
      if (made ?? texts.length > 0) said.push([...(made ?? [address, '']), ...texts]);
    };
    await inTurns(fresh, write, () => {
      if (said.length === 0) return;
      // After an error, the next input tries again.
      void engine('describe', this.#key, said).catch(() => {
        this.#described.answered = -1;
        known.clear();
      });
      said = [];
    });
  }

  async #remember(): Promise<void> {
    const { answered, source, patient } = this.#store;
    const key = this.#key;
    try {
      const { name } = source;
      // The engine itself has the sample and the files. The page has the records of a session and of a trial of scopes.
      const isOfEngine = name !== 'session' && !source.grant;
      if (isOfEngine && this.#remembered < 0) {
        const { value } = await engine('addresses', name, patient, false);
        await engine('rememberAll', key, name, patient, TYPES);
        for (const address of value) this.#given.add(address);
      }
      const fresh = [...this.#store.all()].filter(([address]) => !this.#given.has(address));
      let lines: string[] = [];
      const write = ([address, resource]: [string, Resource]): void => {
        this.#given.add(address);
        lines.push(compact(resource));
      };
      await inTurns(fresh, write, () => {
        // The engine reads these lines while the next ones are written.
        void engine('remember', key, lines.join('\n')).catch(() => this.#given.clear());
        lines = [];
      });
      if (fresh.length === 0 && this.#remembered < 0) await engine('remember', key, '');
      this.#remembered = answered;
    } finally {
      // After an error, the next input tries again.
      this.#remembering = undefined;
    }
  }
}

export function findView(find: ChartFind, store: ChartStore): TemplateResult {
  const [text, found, isOpen] = [find.text.value, find.found.value, find.isOpen.value];
  const onKey = (event: KeyboardEvent): void => {
    if (!(event.currentTarget instanceof HTMLElement)) return;
    const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input,.found>ul>li>*')];
    if (event.key === 'Escape') {
      find.close();
      stops[0]?.focus();
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const at = stops.indexOf(document.activeElement as HTMLElement);
    stops[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
    event.preventDefault();
  };
  return html`<search class="find" @keydown=${onKey}>
    <label class="visually-hidden" for="find">${t('Find in this chart')}</label>
    <input id="find" type="search" placeholder=${t('Find in this chart')} autocomplete="off" spellcheck="false"
      .value=${text} @focus=${() => void find.prepare()}
      @input=${(event: Event) => void find.setText(fieldValue(event))}>
    <p class="visually-hidden" role="status">${isOpen && found ? countText(found.length) : ''}</p>
    ${isOpen && found ? resultsView(found, text, store, find.texts.unread) : nothing}
  </search>`;
}

function countText(count: number): string {
  if (count === 0) return t('Nothing is found');
  return count > MAX
    ? t('The first {n} records; more words find fewer', { n: MAX })
    : t('{n} record|{n} records', { n: count });
}

function resultsView(found: FoundRecord[], text: string, store: ChartStore, unread: number): TemplateResult {
  const included = [...store.all().values()];
  const [word = ''] = text.trim().split(/\s+/);
  return html`<div class="found" role="region" aria-label=${t('Records that were found')} tabindex="-1">
    <p class="found-count" aria-hidden="true">${
      found.length === 0 ? t('Nothing is found in the records that this chart has loaded.') : countText(found.length)
    }</p>
    ${unsearched(store)}${
      unread > 0
        ? html`<p class="found-count unsearched">${t(
            'The content of {n} attached file was not searched.|The content of {n} attached files was not searched.',
            { n: unread },
          )}</p>`
        : nothing
    }
    <ul role="list">${testsNamed(text, loadedTests(store)).map(
      ({ key, name, apart, count }) => html`<li><a href=${chartUrl(store.source.name, store.patient, 'trend', key)}>
        <span class="kind">${t('Trend')}</span> <span class="found-title">${name}</span>
        <span class="found-when">${t('{n} result|{n} results', { n: count })}</span>
        ${apart ? html`<span class="found-text">${apart}</span>` : nothing}</a></li>`,
    )}${found.slice(0, MAX).map(({ finding, resource }) => {
      const meaning = meaningOf(words(), resource, included);
      const [name, more] = titleOf(resource, meaning);
      return html`<li><button type="button" @click=${() => openFound(resource, finding, word, store)}>
        <span class="kind">${translated(meaning.kind)}</span> <span class="found-title"><bdi>${name}</bdi>${more}</span>
        <span class="found-when">${meaning.when ? shortDate(words(), meaning.when) : ''}</span>
        ${excerptView(finding, word, `${name}${more}`)}</button></li>`;
    })}</ul></div>`;
}

/** Opens a record that was found. A Composition is scrolled to the passage with the word. */
function openFound(resource: Resource, { element }: Finding, word: string, store: ChartStore): void {
  if (element === 'words' && isOfType('DocumentReference', resource)) openDocument(resource, store);
  else openResource(resource, store);
  if (element !== 'words' || resource.resourceType !== 'Composition') return;
  const wanted = word.toLowerCase();
  requestAnimationFrame(() => {
    const frames = [...(document.querySelector('dialog[open]')?.querySelectorAll('.document-words') ?? [])];
    const parts = frames.flatMap((frame) => [...frame.querySelectorAll('tr,li,p')]);
    parts.find(({ textContent }) => textContent?.toLowerCase().includes(wanted))?.scrollIntoView({ block: 'center' });
  });
}

/** Says how many records of the files are not searched, since they are in no chart. */
function unsearched(store: ChartStore): TemplateResult | typeof nothing {
  const n = unassignedCount(store);
  if (n === 0) return nothing;
  return html`<p class="found-count unsearched">${t(
    '{n} record that names no patient was not searched.|{n} records that name no patient were not searched.',
    { n },
  )} <button type="button" class="quiet inset" @click=${() => openLeftOut(store)}>${t('Show the list')}</button></p>`;
}

/** The types whose titles include the dose. */
const DOSED = ['MedicationRequest', 'MedicationStatement', 'MedicationAdministration'];

/** Returns the name of a record, and what follows it: its value, its dose, and a caution. */
function titleOf(resource: Resource, { what, value, kind, caution }: Meaning): [name: string, more: string] {
  const isValued = isOfType('Observation', resource) || DOSED.includes(resource.resourceType);
  const name = clipped(what ?? value ?? translated(kind), 120);
  const short = clipped(isValued && what && value ? `${name}: ${value}` : name, 120);
  return [short.slice(0, name.length), `${short.slice(name.length)}${caution ? ` (${caution})` : ''}`];
}

/** Draws the text around the word, unless the title has it. */
function excerptView({ text }: Finding, word: string, title: string): TemplateResult | typeof nothing {
  const at = text.toLowerCase().indexOf(word.toLowerCase());
  const said = title.toLowerCase();
  if (said.includes(word.toLowerCase()) || said.includes(text.toLowerCase())) return nothing;
  const from = Math.max(0, at - EXCERPT / 3);
  const shown = text.slice(from, from + EXCERPT);
  return html`<span class="found-text">${from > 0 ? '…' : ''}${shown}${from + EXCERPT < text.length ? '…' : ''}</span>`;
}
