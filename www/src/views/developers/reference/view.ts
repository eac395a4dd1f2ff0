//! The reference: the types with their search parameters and the operations, as the server describes them. A list of
//! all of them is beside each page, and requests stand beside their answers.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { setWhenDone } from '../../../drawing.ts';
import { attempt } from '../../../error-text.ts';
import { type PlainMessage, t } from '../../../language/message.ts';
import { empty, failed, waiting } from '../../../parts/notice.ts';
import { type Example, loadExamples } from '../../../search/examples.ts';
import { type SearchedType, searchedTypes } from '../../../source/searched-types.ts';
import type { OpenView } from '../../../view.ts';
import { isWide, type Page, panes } from '../panes.ts';
import { Trial, trialView } from '../trial.ts';
import { described } from './described.ts';
import { groupsOf, operationGroups } from './groups.ts';
import { type Api, loadApi, type Operation } from './openapi.ts';
import { operationPage } from './operation-page.ts';
import { referenceUrl, typePage } from './type-page.ts';

/** The description and the examples, which are loaded once, so that the next page is drawn at once. */
let loaded: { api: Api; examples: readonly Example[] } | undefined;

class ReferenceModel {
  readonly api = signal(loaded?.api);
  readonly examples = signal<readonly Example[]>(loaded?.examples ?? []);
  /** The types with the search parameters that the server supports; `undefined` until it has answered. */
  readonly served = signal<readonly SearchedType[] | undefined>(undefined);
  readonly problem = signal<string | undefined>(undefined);
  /** True if the list is open at first. It is read once, so that no later drawing opens or closes the list. */
  readonly isListOpen = isWide();

  constructor() {
    if (!loaded) void attempt(this.problem, () => this.#load());
  }

  /** Asks the server which search parameters it supports. */
  askServed(): void {
    setWhenDone(this.served, searchedTypes());
  }

  async #load(): Promise<void> {
    const [api, examples] = await Promise.all([loadApi(), loadExamples().catch(() => [])]);
    loaded = { api, examples };
    this.examples.value = examples;
    this.api.value = api;
  }
}

export const reference: OpenView = ({ parts: [part] }) => {
  const model = new ReferenceModel();
  if (part !== undefined) model.askServed();
  let page: (() => Page) | undefined;
  const title = part ?? t('Reference');
  return {
    title,
    body: () => {
      const [problem, api] = [model.problem.value, model.api.value];
      if (problem) return html`<h1 tabindex="-1">${title}</h1>${failed(undefined, problem)}`;
      if (!api) return html`<h1 tabindex="-1">${title}</h1>${waiting(t('the description of the interface'))}`;
      // The page is made once. It is drawn whenever what it shows changes.
      page ??= pageOf(api, part, model);
      return panes(listView(model, api, part), page());
    },
  };
};

function pageOf(api: Api, part: string | undefined, { examples, served }: ReferenceModel): () => Page {
  if (part === undefined) return overview(api);
  if (api.types.includes(part)) return typePage(api, part, examples.value, served);
  const operation = api.operations.find(({ id }) => id === part);
  if (operation) return operationPage(operation, api, examples.value);
  return () => ({
    head: html`<h1 tabindex="-1">${part}</h1>${empty(t('The server offers nothing of this name.'))}`,
    rest: html``,
  });
}

/** Draws the list beside each page: everything by task and by name. */
function listView(model: ReferenceModel, api: Api, part: string | undefined): TemplateResult {
  return html`<nav class="pane-list" aria-label=${t('Reference')}>
    <details class="folded" ?open=${model.isListOpen}><summary>${t('Types and operations')}</summary>
    <ul role="list"><li>${listLink('/#/reference', t('Reference'), part === undefined)}</li></ul>
    ${groupsOf(api.types).map(([title, types]) => listGroup(title, types.map(typeEntry), part))}
    ${operationGroups(api.operations).map(([title, of]) => listGroup(title, of.map(operationEntry), part))}
    ${listGroup('All types by name', api.types.map(typeEntry), undefined)}</details></nav>`;
}

/** An entry of the list: the part of the address, and what is shown. */
type ListEntry = [part: string, shown: string];
const typeEntry = (type: string): ListEntry => [type, type];
const operationEntry = ({ id, method, path }: Operation): ListEntry => [
  id,
  `${method.toUpperCase()} ${path.replace('/fhir/r4/', '')}`,
];

const listGroup = (title: PlainMessage, entries: readonly ListEntry[], part: string | undefined): TemplateResult =>
  html`<details class="folded" ?open=${entries.some(([of]) => of === part)}><summary>${t(title)}</summary><ul
    role="list">${entries.map(
      ([of, shown]) => html`<li>${listLink(referenceUrl(of), shown, of === part)}</li>`,
    )}</ul></details>`;

const listLink = (href: string, shown: string, isCurrent: boolean): TemplateResult =>
  html`<a class="breakable" href=${href} aria-current=${isCurrent ? 'page' : nothing}>${shown}</a>`;

function overview(api: Api): () => Page {
  const trial = new Trial('/fhir/r4/Patient?name=okafor').begin();
  return () => ({
    head: html`<h1 tabindex="-1">${t('Reference')}</h1>
    <p class="lead">edgechart ${api.version}. ${t('Every type, parameter and operation of this server.')}</p>`,
    code: { title: t('Try it'), content: trialView(trial) },
    rest: general(api),
  });
}

/** Splits a text into sentences: at a period with a space and the beginning of a sentence after it. */
const sentencesOf = (text: string): string[] => text.split(/(?<=\.) (?=[A-Z`$]|\d{3} )/);

const general = (api: Api): TemplateResult => html`<section aria-labelledby="general"><h2 id="general">${t(
  'What holds for every request',
)}</h2><ul class="bullets">${sentencesOf(api.description).map((one) => html`<li>${described(one)}</li>`)}</ul></section>
  <p class="aside"><a href="/openapi.json">openapi.json</a> · <a href="/fhir/r4/metadata">CapabilityStatement</a></p>`;
