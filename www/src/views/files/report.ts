//! The report of opened files: counts by type, the types that are not shown, and the faults by file and line.

import { html, nothing, type TemplateResult } from 'lit-html';
import type { FileFault } from '../../engine/load-files.ts';
import type { LoadedFiles } from '../../engine/types.ts';
import { capital, clipped, plural } from '../../fhir/text.ts';
import { typeWords } from './words.ts';

const byCount = (counts: Record<string, number>): [string, number][] =>
  Object.entries(counts).sort(([a, m], [b, n]) => n - m || a.localeCompare(b));

const countList = (counts: Record<string, number>): TemplateResult =>
  html`<dl class="counts">${byCount(counts).map(
    ([type, count]) => html`<div><dt>${typeWords(type)}</dt><dd>${count.toLocaleString('en')}</dd></div>`,
  )}</dl>`;

export const countsView = ({ counts }: LoadedFiles): TemplateResult =>
  html`<section aria-labelledby="counts"><h2 id="counts">Resources by type</h2>${countList(counts)}</section>`;

export function unservedView({ unserved }: LoadedFiles): TemplateResult | typeof nothing {
  const count = Object.values(unserved).reduce((sum, one) => sum + one, 0);
  if (count === 0) return nothing;
  return html`<section aria-labelledby="unserved"><h2 id="unserved">Types that are not shown</h2>
    <p class="aside">${plural(count, 'resource')} of types that edgechart does not
      serve.</p>${countList(unserved)}</section>`;
}

const faultRow = ({ file, line, place, why }: FileFault): TemplateResult =>
  html`<tr><th scope="row">${file}</th><td class="number">${
    line === undefined
      ? html`<span class="quiet-text">whole file</span>`
      : html`<span class="line-word" aria-hidden="true">line </span>${line.toLocaleString('en')}`
  }</td><td>${capital(clipped(why, 300))}${place ? html`<small><code>${place}</code></small>` : nothing}</td></tr>`;

export function faultsView({ faults, faultCount }: LoadedFiles): TemplateResult | typeof nothing {
  if (faultCount === 0) return nothing;
  const shown =
    faultCount > faults.length
      ? `The first ${faults.length} of ${faultCount.toLocaleString('en')} faults`
      : plural(faultCount, 'fault');
  return html`<section aria-labelledby="faults"><h2 id="faults">Not taken</h2>
    <div class="table-frame"><table class="faults">
      <caption>${shown}, by file and line. Everything else was taken.</caption>
      <thead><tr><th scope="col">File</th><th scope="col" class="number">Line</th><th
        scope="col">Reason</th></tr></thead>
      <tbody>${faults.map(faultRow)}</tbody></table></div></section>`;
}
