//! Alerts (Flag): the active ones in the banner, and all of them in a section.

import { html, type nothing, type TemplateResult } from 'lit-html';
import { unnamed } from '#reading/fhir/absent-words.ts';
import { isInForce, statusCaution } from '#reading/fhir/certainty.ts';
import { newest, period, periodDate } from '#reading/fhir/date.ts';
import { concept, concepts, isEnteredInError, reference } from '#reading/fhir/text.ts';
import { type Flag, ofType } from '#reading/fhir/types.ts';
import { joined } from '#reading/joined.ts';
import { own } from '#reading/own.ts';
import { meaningOf } from '#reading/records/meaning.ts';
import { t, words } from '../../language/message.ts';
import { bannerLine } from '../banner-line.ts';
import { type ChartStore, matchesIn } from '../loading/store.ts';
import { hasOmissions } from '../section/omissions.ts';
import { counted } from '../section/other-count.ts';
import { errorsFolded, foldedRows, labelled, type Row, rowsOf } from '../section/row.ts';
import type { Section } from '../section/section.ts';

export const FLAGS = 'Flag?patient={patient}&_count=200';

const nameOf = (flag: Flag): string => concept(words(), flag.code) ?? unnamed(words(), t('Alert not named'), flag.code);

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
  show([found], store) {
    const all = newest(ofType('Flag', found?.matches), (flag) => periodDate(flag.period));
    const errors = all.filter(isEnteredInError);
    const holding = all.filter(isInForce);
    const past = all.filter((flag) => !holding.includes(flag) && !errors.includes(flag));
    return {
      ...counted(holding),
      none: holding.length === 0 ? 'No alert is in force.' : undefined,
      body: html`${rowsOf(holding, item, store)}${foldedRows(
        '{n} past alert|{n} past alerts',
        past,
        item,
        store,
      )}${errorsFolded(errors, item, store)}`,
    };
  },
};

/** Draws the alerts in force, for the banner. A server that has no alerts is not mentioned. */
export function flagLine(store: ChartStore): TemplateResult | typeof nothing {
  const state = store.load(FLAGS);
  const all = ofType('Flag', matchesIn(state)).filter(isInForce);
  const without = { withheld: t('not granted#alerts'), failed: t('could not be loaded') };
  const records = newest(all, (flag) => periodDate(flag.period)).map((flag) => ({
    record: flag,
    name: nameOf(flag),
    about: joined(meaningOf(words(), flag).value, statusCaution(words(), flag)),
    isAlert: true,
  }));
  const isPartial = state.is === 'loaded' && hasOmissions(flags, store);
  return bannerLine({ title: 'Alerts', without: own(without, state.is), records, isPartial }, store);
}
