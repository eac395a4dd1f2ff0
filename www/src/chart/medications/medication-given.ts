//! Administrations of medications in the section: with their order or, without one, in a row for each drug.

import { html, type TemplateResult } from 'lit-html';
import { clock, clockDate, shortDate } from '#reading/fhir/date.ts';
import { concepts, plain } from '#reading/fhir/text.ts';
import type { MedicationAdministration } from '#reading/fhir/types.ts';
import { joined } from '#reading/joined.ts';
import { isGiven } from '#reading/medications/given-courses.ts';
import { recordedDose } from '#reading/medications/medication-dose.ts';
import { medicationDate } from '#reading/medications/medication-list.ts';
import { medicationStatus } from '#reading/medications/medication-status.ts';
import { t, words } from '../../language/message.ts';
import { foldedList } from '../../parts/folded.ts';
import { whenOpen } from '../../parts/when-open.ts';
import type { ChartStore } from '../loading/store.ts';
import { recordButton } from '../record/record-link.ts';

/** Returns the number of administrations with the latest date, and the number of times that a drug was not given. */
function countText(list: readonly MedicationAdministration[]): string {
  const given = list.filter(isGiven);
  const withheld = list.length - given.length;
  const latest = given[0] && shortDate(words(), medicationDate(given[0]));
  return joined(
    given.length > 0
      ? t('{n} administration, latest {date}|{n} administrations, latest {date}', {
          n: given.length,
          date: latest || t('no date'),
        })
      : '',
    withheld > 0 ? t('not given once|not given {n} times', { n: withheld }) : '',
  );
}

/** Draws administrations with date, dose and status. They are made when opened, since there may be thousands. */
export function administrations(
  list: readonly MedicationAdministration[],
  store: ChartStore,
): TemplateResult | undefined {
  if (list.length === 0) return undefined;
  const all = (): TemplateResult =>
    html`<ul role="list">${list.map((one) => html`<li>${administrationView(one, store)}</li>`)}</ul>`;
  return foldedList(countText(list), whenOpen(all));
}

/** Returns the time of an administration. That of an infusion includes its end. */
function timeOf(one: MedicationAdministration): string {
  const { start, end } = one.effectivePeriod ?? {};
  const from = clockDate(words(), medicationDate(one)) || t('no date');
  if (!start || !end || start === end) return from;
  const isSameDay = start.slice(0, 10) === end.slice(0, 10);
  const until = isSameDay ? clock(words(), end) : clockDate(words(), end);
  return until ? `${from} – ${until}` : from;
}

function administrationView(one: MedicationAdministration, store: ChartStore): TemplateResult {
  const text = joined(
    plain(words(), medicationStatus(words(), one)),
    recordedDose(words(), one),
    concepts(words(), one.statusReason),
  );
  return html`${recordButton(store, one, timeOf(one), text)}${text ? ':' : ''} ${text}`;
}
