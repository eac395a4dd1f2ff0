//! Diagnostic reports, with imaging studies, pictures and recordings.

import { html, nothing, type TemplateResult } from 'lit-html';
import { newest, shortDate } from '#reading/fhir/date.ts';
import { concepts, references } from '#reading/fhir/text.ts';
import { type DiagnosticReport, ofType } from '#reading/fhir/types.ts';
import { joined, joinedBy } from '#reading/joined.ts';
import { tellingTexts } from '#reading/results/names/told-apart.ts';
import { reportDate } from '#reading/results/values/report-status.ts';
import { t, words } from '../../language/message.ts';
import { isOfOther } from '../documents/whose-document.ts';
import { REPORTS } from '../loading/observation-searches.ts';
import { counted } from '../section/other-count.ts';
import { byValidity, errorsFolded, labelled, newestRows, type Row, unusualStatus } from '../section/row.ts';
import type { Section } from '../section/section.ts';
import { STUDIES, studiesView } from './imaging.ts';
import { MEDIA, mediaView, withoutReport } from './pictures.ts';
import { readReport, reportTitle } from './report-drawer.ts';

const NOTHING = 'No data: no report is recorded in this chart.';

export const reports: Section = {
  id: 'reports',
  title: 'Reports',
  queries: [REPORTS, STUDIES, MEDIA],
  otherKinds: [STUDIES, MEDIA],
  nothing: NOTHING,
  show([found, foundStudies, foundMedia], store) {
    const all = newest(ofType('DiagnosticReport', found?.matches), reportDate);
    const studies = foundStudies?.matches ?? [];
    const alone = withoutReport(foundMedia?.matches ?? [], all);
    const link = (r: DiagnosticReport, says: string, hidden = ''): TemplateResult =>
      html`<button type="button" class="quiet inset" @click=${() => readReport(r, store)}>${says}${
        hidden ? html`<span class="visually-hidden"> ${hidden}</span>` : nothing
      }</button>`;
    const item = (r: DiagnosticReport): Row => ({
      resource: r,
      when: reportDate(r),
      title: reportTitle(r),
      status: joined(unusualStatus(r.status, 'final'), isOfOther(r, store) ? t('names another person') : ''),
      details: [
        ...tellingTexts(words(), r),
        r.conclusion,
        labelled('Coded conclusion', concepts(words(), r.conclusionCode)),
        joinedBy(' · ', concepts(words(), r.category), references(words(), r.performer)),
        html`${link(r, t('Read'), `${reportTitle(r)}, ${shortDate(words(), reportDate(r))}`)}
          <span class="aside">${joined(
            r.result?.length ? t('{n} result|{n} results', { n: r.result.length }) : '',
            r.presentedForm?.length ? t('{n} document|{n} documents', { n: r.presentedForm.length }) : '',
            r.media?.length ? t('{n} picture|{n} pictures', { n: r.media.length }) : '',
            r.imagingStudy?.length ? t('{n} imaging study|{n} imaging studies', { n: r.imagingStudy.length }) : '',
          )}</span>`,
      ],
    });
    const { valid, errors } = byValidity(all);
    const folding = { name: t('Reports'), stays: (r: DiagnosticReport) => isOfOther(r, store) };
    const linked = (r: DiagnosticReport): TemplateResult => link(r, reportTitle(r), shortDate(words(), reportDate(r)));
    return {
      ...counted([...valid, ...studies, ...alone]),
      none: all.length === 0 ? NOTHING : undefined,
      body: html`${newestRows(valid, item, folding, store)}${errorsFolded(errors, item, store)}
        ${studiesView(studies, all, linked, store)}${mediaView(alone, store)}`,
    };
  },
};
