import { html, type TemplateResult } from 'lit-html';

export const fact = (name: unknown, value: unknown): TemplateResult =>
  html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
