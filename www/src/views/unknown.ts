//! The page for an unknown address.

import { html } from 'lit-html';
import type { OpenView } from '../view.ts';

export const unknown: OpenView = () => ({
  title: 'There is no such page',
  body: () => html`<h1 tabindex="-1">There is no such page</h1>
    <p class="lead">Nothing is at <code class="breakable">${location.hash || location.pathname}</code>. The address may
      be mistyped, or cut off.</p>
    <p class="actions"><a class="button primary" href="/#/">To the first page</a>
      <a class="button" href="/#/sample/patients">Patients of the sample</a></p>`,
});
