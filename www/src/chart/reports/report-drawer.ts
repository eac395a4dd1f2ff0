//! A diagnostic report in the drawer: its conclusion, results, documents, pictures and studies.

import { html, nothing } from 'lit-html';
import { containedIn, isInside } from '#reading/fhir/contained.ts';
import { clockDate } from '#reading/fhir/date.ts';
import { concepts, plain, reference, references } from '#reading/fhir/text.ts';
import {
  type DiagnosticReport,
  isOfType,
  type Observation,
  type Reference,
  resourceShape,
} from '#reading/fhir/types.ts';
import { testName } from '#reading/results/names/names.ts';
import { circumstances } from '#reading/results/names/told-apart.ts';
import { withIsolate } from '#reading/results/panels/isolate.ts';
import { reportDate } from '#reading/results/values/report-status.ts';
import { isShaped } from '#reading/shape.ts';
import { t, words } from '../../language/message.ts';
import { openDrawer } from '../../parts/drawer.ts';
import { tag } from '../../parts/tag.ts';
import { attachmentView } from '../documents/attachment.ts';
import { otherSubjectNote } from '../documents/whose-document.ts';
import type { ChartStore } from '../loading/store.ts';
import { recordButton } from '../record/record-link.ts';
import { recordMark } from '../record/record-mark.ts';
import { labelled } from '../section/row.ts';
import { flagsView, notesView, rangesView, readingView, statusMark } from '../values/reading.ts';
import { studiesOf } from './imaging.ts';
import { mediaOf } from './pictures.ts';

export const reportTitle = (r: DiagnosticReport): string => testName(words(), r.code) ?? t('Report');

/** Returns a result that a report names, from the chart or from the report's contained resources. */
function resultOf(
  report: DiagnosticReport,
  { reference: address }: Reference,
  store: ChartStore,
): Observation | undefined {
  if (!isInside(address)) return store.findOfType('Observation', address);
  const inside = containedIn(report, address);
  return isShaped(resourceShape, inside) && isOfType('Observation', inside) ? inside : undefined;
}

/** A result of a report, with the record if it is available. */
interface Line {
  to: Reference;
  o: Observation | undefined;
}

/** The most levels of nested results that are listed. */
const DEPTH = 5;

/** Returns the results of a report. The members of a panel follow it. */
function linesOf(
  r: DiagnosticReport,
  results: readonly Reference[],
  store: ChartStore,
  depth = DEPTH,
  listed = new Set<Observation>(),
): Line[] {
  return results.flatMap((to) => {
    const o = resultOf(r, to, store);
    if (!o) return [{ to, o }];
    if (listed.has(o)) return [];
    listed.add(o);
    return [{ to, o }, ...(depth === 0 ? [] : linesOf(r, o.hasMember ?? [], store, depth - 1, listed))];
  });
}

export function readReport(r: DiagnosticReport, store: ChartStore): void {
  openDrawer(() => ({
    title: reportTitle(r),
    body: html`${otherSubjectNote(r, store)}<p class="lead">${clockDate(words(), reportDate(r))}${
      r.status === 'final' ? nothing : html` ·${tag(plain(words(), r.status))}`
    }${r.performer?.length ? html` · ${references(words(), r.performer)}` : nothing}${recordMark(r)}</p>
      ${r.conclusion ? html`<p class="conclusion">${r.conclusion}</p>` : nothing}
      ${
        r.conclusionCode?.length
          ? html`<p class="detail">${labelled('Coded conclusion', concepts(words(), r.conclusionCode))}</p>`
          : nothing
      }
      ${
        r.result?.length
          ? html`<div class="table-frame" tabindex="0" role="region" aria-label=${t('Results of this report')}>
            <table class="results"><caption>${t('Results')}</caption>
        <thead class="narrow-hidden"><tr><th scope="col">${t('Test')}</th>
          <th scope="col" class="number">${t('Result')}</th><th scope="col">${t('Flag')}</th>
          <th scope="col">${t('Range')}</th></tr></thead>
        <tbody>${linesOf(r, r.result, store).map(({ to, o }) => {
          return html`<tr><th scope="row">${
            o ? withIsolate(o, testName(words(), o.code) ?? t('Result')) : reference(words(), to)
          }${o ? circumstances(words(), o).map((text) => html` <small>${text}</small>`) : nothing}</th><td
            class="number">${o ? html`${readingView(o)}${notesView(o)}` : '—'}</td><td class="flags">${
              o ? [flagsView(o), statusMark(o), recordMark(o)] : nothing
            }</td><td class="quiet range">${o ? rangesView(o) : t('not shown here')}</td></tr>`;
        })}</tbody></table></div>`
          : nothing
      }
      ${(r.presentedForm ?? []).map((attachment) => attachmentView(attachment, r, store))}
      ${mediaOf(r, store)}${studiesOf(r, store)}
      <p class="actions">${recordButton(store, r, t('The whole record'))}</p>`,
  }));
}
