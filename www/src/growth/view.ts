//! The growth of a child: for each measure the charts of its ages, and a table with the percentile of each measurement.

import { html, nothing, type TemplateResult } from 'lit-html';
import { clockDate } from '#reading/fhir/date.ts';
import type { Observation } from '#reading/fhir/types.ts';
import { percentileText, type Sex } from '#reading/growth/lms.ts';
import { MEASURES, measurementsOf } from '#reading/growth/measurements.ts';
import { CDC_STANDARD, type StandardType, WHO_STANDARD } from '#reading/growth/standards.ts';
import { type GrowthRow, type GrowthTable, growthTable, sexOf } from '#reading/growth/table.ts';
import type { ChartStore } from '../chart/loading/store.ts';
import { patientOf } from '../chart/patient.ts';
import { recordButton } from '../chart/record/record-link.ts';
import { rich, t, words } from '../language/message.ts';
import { empty } from '../parts/notice.ts';
import { plotSize } from '../plot/size.ts';
import { growthPlot, plottedOn } from './plot.ts';

/** The heights of the curves on a phone, on a tablet, and on a wider page. */
const HEIGHTS = [300, 360, 420] as const;
const STANDARDS: readonly StandardType[] = [WHO_STANDARD, CDC_STANDARD];

export function growthView(observations: readonly Observation[], store: ChartStore): TemplateResult {
  const { birthDate, gender } = patientOf(store) ?? {};
  const all = measurementsOf(words(), observations, birthDate);
  const sex = sexOf(gender);
  const tables = sex ? all.map((one) => growthTable(one, sex)) : [];
  const used = STANDARDS.filter((standard) => tables.some((table) => plottedOn(table, standard).length > 0));
  return html`<section class="growth-view" aria-labelledby="growth-title">
    <header class="section-head"><h2 id="growth-title">${t('Growth')}</h2></header>
    ${all.length === 0 ? empty(t('No measurement of growth before the age of 20 is recorded.')) : note(used, sex)}
    ${
      sex
        ? tables.map((table) => measureView(table, store))
        : all.map(({ measure, list }) => {
            const title = t(MEASURES[measure].title);
            const rows = list.map((measurement) => ({ measurement }));
            return html`<h3>${title}</h3>${tableView(title, rows, false, store)}`;
          })
    }
  </section>`;
}

const AGES = { WHO: '{standard} (to two years)', CDC: '{standard} (from two years)' } as const;

function note(used: StandardType[], sex: Sex | undefined): TemplateResult {
  if (!sex) {
    return html`<p class="growth-note">${t('The growth standards are by sex, male or female.')}
      ${t('This record says neither, so that no percentile is given.')}</p>`;
  }
  if (used.length === 0) {
    return html`<p class="growth-note">${t(
      'No measurement has an exact date and a unit of the growth standards, so that no percentile is given.',
    )}</p>`;
  }
  const standards = used
    .map(({ title, url, id }): unknown =>
      rich(AGES[id], { standard: html`<a href=${url} rel="noreferrer">${t(title)}</a>` }),
    )
    .reduce((before, next) => rich('{before} and the {next}', { before, next }));
  return html`<p class="growth-note">${
    sex === 'male'
      ? rich('Percentiles for boys, by the sex in the record, from the {standards}.', { standards })
      : rich('Percentiles for girls, by the sex in the record, from the {standards}.', { standards })
  } ${t('Ages are not corrected for preterm birth.')}
    ${t('Length and height are taken as they are recorded.')}</p>`;
}

function measureView(table: GrowthTable, store: ChartStore): TemplateResult {
  const { unit } = MEASURES[table.measure];
  const title = t(MEASURES[table.measure].title);
  const shown = STANDARDS.filter((standard) =>
    plottedOn(table, standard).some(({ row }) => row.percentile !== undefined),
  );
  return html`<h3>${title}</h3>
    ${shown.map(
      (standard) => html`<figure class="figure">${growthPlot(table, standard, plotSize(HEIGHTS))}
        <figcaption><span class="key growth-key">${title}, ${unit}</span>
          <span class="key curve-key">${t('Percentiles {percentiles}', {
            percentiles: standard.percentiles(table.measure).join(', '),
          })}</span>
          <span class="key">${t(standard.title)}</span></figcaption></figure>`,
    )}
    ${tableView(title, table.rows, true, store)}`;
}

type Row = Pick<GrowthRow, 'measurement'> & Partial<GrowthRow>;

/** Draws the measurements, newest first. Without the sex of the child there are no percentiles. */
function tableView(title: string, rows: readonly Row[], hasCurves: boolean, store: ChartStore): TemplateResult {
  const caption = hasCurves
    ? t('{title}: all measurements with their percentiles, newest first', { title })
    : t('{title}: all measurements, newest first', { title });
  const label = t('{title}: all measurements', { title });
  return html`<div class="table-frame" tabindex="0" role="region" aria-label=${label}>
    <table class="results growth-table"><caption class="visually-hidden">${caption}</caption>
    <thead><tr><th scope="col">${t('When')}</th><th scope="col">${t('Age')}</th>
      <th scope="col" class="number">${t('Value')}</th>${
        hasCurves ? html`<th scope="col">${t('Percentile')}</th><th scope="col">${t('Curves')}</th>` : nothing
      }</tr></thead>
    <tbody>${rows
      .toReversed()
      .map(
        (row) => html`<tr>${measurementCells(row, store)}${hasCurves ? percentileCells(row) : nothing}</tr>`,
      )}</tbody></table></div>`;
}

const measurementCells = ({ measurement: { source, on, text, ageText } }: Row, store: ChartStore): TemplateResult =>
  html`<th scope="row" class="nowrap">${recordButton(store, source, clockDate(words(), on) || t('No date'))}</th>
    <td class="nowrap age">${ageText || t('not known')}</td><td class="number">${text}</td>`;

const percentileCells = ({ standard, percentile, why }: Row): TemplateResult =>
  html`<td class="percentile">${
    percentile === undefined
      ? html`<span class="quiet-text">${why && t(why)}</span>`
      : percentileText(words(), percentile)
  }</td><td class="quiet standard">${percentile === undefined || !standard ? '' : t(standard.id)}</td>`;
