//! Alerts (Flag): the active ones in the banner, and all of them in a section.

import { html, nothing, type TemplateResult } from 'lit-html';
import { isInForce, statusCaution } from '#reading/fhir/certainty.ts';
import { newest, period, periodDate } from '#reading/fhir/date.ts';
import { concept, concepts, isEnteredInError, reference } from '#reading/fhir/text.ts';
import { type Flag, ofType } from '#reading/fhir/types.ts';
import { joined } from '#reading/joined.ts';
import { meaningOf } from '#reading/records/meaning.ts';
import { type PlainMessage, t, words } from '../../language/message.ts';
import type { ChartStore } from '../loading/store.ts';
import { recordMark } from '../record/record-mark.ts';
import { openResource } from '../record/resource.ts';
import { hasOmissions } from '../section/omissions.ts';
import { counted } from '../section/other-count.ts';
import { errorsFolded, foldedRows, labelled, type Row, rowsOf } from '../section/row.ts';
import type { Section } from '../section/section.ts';

export const FLAGS = 'Flag?patient={patient}&_count=200';

const nameOf = (flag: Flag): string => concept(words(), flag.code) ?? t('Alert not named');

const item = (flag: Flag): Row => ({
  resource: flag,
  when: periodDate(flag.period),
  title: nameOf(flag),
  status: statusCaution(words(), flag),
  tone: isInForce(flag) ? 'alert' : 'quiet',
  details: [
    concepts(words(), flag.category),
    period(words(), flag.period),
    labelled('Said by', reference(words(), flag.author)),
  ],
});

export const flags: Section = {
  id: 'flags',
  title: 'Alerts',
  queries: [FLAGS],
  nothing: 'No data: no alert is recorded in this chart.',
  show([found], context) {
    const all = newest(ofType('Flag', found?.matches), (flag) => periodDate(flag.period));
    const errors = all.filter(isEnteredInError);
    const holding = all.filter(isInForce);
    const past = all.filter((flag) => !holding.includes(flag) && !errors.includes(flag));
    return {
      ...counted(holding),
      none: holding.length === 0 ? 'No alert is in force.' : undefined,
      body: html`${rowsOf(holding, item, context)}${foldedRows(
        '{n} past alert|{n} past alerts',
        past,
        item,
        context,
      )}${errorsFolded(errors, item, context)}`,
    };
  },
};

/** The words if alerts could not be read. A server that has no alerts is not mentioned. */
const NOT_LOADED: Partial<Record<string, PlainMessage>> = {
  withheld: 'not granted#alerts',
  failed: 'could not be loaded',
};

/** Draws the alerts in force, for the banner. Each opens its record. Draws nothing if there are none. */
export function flagLine(store: ChartStore): TemplateResult | typeof nothing {
  const state = store.load(FLAGS);
  const all = state.is === 'loaded' ? ofType('Flag', state.found.matches).filter(isInForce) : [];
  const why = NOT_LOADED[state.is];
  const isPartial = state.is === 'loaded' && hasOmissions(flags, store);
  if (all.length === 0 && !why && !isPartial) return nothing;
  return html`<div class="flag-line"><strong>${t('Alerts')}</strong> ${
    why ? html`<span class="none">${t(why)}</span>` : nothing
  }<ul role="list">${newest(all, (flag) => periodDate(flag.period)).map(
    (flag) => html`<li><span class="sign" aria-hidden="true">▲</span> <button type="button" class="record"
      @click=${() => openResource(flag, store)}>${nameOf(flag)}</button>${recordMark(flag)}${aboutView(flag)}</li> `,
  )}</ul>${isPartial ? html`<span class="none">${t('not all can be shown')}</span>` : nothing}</div>`;
}

function aboutView(flag: Flag): TemplateResult | typeof nothing {
  const about = joined(meaningOf(words(), flag).value, statusCaution(words(), flag));
  return about ? html` <span class="reaction">${about}</span>` : nothing;
}
