//! The list of the guides, which are pages of their own.

import { html, type TemplateResult } from 'lit-html';
import { own } from '#reading/own.ts';
import { t, words } from '../../language/message.ts';
import { aside } from '../../parts/notice.ts';
import { headed, type OpenView } from '../../view.ts';
import { GUIDE_GROUPS, guideUrl } from './guide-list.ts';

export const guides: OpenView = () =>
  headed(
    'Guides',
    () => html`<p class="lead">${t('How to build an app for this server, and how to run one of your own.')}</p>
    ${aside(words().language !== 'en' && t('The guides are in English.'))}
    ${GUIDE_GROUPS.map(groupView)}`,
  );

const groupView = ({ title, guides: of }: (typeof GUIDE_GROUPS)[number]): TemplateResult =>
  html`<section aria-label=${t(title)}><h2>${t(title)}</h2><ul class="cards small" role="list">${of.map(
    ({ name, says }) =>
      html`<li class="card"><h3 lang="en"><a href=${guideUrl(name)}>${own(GUIDE_TITLES, name)}</a></h3><p>${t(
        says,
      )}</p></li>`,
  )}</ul></section>`;
