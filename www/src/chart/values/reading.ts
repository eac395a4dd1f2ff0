//! The drawing of measured values. Number and unit each stay on one line. A flag is a sign and a word.

import { html, nothing, type TemplateResult } from 'lit-html';
import { clipped } from '#reading/fhir/text.ts';
import type { MeasuredValue, Observation } from '#reading/fhir/types.ts';
import { FLAGS, type Flag, judgements } from '#reading/results/flags/flag.ts';
import { flagWords, notesOf, noteTexts, rangesOf } from '#reading/results/flags/observation-text.ts';
import { nameOfValue } from '#reading/results/names/names.ts';
import { absent, reading, value } from '#reading/results/values/reading.ts';
import { reportStatus } from '#reading/results/values/report-status.ts';
import { t, words } from '../../language/message.ts';

/** A number with its unit, and possibly text in brackets after them, such as the value as it was recorded. */
const MEASURED = /^([≤≥<>]?\u00a0?[\d.,/—–×-]+)\u00a0(.{1,24}?)(?: (\([^()]{1,80}\)))?$/;

/** Draws a reading. A line may break only between its number and unit, or before the text in brackets. */
export function readingText(text: string): TemplateResult {
  const [, number, unit, beside] = MEASURED.exec(text) ?? [];
  if (!number || !unit) return html`${text}`;
  const parts = html`<span class="nowrap">${number}</span> <span class="unit">${unit}</span>`;
  return beside ? html`${parts} <span class="beside">${beside}</span>` : parts;
}

export const readingView = (o: Observation): TemplateResult => readingText(reading(words(), o));

/** A reading in a tile, with few digits. */
export const briefView = (o: Observation): TemplateResult => readingText(reading(words().brief, o));

/**
 * The flag of a value, as a sign and a word, which may be one of the laboratory. A brief flag shows its sign alone, and
 * a screen reader says the word.
 */
export function flagView(of: Flag | undefined, word?: string, isBrief = false): TemplateResult | typeof nothing {
  if (!of) return nothing;
  const { sign, says } = FLAGS[of];
  return html`<span class="flag" data-flag=${of}><span aria-hidden="true">${sign}</span> <span
    class=${isBrief ? 'visually-hidden' : nothing}>${word ?? t(says)}</span></span>`;
}

/** Draws the flags of an observation with the words of the laboratory, and those of its components with their names. */
export const flagsView = (o: Observation, isBrief = false): unknown[] =>
  judgements(o).flatMap(({ part, judgement }) => {
    const { main, more } = flagWords(words(), judgement);
    if (!main && more.length === 0) return [];
    const name = part ? html`<span class="label">${nameOfValue(words(), part)}</span> ` : nothing;
    const texts = more.map((one) => html` <span class="said">${one}</span>`);
    return [html`<span>${name}${flagView(judgement.flag, main, isBrief)}${texts}</span> `];
  });

/** Returns the components with a flag, each with the drawn flag. */
export const flaggedParts = (o: Observation): { part: MeasuredValue; view: TemplateResult | typeof nothing }[] =>
  judgements(o).flatMap(({ part, judgement }) =>
    part && judgement.flag ? [{ part, view: flagView(judgement.flag, flagWords(words(), judgement).main) }] : [],
  );

export const partView = (part: MeasuredValue): TemplateResult =>
  readingText(value(words().brief, part) ?? absent(words(), part) ?? '');

/** Draws the ranges of an observation, with notes if they are unusual. */
export const rangesView = (o: Observation): TemplateResult | typeof nothing => {
  const [ranges, notes] = [rangesOf(words(), o), noteTexts(words(), o)];
  if (ranges.length === 0 && notes.length === 0) return nothing;
  return html`${ranges.map((one, i) => html`${i ? '; ' : ''}${readingText(one)}`)}${notes.map(
    (note) => html` <small class="note">${note}</small>`,
  )}`;
};

/** The longest note that is shown beside a value of several. The opened record has all of it. */
const MAX_NOTE = 120;

/** The notes on a result beside its value. */
export const notesView = (o: Observation): TemplateResult[] =>
  notesOf(o).map((note) => html` <small class="note">${clipped(note, MAX_NOTE)}</small>`);

/** The status of a result as a mark behind its value. */
export function statusMark(o: Observation): TemplateResult | typeof nothing {
  const text = reportStatus(words(), o);
  return text ? html` <span class="tag">${text}</span>` : nothing;
}
