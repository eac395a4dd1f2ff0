//! A measure over time: its picture, what was computed of it, and its values. Another unit is another picture.

import { html, nothing, type TemplateResult } from 'lit-html';
import { instant, shortDate } from '#reading/fhir/date.ts';
import type { Words } from '#reading/language/words.ts';
import { own } from '#reading/own.ts';
import type { Point, Series } from '#reading/results/series.ts';
import { plot } from '../chart/plot.ts';
import { type PlainMessage, rich, t, words } from '../language/message.ts';
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
  const text = unit !== '' && usual.endsWith(unit) ? usual.slice(0, -unit.length).trim() : usual;
  const [, low, high] = /^(\d+(?:\.\d+)?)–(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (low !== undefined && high !== undefined) return [low, high];
  const [, sign, end] = /^([<≤>≥])\s(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  return sign === undefined || end === undefined ? [] : '<≤'.includes(sign) ? [undefined, end] : [end];
}

/** Returns a series for the picture. */
function drawable({ points, usual, unit = '' }: ToldSeries): Series {
  const [low, high] = limitsOf(usual, unit);
  const end = (text: string | undefined) => (text === undefined ? undefined : { value: Number(text), written: text });
  const limits = {
    ...(low === undefined ? {} : { low: end(low) }),
    ...(high === undefined ? {} : { high: end(high) }),
  };
  return {
    key: '',
    name: '',
    unit,
    points: points.flatMap((one) => pointOf(one, unit)),
    low: end(low)?.value,
    high: end(high)?.value,
    limits: limits as NonNullable<Series['limits']>,
  };
}

/** The pictures of series in a language, with the moments that the pointer has chosen. */
const pictures = new WeakMap<ToldSeries, { in: Words; series: Series; at: number | undefined }>();

function pictureView(told: ToldSeries, name: string, { draw }: Page): TemplateResult | typeof nothing {
  const known = pictures.get(told);
  const picture = known?.in === words() ? known : { in: words(), series: drawable(told), at: known?.at };
  pictures.set(told, picture);
  const { series } = picture;
  if (series.points.length === 0) return nothing;
  const choose = (at: number): void => {
    picture.at = at;
    draw();
  };
  const selection = { at: picture.at ?? series.points.at(-1)?.at, choose, hasBoundsAsText: true };
  const label = t('Picture of {name}. The table of values says the same.', { name });
  return html`<figure class="figure">${plot([series], plotSize(HEIGHTS), selection, label)}</figure>`;
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
  const fact = (title: PlainMessage, one: ToldFact | undefined): TemplateResult | typeof nothing =>
    one === undefined
      ? nothing
      : html`<div><dt>${t(title)} ${openView(one, page)}</dt><dd>${valueView(one)} <small>${timeView(
          one.when,
        )}</small>${quotedView(one.quoted)}</dd></div>`;
  const text = (title: PlainMessage, content: unknown): TemplateResult =>
    html`<div><dt>${t(title)}</dt><dd>${content}</dd></div>`;
  return html`<dl class="figures">
    ${fact('Latest', last)}
    ${change === undefined ? nothing : text('Change', changeView(change, unit))}
    ${usual === undefined ? nothing : text('Usual range', html`<span class="entry-value">${decimal(usual)}</span>`)}
    ${mean === undefined ? nothing : text('Mean', valueView({ value: mean, unit }))}
    ${fact('Lowest', lowest)}${fact('Highest', highest)}${fact('First', first)}
  </dl>`;
}

function countsView({ n, outside, undated, in_error: inError, bounds }: ToldSeries): TemplateResult {
  const counts = [
    n !== undefined && t('{n} value|{n} values', { n }),
    outside !== undefined && t('{n} outside of the range', { n: outside }),
    bounds !== undefined && t('{n} only a bound|{n} only bounds', { n: bounds }),
    undated !== undefined && t('{n} without a date', { n: undated }),
    inError !== undefined && t('{n} entered in error', { n: inError }),
  ];
  return html`<p class="aside counts">${counts.filter(Boolean).join(' · ')}</p>`;
}

function table(caption: string, heads: readonly PlainMessage[], rows: readonly (readonly unknown[])[]): TemplateResult {
  return html`<div class="table-frame" tabindex="0" role="region" aria-label=${caption}><table>
    <thead><tr>${heads.map((head, i) => html`<th scope="col" class=${i > 0 ? 'number' : ''}>${t(head)}</th>`)}</tr></thead>
    <tbody>${rows.map(
      ([head, ...cells]) =>
        html`<tr><th scope="row" class="nowrap">${head}</th>${cells.map((cell) => html`<td class="number">${cell}</td>`)}</tr>`,
    )}</tbody></table></div>`;
}

function periodsView({ periods, periods_left_out: leftOut, without_period: without }: ToldSeries, title: string) {
  if (periods === undefined) return nothing;
  const rows = periods.map(({ period, n, lowest = '', mean = '', highest = '' }) => [
    shortDate(words(), period),
    n === undefined ? '' : words().number(n),
    ...[lowest, mean, highest].map(decimal),
  ]);
  const notes = [
    leftOut && t('{n} older period is left out.|{n} older periods are left out.', { n: leftOut }),
    without &&
      t('{n} value has a date without this period.|{n} values have a date without this period.', { n: without }),
  ].filter(Boolean);
  return html`<h3>${t('By period')}</h3>
    ${table(`${t('By period')}: ${title}`, ['Period', 'Count', 'Lowest', 'Mean', 'Highest'], rows.toReversed())}
    ${notes.length > 0 ? html`<p class="aside">${notes.join(' ')}</p>` : nothing}`;
}

function seriesView(told: ToldSeries, page: Page): TemplateResult {
  const { name = t('Unnamed'), quoted, apart, codes = [], unit, points } = told;
  // Of a pair of values, such as a blood pressure, each fact has the name of the pair.
  const names = [told.first, told.last, told.lowest, told.highest].flatMap((one) => one?.what ?? []);
  const about = [...new Set([apart, unit, ...codes, ...names])].filter((one) => one && one !== name).join(' · ');
  const title = [name, unit].filter(Boolean).join(', ');
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
    )}</span></summary>${table(`${t('Table of values')}: ${title}`, ['When', 'Value', 'Flag'], rows.toReversed())}</details>
  </section>`;
}

/** Draws the choices of another call. */
function choicesView({ now }: ToldTrend, { ask, asked }: Page): TemplateResult | typeof nothing {
  if (!ask) return nothing;
  const { since, until, every, ...rest } = asked;
  const choice = (label: string, isChosen: boolean, next: object): TemplateResult =>
    html`<button type="button" class="quiet" aria-pressed=${isChosen}
      @click=${() => ask('trend', { ...rest, ...next }, 'here')}>${label}</button>`;
  const kept = Object.fromEntries(Object.entries({ since, until }).filter(([, value]) => value !== undefined));
  const held = every === undefined ? {} : { every };
  const at = instant(now);
  const yearsAgo = (n: number): string => {
    const day = new Date(at ?? 0);
    day.setUTCFullYear(day.getUTCFullYear() - n);
    return day.toISOString().slice(0, 10);
  };
  const years = ([1, 5] as const).map((n) =>
    choice(t('{n} year|{n} years', { n }), since === yearsAgo(n), { ...held, since: yearsAgo(n) }),
  );
  return html`<div class="choices">
    <div role="group" aria-label=${t('Years that are drawn')}>${at === undefined ? nothing : years}${choice(
      t('All years'),
      since === undefined && until === undefined,
      held,
    )}</div>
    <div role="group" aria-label=${t('By period')}>${(['month', 'year'] as const).map((one) =>
      choice(one === 'month' ? t('By month') : t('By year'), every === one, {
        ...kept,
        ...(every === one ? {} : { every: one }),
      }),
    )}</div>
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
