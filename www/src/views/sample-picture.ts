//! The picture of a chart on the first page: a few records of the sample. The engine, which has the whole sample, is
//! not loaded there. `sample-picture.test.ts` compares the picture with the sample.

import { html, svg, type TemplateResult } from 'lit-html';
import { unitSuffix } from '#reading/fhir/units.ts';
import { t, words } from '../language/message.ts';
import chart from './sample-picture.json' with { type: 'json' };

const [WIDTH, HEIGHT] = [300, 72];
/** The values at the bottom and at the top of the trend. */
const [LEAST, MOST] = [4, 10];

const monthOf = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));
const height = (value: number): number => HEIGHT - ((value - LEAST) / (MOST - LEAST)) * HEIGHT;

const [low = '', high = ''] = chart.test.range;
const results = chart.results.map(([date = '', value = '']) => ({ date, value }));
const [first, latest] = [results[0], results.at(-1)];
const [from, to] = [monthOf(first?.date ?? ''), monthOf(latest?.date ?? '')];
const POINTS = results.map(({ date, value }) =>
  [4 + ((monthOf(date) - from) / (to - from)) * (WIDTH - 8), height(Number(value))].map((n) => n.toFixed(1)),
);

/** Draws the picture, for the eye alone: a link beside it opens the chart. */
export function samplePicture(): TemplateResult {
  const born = new Intl.DateTimeFormat(words().locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const day = born.format(new Date(chart.born));
  const value = words().decimal(latest?.value ?? '');
  const [x, y] = POINTS.at(-1) ?? [];
  return html`<div class="sample-picture">
    <div class="of"><p><strong>${chart.name}</strong> ${t('born {date}', { date: day })}</p>
      <p><strong>${t('Allergies')}</strong> <span lang="en">${chart.allergies.map(
        ({ name }, i) => html`${i === 0 ? html`<span class="flag">▲</span> ` : ' · '}${name}`,
      )}</span></p></div>
    <div><strong>${t('Problems')}</strong>${chart.problems.map(
      ({ name, since }) =>
        html`<p><span lang="en">${name}</span> <small>${t('since {date}', { date: since })}</small></p>`,
    )}</div>
    <div><strong>${t('Medications')}</strong>${chart.medications.map(
      ({ name }) => html`<p lang="en">${name}</p>`,
    )}</div>
    <div class="of"><p><strong lang="en">${chart.test.name}</strong> <span><b>${value}</b>${unitSuffix(
      chart.test.unit,
    )} <span class="flag">▲ ${t('High')}</span></span></p>
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}">${svg`<rect class="band" width=${WIDTH} y=${height(Number(high))}
        height=${height(Number(low)) - height(Number(high))} /><polyline points=${POINTS.join(' ')} />
        <circle cx=${x} cy=${y} r="4" />`}</svg>
      <p><small>${first?.date.slice(0, 4)}</small> <small>${t('Range')} ${words().decimal(low)}–${words().decimal(
        high,
      )}</small> <small>${latest?.date.slice(0, 4)}</small></p></div>
  </div>`;
}
