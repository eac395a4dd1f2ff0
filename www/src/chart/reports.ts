//! Diagnostic reports, and reading one in the drawer.

import { html, nothing } from 'lit-html';
import { clockDate, newest, periodDate, shortDate } from '../fhir/date.ts';
import { shortName } from '../fhir/names.ts';
import { capital, concept, concepts, isEnteredInError, plain, reference, references } from '../fhir/text.ts';
import type { DiagnosticReport } from '../fhir/types.ts';
import { ofType } from '../fhir/types.ts';
import { t } from '../language/message.ts';
import { openDrawer } from '../parts/drawer.ts';
import { attachmentView } from './attachment.ts';
import { flagsView, rangesView, readingView } from './reading.ts';
import { foldedMany, labelled, type Row, rows, unusualStatus } from './row.ts';
import type { Section, SectionContext } from './section.ts';

export const REPORTS = 'DiagnosticReport?patient={patient}&_count=200';

const titleOf = (r: DiagnosticReport): string => shortName(concept(r.code) ?? t('Report')).main;
const dated = (r: DiagnosticReport): string | undefined =>
  r.effectiveDateTime ?? periodDate(r.effectivePeriod) ?? r.issued;

function readReport(r: DiagnosticReport, context: SectionContext): void {
  openDrawer(() => ({
    title: titleOf(r),
    body: html`<p class="lead">${clockDate(dated(r))}${
      r.status === 'final' ? nothing : html` · <span class="tag">${capital(plain(r.status))}</span>`
    } · ${references(r.performer)}</p>
      ${r.conclusion ? html`<p class="conclusion">${r.conclusion}</p>` : nothing}
      ${
        r.conclusionCode?.length
          ? html`<p class="detail">${labelled(t('Coded conclusion'), concepts(r.conclusionCode))}</p>`
          : nothing
      }
      ${
        r.result?.length
          ? html`<div class="table-frame" tabindex="0" role="region" aria-label=${t('Results of this report')}>
            <table class="results"><caption>${t('Results')}</caption>
        <thead><tr><th scope="col">${t('Test')}</th><th scope="col" class="number">${t('Result')}</th>
          <th scope="col">${t('Flag')}</th><th scope="col">${t('Range')}</th></tr></thead>
        <tbody>${r.result.map((to) => {
          const o = context.store.findOfType('Observation', to.reference);
          return html`<tr><th scope="row">${
            o ? shortName(concept(o.code) ?? t('Result')).main : reference(to)
          }</th><td class="number">${o ? readingView(o) : '—'}</td><td>${
            o ? flagsView(o) : nothing
          }</td><td class="quiet">${o ? rangesView(o) : t('not shown here')}</td></tr>`;
        })}</tbody></table></div>`
          : nothing
      }
      ${(r.presentedForm ?? []).map((attachment) => attachmentView(attachment, r.id, context))}
      ${(r.media ?? []).map(
        ({ comment, link }) => html`<p class="detail">${labelled(t('Picture'), comment ?? reference(link))}</p>`,
      )}
      <p class="actions">${context.link(r, t('The whole record'))}</p>`,
  }));
}

export const reports: Section = {
  id: 'reports',
  title: 'Reports',
  queries: [REPORTS],
  nothing: 'No data: no report is recorded in this chart.',
  show([found], context) {
    const all = newest(ofType('DiagnosticReport', found?.matches), dated);
    const item = (r: DiagnosticReport): Row => ({
      resource: r,
      when: dated(r),
      title: titleOf(r),
      status: unusualStatus(r.status, 'final'),
      tone: isEnteredInError(r) ? 'error' : 'plain',
      details: [
        r.conclusion,
        labelled(t('Coded conclusion'), concepts(r.conclusionCode)),
        [concepts(r.category), references(r.performer)].filter(Boolean).join(' · '),
        html`<button type="button" class="quiet inset" @click=${() => readReport(r, context)}>${t('Read')}<span
          class="visually-hidden"> ${titleOf(r)}, ${shortDate(dated(r))}</span></button>
          <span class="aside">${[
            r.result?.length ? t('{n} result|{n} results', { n: r.result.length }) : '',
            r.presentedForm?.length ? t('{n} document|{n} documents', { n: r.presentedForm.length }) : '',
          ]
            .filter(Boolean)
            .join(', ')}</span>`,
      ],
    });
    const [recent, earlier] = [all.slice(0, 5), all.slice(5)];
    return {
      count: all.length,
      body: html`${rows(recent.map(item), context)}${
        earlier.length
          ? foldedMany(t('{n} earlier report|{n} earlier reports', { n: earlier.length }), () =>
              rows(earlier.map(item), context),
            )
          : nothing
      }`,
    };
  },
};
