import { html, type TemplateResult } from 'lit-html';

/** Draws a name and its value in a `<dl>`. */
export const fact = (name: unknown, value: unknown): TemplateResult =>
  html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
