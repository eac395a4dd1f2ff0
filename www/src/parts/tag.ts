import { html, nothing, type TemplateResult } from 'lit-html';
import { capital } from '#reading/fhir/text.ts';

/** Draws words such as a status as a tag, with a capital letter. Draws nothing without words. */
export const tag = (words: string | undefined, tone?: string): TemplateResult | typeof nothing =>
  words ? html` <span class="tag" data-tone=${tone ?? nothing}>${capital(words)}</span>` : nothing;
