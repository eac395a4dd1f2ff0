//! A measure over time: its picture, what was computed of it, and its values. Another unit is another picture.

import { html, nothing, type TemplateResult } from 'lit-html';
import { instant, shortDate } from '#reading/fhir/date.ts';
import { joined, joinedBy } from '#reading/joined.ts';
import { own } from '#reading/own.ts';
import type { Point, Series } from '#reading/results/trends/series.ts';
import { plot } from '../chart/results/plot.ts';
import { type PlainMessage, rich, t, words } from '../language/message.ts';
import { fact } from '../parts/fact.ts';
import { plotSize } from '../plot/size.ts';
import { flagNamed, frameView, openView, quotedView, timeView, valueView } from './facts.ts';
import {
  decimal,
  sentence,
  type ToldFact,
  type ToldPoint,
  type ToldSeries,
  type ToldTrend,
  trendShape,
} from './told.ts';
import { type Page, viewOf } from './widget.ts';

/** The heights of the picture on a phone, on a tablet, and on a wider page. */
const HEIGHTS = [200, 230, 260] as const;

const NUMBER = /^(<=|>=|<|>|ad)?(-?\d+(?:\.\d+)?)$/;

const RANGE = /^(?:([\d.]+)–([\d.]+)|[<≤]\s([\d.]+)|[>≥]\s([\d.]+))$/;

/** Returns the place of a value in a picture; nothing without a date or a number. */
function pointOf({ value, when, flag }: ToldPoint, unit: string): Point[] {
  const [, comparator, number] = NUMBER.exec(value) ?? [];
  const at = instant(when);
  if (number === undefined || when === undefined || at === undefined) return [];
  const isBound = comparator !== undefined;
  const text = isBound ? decimal(value) : `${decimal(value)} ${unit} · ${shortDate(words(), when)}`;
  const source = { resourceType: 'Observation', id: '' } as const;
  const place = { at, on: when, value: Number(number), text, isBound, isPreliminary: false };
  return [{ ...place, flag: flagNamed(flag), recorded: {}, source }];
}

/** Returns the ends of a range that is two numbers, or one with a sign, in the unit of the series. */
function limitsOf(usual = '', unit: string): (string | undefined)[] {
  const text = usual.endsWith(unit) ? usual.slice(0, usual.length - unit.length).trim() : usual;
  const [, low, high, most, least] = RANGE.exec(text) ?? [];
  return [low ?? least, high ?? most];
}

/** Returns a series for the picture. */
function drawable({ points, usual, unit = '' }: ToldSeries): Series {
  const [low, high] = limitsOf(usual, unit).map((end) => (end ? { value: Number(end), written: end } : undefined));
  const limits = { ...(low && { low }), ...(high && { high }) };
  const drawn = points.flatMap((one) => pointOf(one, unit));
  return { key: '', name: '', unit, points: drawn, low: low?.value, high: high?.value, limits };
}

/** The moment that the pointer has chosen. */
let chosen: { of: ToldSeries; at: number } | undefined;

function pictureView(told: ToldSeries, name: string, { draw }: Page): TemplateResult | typeof nothing {
  const series = drawable(told);
  if (series.points.length === 0) return nothing;
  const choose = (at: number): void => {
    chosen = { of: told, at };
    draw();
  };
  const at = chosen?.of === told ? chosen.at : series.points.at(-1)?.at;
  const label = t('Picture of {name}. The table of values says the same.', { name });
  const picture = plot([series], plotSize(HEIGHTS), { at, choose, hasBoundsAsText: true }, label);
  return html`<figure class="figure">${picture}</figure>`;
}

const CHANGES: Readonly<Record<string, [sign: string, says: PlainMessage]>> = {
  up: ['↑', 'up'],
  down: ['↓', 'down'],
  same: ['=', 'unchanged'],
};

function changeView({ way, by, since }: NonNullable<ToldSeries['change']>, unit: string | undefined): TemplateResult {
  const [sign, says] = own(CHANGES, way) ?? [];
  return html`<span aria-hidden="true">${sign}</span> <span class=${says ? 'visually-hidden' : ''}>${
    says ? t(says) : way
  }</span> ${valueView({ value: by, unit })} <small>${rich('since {date}#a value', { date: timeView(since) })}</small>`;
}

function figuresView(told: ToldSeries, page: Page): TemplateResult {
  const { first, last, lowest, highest, mean, change, unit, usual } = told;
  const of = (title: PlainMessage, one: ToldFact | undefined): TemplateResult | typeof nothing =>
    one === undefined
      ? nothing
      : fact(
          html`${t(title)} ${openView(one, page)}`,
          html`${valueView(one)} <small>${timeView(one.when)}</small>${quotedView(one.quoted)}`,
        );
  return html`<dl class="figures">
    ${of('Latest', last)}
    ${change === undefined ? nothing : fact(t('Change'), changeView(change, unit))}
    ${usual === undefined ? nothing : fact(t('Usual range'), html`<span class="entry-value">${decimal(usual)}</span>`)}
    ${mean === undefined ? nothing : fact(t('Mean'), valueView({ value: mean, unit }))}
    ${of('Lowest', lowest)}${of('Highest', highest)}${of('First', first)}
  </dl>`;
}

function countsView({ n, outside, undated, in_error: inError, bounds }: ToldSeries): TemplateResult {
  const counts = joinedBy(
    ' · ',
    n !== undefined && t('{n} value|{n} values', { n }),
    outside !== undefined && t('{n} outside of the range', { n: outside }),
    bounds !== undefined && t('{n} only a bound|{n} only bounds', { n: bounds }),
    undated !== undefined && t('{n} without a date', { n: undated }),
    inError !== undefined && t('{n} entered in error', { n: inError }),
  );
  return html`<p class="aside counts">${counts}</p>`;
}

/** Draws a table with the newest row first. */
function table(caption: string, heads: readonly PlainMessage[], rows: readonly (readonly unknown[])[]): TemplateResult {
  const cell = (content: unknown, i: number): TemplateResult =>
    i === 0 ? html`<th scope="row" class="nowrap">${content}</th>` : html`<td class="number">${content}</td>`;
  return html`<div class="table-frame" tabindex="0" role="region" aria-label=${caption}><table>
    <thead><tr>${heads.map((head) => html`<th scope="col" class="number">${t(head)}</th>`)}</tr></thead>
    <tbody>${rows.toReversed().map((cells) => html`<tr>${cells.map(cell)}</tr>`)}</tbody></table></div>`;
}

function periodsView(
  { periods, periods_left_out: leftOut = 0, without_period: without = 0 }: ToldSeries,
  title: string,
) {
  if (periods === undefined) return nothing;
  const rows = periods.map(({ period, n, lowest = '', mean = '', highest = '' }) => [
    shortDate(words(), period),
    n,
    ...[lowest, mean, highest].map(decimal),
  ]);
  const notes = joinedBy(
    ' ',
    leftOut > 0 && t('{n} older period is left out.|{n} older periods are left out.', { n: leftOut }),
    without > 0 && t('{n} value is of no period.|{n} values are of no period.', { n: without }),
  );
  return html`${table(`${t('By period')}: ${title}`, ['Period', 'Count', 'Lowest', 'Mean', 'Highest'], rows)}
    <p class="aside">${notes}</p>`;
}

function seriesView(told: ToldSeries, page: Page): TemplateResult {
  const { name = t('Unnamed'), quoted, apart, codes = [], unit, points } = told;
  const about = [...new Set([apart, unit, ...codes])].filter((one) => one && one !== name).join(' · ');
  const title = joined(name, unit);
  const rows = points.map(({ when, value, flag }) => [
    when === undefined ? t('No date') : timeView(when),
    valueView({ value, unit }),
    valueView({ flag }),
  ]);
  return html`<section class="series glance" aria-label=${title}>
    <h2>${name} <small>${about}</small></h2>
    ${quotedView(quoted)}
    ${pictureView(told, name, page)}
    ${figuresView(told, page)}
    ${countsView(told)}
    ${periodsView(told, title)}
    <details class="values"><summary>${t('Table of values')} <span class="count">${words().number(
      points.length,
    )}</span></summary>${table(`${t('Table of values')}: ${title}`, ['When', 'Value', 'Flag'], rows)}</details>
  </section>`;
}

/** Draws the choices of another call. */
function choicesView({ now }: ToldTrend, { ask, asked }: Page): TemplateResult | typeof nothing {
  const today = instant(now);
  if (!ask || today === undefined) return nothing;
  const { since, until, every, ...rest } = asked;
  const period = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
  const held = every === undefined ? {} : { every };
  const choice = (label: string, isChosen: boolean, next: object): TemplateResult =>
    html`<button type="button" class="quiet" aria-pressed=${isChosen}
      @click=${() => ask('trend', { ...rest, ...next }, 'here')}>${label}</button>`;
  const years = [1, 5].map((n) => {
    const day = new Date(today);
    day.setUTCFullYear(day.getUTCFullYear() - n);
    const from = day.toISOString().slice(0, 10);
    return choice(t('{n} year|{n} years', { n }), since === from, { ...held, since: from });
  });
  const whole = choice(t('All years'), Object.keys(period).length === 0, held);
  const by = (one: string, label: string): TemplateResult =>
    choice(label, every === one, every === one ? period : { ...period, every: one });
  return html`<div class="choices">
    <div role="group" aria-label=${t('Years that are drawn')}>${years}${whole}</div>
    <div role="group" aria-label=${t('By period')}>${by('month', t('By month'))}${by('year', t('By year'))}</div>
  </div>`;
}

export const trendView = viewOf(trendShape, (told, page) => {
  const { measure, series, none } = told;
  const frame = frameView(told, 'trend', page);
  return html`<header><h1 tabindex="-1">${measure ?? t('Over time')}</h1></header>
    ${choicesView(told, page)}
    ${told.complete === false ? frame : nothing}
    ${none === undefined ? nothing : html`<p class="none">${sentence(none)}</p>`}
    ${series.map((one) => seriesView(one, page))}
    ${told.complete === false ? nothing : frame}`;
});
