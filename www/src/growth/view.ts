//! The growth of a child: for each measure the charts of its ages, and a table with the percentile of each measurement.

import { html, nothing, type TemplateResult } from 'lit-html';
import { clockDate } from '#reading/fhir/date.ts';
import type { Observation, Patient, Resource } from '#reading/fhir/types.ts';
import { percentileText, type Sex } from '#reading/growth/lms.ts';
import { MEASURES, type Measurements, measurementsOf } from '#reading/growth/measurements.ts';
import { CDC_STANDARD, type StandardType, WHO_STANDARD } from '#reading/growth/standards.ts';
import { type GrowthRow, type GrowthTable, growthTable, sexOf } from '#reading/growth/table.ts';
import { rich, t, words } from '../language/message.ts';
import { empty } from '../parts/notice.ts';
import { plotSize } from '../plot/size.ts';
import { growthPlot, plottedOn } from './plot.ts';

/** The heights of the curves on a phone, on a tablet, and on a wider page. */
const HEIGHTS = [300, 360, 420] as const;
const STANDARDS: readonly StandardType[] = [WHO_STANDARD, CDC_STANDARD];

/** Returns a button that opens a record. */
type RecordLink = (record: Resource, text: unknown) => TemplateResult;

export function growthView(
  observations: readonly Observation[],
  patient: Patient | undefined,
  link: RecordLink,
): TemplateResult {
  const all = measurementsOf(words(), observations, patient?.birthDate);
  const sex = sexOf(patient?.gender);
  const tables = sex ? all.map((one) => growthTable(one, sex)) : [];
  const used = STANDARDS.filter((standard) => tables.some((table) => plottedOn(table, standard).length > 0));
  return html`<section class="growth-view" aria-labelledby="growth-title">
    <header class="section-head"><h2 id="growth-title">${t('Growth')}</h2></header>
    ${all.length === 0 ? empty(t('No measurement of growth before the age of 20 is recorded.')) : ''}
    ${all.length > 0 ? note(used, sex) : nothing}
    ${
      sex
        ? tables.map((table) => measureView(table, link))
        : all.map((one) => html`<h3>${t(MEASURES[one.measure].title)}</h3>${plainTable(one, link)}`)
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

function measureView(table: GrowthTable, link: RecordLink): TemplateResult {
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
    <div class="table-frame" tabindex="0" role="region" aria-label=${t('{title}: all measurements', { title })}>
      <table class="results growth-table"><caption class="visually-hidden">${t(
        '{title}: all measurements with their percentiles, newest first',
        { title },
      )}</caption>
      <thead><tr><th scope="col">${t('When')}</th><th scope="col">${t('Age')}</th>
        <th scope="col" class="number">${t('Value')}</th><th scope="col">${t('Percentile')}</th>
        <th scope="col">${t('Curves')}</th></tr></thead>
      <tbody>${table.rows.toReversed().map((row) => rowView(row, link))}</tbody></table></div>`;
}

function rowView({ measurement, standard, percentile, why }: GrowthRow, link: RecordLink): TemplateResult {
  const { source, on, text, ageText } = measurement;
  return html`<tr><th scope="row" class="nowrap">${link(source, clockDate(words(), on) || t('No date'))}</th>
    <td class="nowrap age">${ageText || t('not known')}</td><td class="number">${text}</td>
    <td class="percentile">${
      percentile === undefined
        ? html`<span class="quiet-text">${why && t(why)}</span>`
        : percentileText(words(), percentile)
    }</td><td class="quiet standard">${percentile === undefined || !standard ? '' : t(standard.id)}</td></tr>`;
}

/** The measurements of a child for whom no percentile is given. */
function plainTable({ measure, list }: Measurements, link: RecordLink): TemplateResult {
  const title = t(MEASURES[measure].title);
  const label = t('{title}: all measurements', { title });
  return html`<div class="table-frame" tabindex="0" role="region" aria-label=${label}>
    <table class="plain"><caption class="visually-hidden">${t('{title}: all measurements, newest first', {
      title,
    })}</caption>
    <thead><tr><th scope="col">${t('When')}</th><th scope="col">${t('Age')}</th>
      <th scope="col" class="number">${t('Value')}</th></tr></thead>
    <tbody>${list.toReversed().map(
      ({
        source,
        on,
        text,
        ageText,
      }) => html`<tr><th scope="row">${link(source, clockDate(words(), on) || t('No date'))}</th>
        <td>${ageText || t('not known')}</td><td class="number">${text}</td></tr>`,
    )}</tbody></table></div>`;
}
