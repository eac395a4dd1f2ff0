//! Measured values as they are drawn: number and unit are each kept on one line, and a flag is a sign and a word.

import { html, nothing, type TemplateResult } from 'lit-html';
import { FLAGS, type Flag } from '../fhir/flag.ts';
import { range, reading } from '../fhir/reading.ts';
import type { Observation, Range } from '../fhir/types.ts';
import { t } from '../language/message.ts';

/** A reading whose line may break between number and unit, and nowhere else. */
export function readingText(text: string): TemplateResult {
  const [, number, unit] = /^([≤≥<>]?\u00a0?[\d.,/—–×-]+)\u00a0(.{1,24})$/.exec(text) ?? [];
  return number && unit ? html`<span class="nowrap">${number}</span> <span class="unit">${unit}</span>` : html`${text}`;
}

/** A range in the same way. */
export function rangeView(of: Range | undefined): TemplateResult | undefined {
  const said = range(of);
  return said === undefined ? undefined : readingText(said);
}

export const readingView = (o: Observation): TemplateResult => readingText(reading(o));

/** The flag of a value, as a sign and a word. */
export function flagView(of: Flag | undefined): TemplateResult | typeof nothing {
  if (!of) return nothing;
  const { sign, says } = FLAGS[of];
  return html`<span class="flag" data-flag=${of}><span aria-hidden="true">${sign}</span> ${t(says)}</span>`;
}
