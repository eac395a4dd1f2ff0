//! The report of opened files: counts by type, the types that are not shown, and the faults by file and line.

import { html, nothing, type TemplateResult } from 'lit-html';
import { capital, clipped } from '#reading/fhir/text.ts';
import { isOlderType } from '#reading/versions/is-older.ts';
import type { FileFault } from '../../engine/load/file-report.ts';
import type { LoadedFiles } from '../../engine/types.ts';
import { t, words } from '../../language/message.ts';
import { fact } from '../../parts/fact.ts';
import { reasonOf } from '../../source/fault-reason.ts';
import { typeName } from './words.ts';

const countList = (counts: Record<string, number>): TemplateResult =>
  html`<dl class="counts">${Object.entries(counts)
    .sort(([a, m], [b, n]) => n - m || a.localeCompare(b))
    .map(([type, count]) => fact(typeName(type), words().number(count)))}</dl>`;

/** Draws the numbers of records by type under a heading. Draws nothing if there are none. */
function typesSection(id: string, title: string, counts: Record<string, number>, says?: string): unknown {
  if (Object.keys(counts).length === 0) return nothing;
  return html`<section aria-labelledby=${id}><h2 id=${id}>${title}</h2>
    ${says ? html`<p>${says}</p>` : nothing}${countList(counts)}</section>`;
}

/** Draws the types in the files: those that were read as R4, cannot be shown, are shown, and are not known. */
export function typesView({ counts, fromR5, fromOlder, older, unserved }: LoadedFiles): TemplateResult {
  const olderTypes = Object.entries(unserved).filter(([type]) => isOlderType(type));
  return html`${typesSection('from-r5', t('Of FHIR R5, read as R4'), fromR5)}
    ${typesSection('from-older', t('Of STU3 or DSTU2, read as R4'), fromOlder)}
    ${typesSection(
      'older',
      t('Of an older FHIR'),
      { ...older, ...Object.fromEntries(olderTypes) },
      t('These files have records of DSTU2 or STU3. edgechart reads FHIR R4, so that these cannot be shown:'),
    )}
    ${typesSection('counts', t('What is in the files'), counts)}
    ${typesSection('unserved', t('Types that are not shown'), unserved)}`;
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
