//! The drawing of the facts of a result, and of how much of the record it has.

import { html, nothing, type TemplateResult } from 'lit-html';
import { clock, shortDate } from '#reading/fhir/date.ts';
import { own } from '#reading/own.ts';
import { FLAGS, type Flag, isFlag } from '#reading/results/flags/flag-signs.ts';
import { entry } from '../chart/overview/tile.ts';
import { spanishWords } from '../language/es/catalogue.ts';
import { type PlainMessage, t, words } from '../language/message.ts';
import { decimal, type Frame, sentence, type ToldFact } from './told.ts';
import type { Page } from './widget.ts';

type Part = TemplateResult | typeof nothing;

/** Returns the flag with some words, which may be in either language. */
export const flagNamed = (text: string | undefined): Flag | undefined =>
  Object.keys(FLAGS)
    .filter(isFlag)
    .find((one) => [FLAGS[one].says, spanishWords[FLAGS[one].says]].includes(text ?? ''));

function flagView(text: string | undefined): Part {
  if (text === undefined) return nothing;
  const flag = flagNamed(text);
  const { sign } = FLAGS[flag ?? 'abnormal'];
  return html`<span class="flag" data-flag=${flag ?? ''}><span aria-hidden="true">${sign}</span> ${
    flag ? t(FLAGS[flag].says) : text
  }</span>`;
}

/** Draws a date, with its time of day if it has one. */
export function timeView(when: string | undefined): Part {
  if (when === undefined) return nothing;
  const time = clock(words(), when);
  return html`<time datetime=${when}>${shortDate(words(), when)}${
    time === '' ? nothing : html`, <span class="nowrap">${time}</span>`
  }</time>`;
}

/** A value with its unit, its flag, and what a reader must know of it. */
type ToldValue = { [Name in 'value' | 'unit' | 'flag' | 'caution' | 'state']?: string | undefined };

export function valueView({ value, unit, flag, caution, state }: ToldValue): Part {
  const tags = [caution, state].filter((text) => text !== undefined);
  if (value === undefined && flag === undefined && tags.length === 0) return nothing;
  const suffix = unit === undefined ? nothing : html` <span class="unit">${unit}</span>`;
  return html`<span class="entry-value">${
    value === undefined ? nothing : html`<span>${decimal(value)}${suffix}</span>`
  } ${flagView(flag)} ${tags.map((text) => html`<span class="tag">${text}</span> `)}</span>`;
}

const QUOTED: Readonly<Record<string, PlainMessage>> = {
  what: 'Name',
  name: 'Name',
  value: 'Value',
  unit: 'Unit',
  state: 'Status',
  dose: 'Dose',
  conclusion: 'Conclusion',
  caution: 'Caution',
};

/** Draws texts of the record's authors, marked as such. */
export function quotedView({ by, ...texts }: Readonly<Record<string, string>> = {}): Part {
  const parts = Object.entries(texts);
  if (parts.length === 0) return nothing;
  const nameOf = (key: string): string => {
    const message = own(QUOTED, key);
    return message === undefined ? key : t(message);
  };
  return html`<div class="quoted">${parts.map(
    ([key, text]) => html`<p><span class="label">${t('Quoted')} · ${nameOf(key)}</span> <q>${text}</q></p>`,
  )}${by === undefined ? nothing : html`<p class="by">${t('by {name}', { name: by })}</p>`}</div>`;
}

/** Draws the button that opens the record of a fact. Only an https address is opened. */
export function openView({ url, what, ref }: ToldFact, { open }: Page): Part {
  if (!open || url === undefined || !url.startsWith('https://') || !URL.canParse(url)) return nothing;
  return html`<button type="button" class="open" title=${ref ?? ''} aria-label=${`${t('Open the record')}: ${what}`}
    @click=${() => open(url)}><span aria-hidden="true">↗</span></button>`;
}

/** Draws a fact as a row. `press` is what its name does. */
export function factView(fact: ToldFact, page: Page, press?: () => void): TemplateResult {
  const [value, time] = [valueView(fact), clock(words(), fact.when)];
  const day = html`<time datetime=${fact.when ?? ''}>${shortDate(words(), fact.when)}</time>`;
  const second = value === nothing && time === '' ? nothing : html`<span class="second">${value}<i>${time}</i></span>`;
  const { content } = entry(fact.what, fact.when === undefined ? nothing : day, second);
  return html`<li class="fact"><div class="line">${
    press
      ? html`<button type="button" class="entry" @click=${press}>${content}</button>`
      : html`<div class="entry">${content}</div>`
  }${openView(fact, page)}</div>${quotedView(fact.quoted)}</li>`;
}

/** Draws how much of the record a result has, and when it was read. */
export function frameView({ complete, shown, total, now, left_out = [], next }: Frame, tool: string, page: Page): Part {
  const { ask, asked } = page;
  const count =
    shown === undefined || total === undefined
      ? nothing
      : html` · ${t('{shown} of {total} shown', { shown: words().number(shown), total: words().number(total) })}`;
  const status = complete === undefined ? nothing : complete ? t('Complete') : t('Not complete');
  return html`<div class="frame" data-whole=${complete !== false && left_out.length === 0}>
    <p><strong>${status}</strong>${count}${
      now === undefined ? nothing : html` · ${t('As of')} ${timeView(now)}${now.endsWith('Z') ? ' UTC' : ''}`
    }</p>
    ${left_out.length > 0 ? html`<ul>${left_out.map((text) => html`<li>${sentence(text)}</li>`)}</ul>` : nothing}
    ${
      next === undefined || !ask
        ? nothing
        : html`<button type="button" class="quiet" @click=${() => ask(tool, { ...asked, cursor: next }, 'over')}>${t(
            'More',
          )}</button>`
    }
  </div>`;
}
