//! The page for an unknown address.

import { html } from 'lit-html';
import { rich, t } from '../language/message.ts';
import { headed, type OpenView } from '../view.ts';

export const unknown: OpenView = () =>
  headed(
    'There is no such page',
    () => html`<p class="lead">${rich('Nothing is at {address}. The address may be mistyped, or cut off.', {
      address: html`<code class="breakable">${location.hash || location.pathname}</code>`,
    })}</p>
    <p class="actions"><a class="button primary" href="/#/">${t('To the first page')}</a>
      <a class="button" href="/#/sample/patients">${t('Patients of the sample')}</a></p>`,
  );
