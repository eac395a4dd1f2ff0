//! The report of opened files: counts by type, the types that are not shown, and the faults by file and line.

import { html, nothing, type TemplateResult } from 'lit-html';
import { capital, clipped } from '#reading/fhir/text.ts';
import { isOlderType } from '#reading/versions/is-older.ts';
import type { FileFault } from '../../engine/file-report.ts';
import type { LoadedFiles } from '../../engine/types.ts';
import { t, words } from '../../language/message.ts';
import { reasonOf } from '../../source/fault-reason.ts';
import { typeName } from './words.ts';

const byCount = (counts: Record<string, number>): [string, number][] =>
  Object.entries(counts).sort(([a, m], [b, n]) => n - m || a.localeCompare(b));

const countList = (counts: Record<string, number>): TemplateResult =>
  html`<dl class="counts">${byCount(counts).map(
    ([type, count]) => html`<div><dt>${typeName(type)}</dt><dd>${words().number(count)}</dd></div>`,
  )}</dl>`;

export const countsView = ({ counts }: LoadedFiles): TemplateResult =>
  html`<section aria-labelledby="counts"><h2 id="counts">${t('What is in the files')}</h2>
    ${countList(counts)}</section>`;

/** Says that files are of an older version of FHIR, and which of their records cannot be shown. */
export function olderView({ older, unserved }: LoadedFiles): TemplateResult | typeof nothing {
  const types = Object.entries(unserved).filter(([type]) => isOlderType(type));
  const counts = { ...older, ...Object.fromEntries(types) };
  if (Object.keys(counts).length === 0) return nothing;
  return html`<section aria-labelledby="older"><h2 id="older">${t('Of an older FHIR')}</h2>
    <p>${t('These files have records of DSTU2 or STU3. edgechart reads FHIR R4, so that these cannot be shown:')}</p>
    ${countList(counts)}</section>`;
}

/** Says that records of other versions of FHIR were read as R4. */
export function convertedView({ fromR5, fromOlder }: LoadedFiles): TemplateResult | typeof nothing {
  const [newer, older] = [Object.keys(fromR5).length > 0, Object.keys(fromOlder).length > 0];
  if (!newer && !older) return nothing;
  return html`<section aria-labelledby="converted"><h2 id="converted">${t('Read as FHIR R4')}</h2>
    ${
      newer
        ? html`<p>${t('These records are of FHIR R5, and are shown as records of R4:')}</p>
          ${countList(fromR5)}`
        : nothing
    }
    ${
      older
        ? html`<p>${t('These records are of STU3 or DSTU2, and are shown as records of R4:')}</p>
          ${countList(fromOlder)}`
        : nothing
    }
  </section>`;
}

const UNSERVED =
  '{n} resource of types that edgechart does not serve.|{n} resources of types that edgechart does not serve.';

export function unservedView({ unserved }: LoadedFiles): TemplateResult | typeof nothing {
  const count = Object.values(unserved).reduce((sum, one) => sum + one, 0);
  if (count === 0) return nothing;
  return html`<section aria-labelledby="unserved"><h2 id="unserved">${t('Types that are not shown')}</h2>
    <p class="aside">${t(UNSERVED, { n: count })}</p>${countList(unserved)}</section>`;
}

const faultRow = ({ file, line, place, ...fault }: FileFault): TemplateResult =>
  html`<tr><th scope="row">${file}</th><td data-head=${t('Line')}>${
    line === undefined ? html`<span class="quiet-text">${t('whole file')}</span>` : words().number(line)
  }</td><td>${capital(clipped(reasonOf(fault), 300))}${
    place ? html`<small><code>${place}</code></small>` : nothing
  }</td></tr>`;

export function faultsView({ faults, faultCount }: LoadedFiles): TemplateResult | typeof nothing {
  if (faultCount === 0) return nothing;
  const shown =
    faultCount > faults.length
      ? t('The first {shown} of {n} faults', { shown: faults.length, n: faultCount })
      : t('{n} fault|{n} faults', { n: faultCount });
  return html`<section aria-labelledby="faults"><h2 id="faults">${t('Not taken')}</h2>
    <div class="table-frame stacked"><table class="faults">
      <caption>${t('{faults}, by file and line. Everything else was taken.', { faults: shown })}</caption>
      <thead><tr><th scope="col">${t('File')}</th>
        <th scope="col">${t('Line')}</th><th scope="col">${t('Reason')}</th></tr></thead>
      <tbody>${faults.map(faultRow)}</tbody></table></div></section>`;
}
