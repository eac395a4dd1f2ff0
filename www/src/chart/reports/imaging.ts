//! Imaging studies, as a group in the section of reports: what was imaged, how, and which report is about the study.
//! The images themselves are in a DICOM store and are not fetched.

import { html, nothing, type TemplateResult } from 'lit-html';
import { imageCounts, imagedSites, modalities, studyName, studyReason } from '#reading/care/imaging.ts';
import { cautionOf, statusCaution } from '#reading/fhir/certainty.ts';
import { containedIn } from '#reading/fhir/contained.ts';
import { newest, shortDate } from '#reading/fhir/date.ts';
import { firstText, firstWritten, textAt } from '#reading/fhir/element-text.ts';
import { searchOf } from '#reading/fhir/other-types.ts';
import { recordAddress, referredAddress } from '#reading/fhir/record-address.ts';
import { isEnteredInError, reference } from '#reading/fhir/text.ts';
import type { DiagnosticReport, Resource } from '#reading/fhir/types.ts';
import { joined } from '#reading/joined.ts';
import { meaningOf } from '#reading/records/meaning.ts';
import { t, translated, words } from '../../language/message.ts';
import type { ChartStore } from '../loading/store.ts';
import { recordButton } from '../record/record-link.ts';
import { byValidity, errorsFolded, labelled, newestRows, type Row } from '../section/row.ts';

export const STUDIES = searchOf('ImagingStudy');

const startedAt = (study: Resource): string | undefined => firstWritten(study, ['started']);
const nameOf = (study: Resource): string => studyName(words(), study) ?? t('Imaging study not named');

/** Draws a button that opens a report. */
type ReportLink = (report: DiagnosticReport) => TemplateResult;

function item(study: Resource, reports: readonly DiagnosticReport[], link: ReportLink): Row {
  const address = recordAddress(study);
  const about = reports.filter(({ imagingStudy }) =>
    (imagingStudy ?? []).some((to) => referredAddress(to.reference) === address),
  );
  const caution = statusCaution(words(), study);
  return {
    resource: study,
    when: startedAt(study),
    title: nameOf(study),
    status: caution,
    tone: isEnteredInError(study) ? 'error' : caution ? 'quiet' : 'plain',
    details: [
      labelled('Modality', modalities(words(), study)),
      labelled('Site', imagedSites(words(), study).join(', ')),
      imageCounts(words(), study),
      labelled('Reason', studyReason(words(), study)),
      labelled('Ordered by', textAt(words(), study, 'referrer')),
      labelled('Read by', textAt(words(), study, 'interpreter')),
      textAt(words(), study, 'note'),
      ...about.map((report) => html`<span class="label">${t('Report')}</span> ${link(report)}`),
    ],
  };
}

/** Draws the group of studies, or nothing if there are none. */
export function studiesView(
  all: readonly Resource[],
  reports: readonly DiagnosticReport[],
  link: ReportLink,
  store: ChartStore,
): TemplateResult | typeof nothing {
  const [first] = all;
  if (!first) return nothing;
  const { valid: made, errors } = byValidity(all);
  const valid = newest(made, startedAt);
  const view = (study: Resource): Row => item(study, reports, link);
  const name = translated(meaningOf(words(), first).kind);
  return html`<h3>${name} <span class="count">${valid.length}</span></h3>
    ${newestRows(valid, view, { name }, store)}${errorsFolded(errors, view, store)}`;
}

/** Returns a study in a line: its name, modality and date, and the number of images. */
const studyLine = (study: Record<string, unknown>): string => {
  const { resourceType = '', id = '', ...elements } = study;
  const record: Resource = { ...elements, resourceType: String(resourceType), id: String(id) };
  const [name, how] = [nameOf(record), modalities(words(), record)];
  return joined(
    name,
    how === name ? '' : how,
    shortDate(words(), startedAt(record)),
    imageCounts(words(), record),
    cautionOf(words(), record),
  );
};

/** Draws the studies that a report names, for its drawer. */
export const studiesOf = (report: DiagnosticReport, store: ChartStore): TemplateResult[] =>
  (report.imagingStudy ?? []).map((to) => {
    const found = store.find(referredAddress(to.reference));
    const study = containedIn(report, to.reference) ?? found;
    const text = study ? studyLine(study) : (reference(words(), to) ?? firstText(words(), to, ['identifier.value']));
    return html`<p class="detail"><span class="label">${t('Imaging study')}</span> ${
      found ? recordButton(store, found, text) : text
    }${study ? nothing : html` <span class="aside">${t('not shown here')}</span>`}</p>`;
  });
