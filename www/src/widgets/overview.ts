//! The widget of the tool `overview`: who the patient is, and what is current. A result or a vital sign leads to its
//! trend.

import { html, nothing, type TemplateResult } from 'lit-html';
import { shortDate } from '#reading/fhir/date.ts';
import { joinedBy } from '#reading/joined.ts';
import { own } from '#reading/own.ts';
import { t, words } from '../language/message.ts';
import { factView, frameView, quotedView } from './facts.ts';
import { overviewShape, sentence, TITLES, type ToldFact, type ToldOverview } from './told.ts';
import { trendView } from './trend-view.ts';
import { type Page, start, viewOf } from './widget.ts';

/** The genders of FHIR. Only texts that stand in the code are translated. */
const GENDERS = ['male', 'female', 'other', 'unknown'] as const;
/** The sections whose numbers have trends. */
const MEASURED = ['results', 'vitals'];
/** The most facts of a section that are not folded. */
const MAX = 7;

type ToldSection = ToldOverview['sections'][number];

function sectionView({ name, facts, shown, total, past = [], none }: ToldSection, page: Page): TemplateResult {
  const { ask, asked } = page;
  const title = own(TITLES, name);
  const press = ({ what, value = '', quoted }: ToldFact): (() => void) | undefined => {
    const isNumber = /^[<>=]*-?\d/.test(value);
    if (!ask || !isNumber || !MEASURED.includes(name) || quoted?.what !== undefined) return undefined;
    const patient = asked.patient === undefined ? {} : { patient: asked.patient };
    return () => ask('trend', { ...patient, measure: what }, 'over');
  };
  const list = (some: readonly ToldFact[]): TemplateResult =>
    html`<ul role="list" class="facts">${some.map((fact) => factView(fact, page, press(fact)))}</ul>`;
  const most = facts.length > MAX + 1 ? MAX : facts.length;
  const more = facts.slice(most);
  const count =
    total === undefined || shown === total
      ? words().number(total ?? facts.length)
      : t('{shown} of {total}', { shown: words().number(shown ?? facts.length), total: words().number(total) });
  return html`<section class="glance" aria-labelledby=${`of-${name}`} data-section=${name}>
    <h2 id=${`of-${name}`}>${title ? t(title) : name} <span class="count">${count}</span></h2>
    ${facts.length > 0 ? list(facts.slice(0, most)) : nothing}
    ${
      more.length > 0
        ? html`<details><summary>${t('{n} more', { n: more.length })}</summary>${list(more)}</details>`
        : nothing
    }${none === undefined ? nothing : html`<p class="none">${sentence(none)}</p>`}${
      past.length > 0
        ? html`<details class="past"><summary>${t('Past')} <span class="count">${words().number(
            past.length,
          )}</span></summary>${list(past)}</details>`
        : nothing
    }
  </section>`;
}

function overviewView(told: ToldOverview, page: Page): TemplateResult {
  const { who = {}, sections, caution, in_error: inError } = told;
  const gender = GENDERS.find((one) => one === who.gender);
  const about = joinedBy(
    ' · ',
    who.born !== undefined && t('born {date}', { date: shortDate(words(), who.born) }),
    gender === undefined ? who.gender : t(gender),
  );
  const frame = frameView(told, 'overview', page);
  const errors =
    '{n} record was entered in error and is not shown.|{n} records were entered in error and are not shown.';
  return html`<header>
      <h1 tabindex="-1">${who.name ?? t('Patient')}</h1>
      <p class="aside">${about}</p>
      ${quotedView(who.quoted)}
    </header>
    ${caution === undefined ? nothing : html`<p class="warning">${sentence(caution)}</p>`}
    ${told.complete === false ? frame : nothing}
    <div class="tiles">${sections.map((one) => sectionView(one, page))}</div>
    ${inError === undefined ? nothing : html`<p class="aside">${t(errors, { n: inError })}</p>`}
    ${told.complete === false ? nothing : frame}`;
}

start('overview', { overview: viewOf(overviewShape, overviewView), trend: trendView });
