//! The guides: the list with a search of all guides, and the page of each guide.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { own } from '#reading/own.ts';
import { errorText } from '../../error-text.ts';
import { rich, t, words } from '../../language/message.ts';
import { fieldValue } from '../../parts/form.ts';
import { failed } from '../../parts/notice.ts';
import { debounced } from '../../scheduling.ts';
import type { OpenView } from '../../view.ts';
import { guideUrl } from './guide-address.ts';
import { GUIDE_GROUPS, GUIDES } from './guide-list.ts';
import { guidePage } from './guide-page.ts';
import { fetchGuide, type Guide, type GuideHit, MAX_HITS, searchGuides } from './guide-text.ts';
import { inEnglish } from './guides-language.ts';

const titleOf = (name: string): string => own(GUIDE_FILES, name)?.title ?? name;

class GuidesModel {
  readonly hits = signal<readonly GuideHit[] | undefined>(undefined);
  readonly problem = signal<string | undefined>(undefined);
  #query = '';
  #all: Promise<Guide[]> | undefined;

  readonly find = debounced((query: string): void => void this.#find(query), 120);

  async #find(query: string): Promise<void> {
    this.#query = query;
    this.problem.value = undefined;
    if (!query.trim()) {
      this.hits.value = undefined;
      return;
    }
    try {
      this.#all ??= Promise.all(GUIDES.map(({ name }) => fetchGuide(own(GUIDE_FILES, name)?.url ?? '')));
      const all = await this.#all;
      if (query === this.#query) this.hits.value = searchGuides(all, query);
    } catch (error) {
      this.#all = undefined;
      this.problem.value = errorText(error);
    }
  }
}

export const guides: OpenView = (route) => {
  const [name, section] = route.parts;
  if (name !== undefined) return guidePage(route, name, section);
  const model = new GuidesModel();
  return {
    title: t('Guides'),
    body: () => {
      const [hits, problem] = [model.hits.value, model.problem.value];
      return html`<h1 tabindex="-1">${t('Guides')}</h1>
        <p class="lead">${t('How to build an app for this server, and how to run one of your own.')}</p>${inEnglish()}
        <p class="field narrow"><label for="find">${t('Find in the guides')}</label><input id="find" type="search"
          autocomplete="off" @input=${(event: Event) => model.find(fieldValue(event))}></p>
        ${problem ? failed(undefined, problem) : nothing}
        <p class="aside" role="status">${hits ? t('{n} section|{n} sections', { n: hits.length }) : nothing}</p>
        ${hits?.length === 0 && words().language !== 'en' ? html`<p>${t('Search for English words.')}</p>` : nothing}
        ${hits ? hitList(hits) : GUIDE_GROUPS.map(groupView)}`;
    },
  };
};

const groupView = ({ title, guides: of }: (typeof GUIDE_GROUPS)[number]): TemplateResult =>
  html`<section aria-label=${t(title)}><h2>${t(title)}</h2><ul class="cards small" role="list">${of.map(
    ({ name, says }) =>
      html`<li class="card"><h3 lang="en"><a href=${guideUrl(name)}>${titleOf(name)}</a></h3><p>${t(says)}</p></li>`,
  )}</ul></section>`;

const hitList = (hits: readonly GuideHit[]): TemplateResult =>
  html`<ol class="found-list" role="list" lang="en">${hits.slice(0, MAX_HITS).map(
    ({ guide, title, section, heading, text }) =>
      html`<li><a href=${guideUrl(guide, section)}>${heading ? `${title}: ${heading}` : title}</a>
        <p>${text}</p></li>`,
  )}</ol>${
    hits.length > MAX_HITS
      ? html`<p class="aside">${rich('The first {n} are listed. More words find fewer.', { n: MAX_HITS })}</p>`
      : nothing
  }`;
