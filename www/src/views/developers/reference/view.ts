//! The reference: the types with their search parameters and the operations, as the server describes them, and the
//! errors. Requests can be sent from the page.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { onChange } from '../../../drawing.ts';
import { errorText } from '../../../error-text.ts';
import { t } from '../../../language/message.ts';
import { fieldValue } from '../../../parts/form.ts';
import { failed, waiting } from '../../../parts/notice.ts';
import { debounced, onceDrawn } from '../../../scheduling.ts';
import { type Example, loadExamples } from '../../../search/examples.ts';
import { type SearchedType, searchedTypes } from '../../../source/searched-types.ts';
import type { OpenView } from '../../../view.ts';
import { described } from './described.ts';
import { errorsPage } from './errors-page.ts';
import { ERRORS, entriesOf, find, type ReferenceHit, referenceUrl } from './find.ts';
import { type Api, loadApi, type Operation } from './openapi.ts';
import { operationPage } from './operation-page.ts';
import { typePage } from './type-page.ts';

/** The most hits that a search lists. */
const MAX_HITS = 60;

class ReferenceModel {
  readonly api = signal<Api | undefined>(undefined);
  readonly examples = signal<readonly Example[]>([]);
  /** The types with the search parameters that the server supports; `undefined` until it has answered. */
  readonly served = signal<readonly SearchedType[] | undefined>(undefined);
  readonly problem = signal<string | undefined>(undefined);
  readonly hits = signal<readonly ReferenceHit[] | undefined>(undefined);
  #entries: ReturnType<typeof entriesOf> | undefined;

  readonly find = debounced((query: string): void => {
    const { value: api } = this.api;
    if (api) this.#entries ??= entriesOf(api);
    this.hits.value = query.trim() && this.#entries ? find(this.#entries, query) : undefined;
  }, 80);

  constructor() {
    void this.#load();
  }

  /** Asks the server which search parameters it supports. */
  askServed(): void {
    searchedTypes().then(
      (types) => {
        this.served.value = types;
      },
      () => undefined,
    );
  }

  async #load(): Promise<void> {
    try {
      const [api, examples] = await Promise.all([loadApi(), loadExamples().catch(() => [])]);
      this.examples.value = examples;
      this.api.value = api;
    } catch (error) {
      this.problem.value = errorText(error);
    }
  }
}

export const reference: OpenView = ({ parts: [part, row] }) => {
  const model = new ReferenceModel();
  if (part === ERRORS && row !== undefined) onceShown(model, row);
  if (part !== undefined && part !== ERRORS) model.askServed();
  let page: (() => TemplateResult) | undefined;
  /** Draws the page of a part of the reference. The page is made once. */
  const pageOf = (api: Api, of: string): TemplateResult => {
    page ??= partPage(api, of, model);
    return page();
  };
  const title = part === ERRORS ? t('Errors') : (part ?? t('Reference'));
  return {
    title,
    body: () => {
      const [problem, api] = [model.problem.value, model.api.value];
      const back =
        part === undefined ? nothing : html`<p class="aside"><a href="/#/reference">${t('Reference')}</a></p>`;
      if (problem) return html`${back}<h1 tabindex="-1">${title}</h1>${failed(undefined, problem)}`;
      if (!api) return html`${back}<h1 tabindex="-1">${title}</h1>${waiting(t('the description of the interface'))}`;
      return part === undefined ? overview(model, api) : html`${back}${pageOf(api, part)}`;
    },
  };
};

/** Scrolls to a row of the table of errors, and gives it the focus, once the page is drawn. */
function onceShown({ api }: ReferenceModel, row: string): void {
  const stop = onChange(api, (known) => {
    if (!known) return;
    stop();
    onceDrawn(() =>
      onceDrawn(() => {
        const element = document.getElementById(row);
        element?.scrollIntoView({ block: 'center' });
        element?.focus({ preventScroll: true });
      }),
    );
  });
}

function partPage(api: Api, part: string, { examples, served }: ReferenceModel): () => TemplateResult {
  if (part === ERRORS) return errorsPage;
  if (api.types.includes(part)) return typePage(api, part, examples.value, served);
  const operation = api.operations.find(({ id }) => id === part);
  if (operation) return operationPage(operation);
  return () =>
    html`<h1 tabindex="-1">${part}</h1><p class="state empty">${t('The server offers nothing of this name.')}</p>`;
}

function overview(model: ReferenceModel, api: Api): TemplateResult {
  const { value: hits } = model.hits;
  return html`<h1 tabindex="-1">${t('Reference')}</h1>
    <p class="lead">edgechart ${api.version}. ${t('Every type, parameter, operation and error of this server.')}</p>
    <p class="field narrow"><label for="find">${t('Find')}</label><input id="find" type="search" autocomplete="off"
      @input=${(event: Event) => model.find(fieldValue(event))}></p>
    <p class="aside" role="status">${hits ? t('{n} entry|{n} entries', { n: hits.length }) : nothing}</p>
    ${hits ? hitList(hits) : everything(api)}`;
}

const hitList = (hits: readonly ReferenceHit[]): TemplateResult =>
  html`<ol class="found-list" role="list">${hits
    .slice(0, MAX_HITS)
    .map(
      ({ href, title, says }) =>
        html`<li><a href=${href}><code class="breakable">${title}</code></a> <p lang="en">${says}</p></li>`,
    )}</ol>${
    hits.length > MAX_HITS
      ? html`<p class="aside">${t('The first {n} are listed. More words find fewer.', { n: MAX_HITS })}</p>`
      : nothing
  }`;

/** Splits a text into sentences: at a period with a space and the beginning of a sentence after it. */
const sentencesOf = (text: string): string[] => text.split(/(?<=\.) (?=[A-Z`$]|\d{3} )/);

const everything = (api: Api): TemplateResult => html`<section aria-labelledby="general"><h2 id="general">${t(
  'What holds for every request',
)}</h2><ul class="bullets">${sentencesOf(api.description).map((one) => html`<li>${described(one)}</li>`)}</ul></section>
  ${GROUPS.map(({ title, has }) => {
    const group = api.operations.filter((one) => groupOf(one) === has);
    return group.length === 0
      ? nothing
      : html`<section aria-label=${t(title)}><h2>${t(title)}</h2><ul class="operations" role="list">${group.map(
          operationLink,
        )}</ul></section>`;
  })}
  <section aria-label=${t('Errors')}><h2>${t('Errors')}</h2><p><a href=${referenceUrl(ERRORS)}>${t(
    'Every error, with its cause and what to do',
  )}</a></p></section>
  <section aria-label=${t('Resource types')}><h2>${t('Resource types')}</h2><ul class="types"
    role="list">${api.types.map((type) => html`<li><a href=${referenceUrl(type)}>${type}</a></li>`)}</ul></section>
  <p class="aside"><a href="/openapi.json">openapi.json</a> · <a href="/fhir/r4/metadata">CapabilityStatement</a></p>`;

const operationLink = ({ id, method, path, summary }: Operation): TemplateResult =>
  html`<li><span class="method">${method.toUpperCase()}</span> <a href=${referenceUrl(id)}><code
    class="breakable">${path}</code></a> <span class="aside">${described(summary)}</span></li>`;

type Group = 'sign-in' | 'records' | 'export' | 'sending' | 'server' | undefined;

/** Returns the group of an operation; `undefined` for operations that each type has. */
function groupOf({ path, type }: Operation): Group {
  if (/^\/oauth\/|\/\.well-known\/(?!service)/.test(path)) return 'sign-in';
  if (/\$export/.test(path)) return 'export';
  if (path.startsWith('/ingest')) return 'sending';
  if (/\$|\*$/.test(path) || path === '/fhir/r4') return 'records';
  return type ? undefined : 'server';
}

const GROUPS = [
  { title: 'Sign-in and tokens', has: 'sign-in' },
  { title: 'Records of several types', has: 'records' },
  { title: 'Export', has: 'export' },
  { title: 'Sending records', has: 'sending' },
  { title: 'The server', has: 'server' },
] as const;
