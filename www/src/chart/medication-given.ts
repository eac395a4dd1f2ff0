//! Administrations of medications, as the section shows them: with their order, or by themselves, a row for each drug.

import { html, type TemplateResult } from 'lit-html';
import { clock, clockDate, shortDate } from '#reading/fhir/date.ts';
import { concepts, plain } from '#reading/fhir/text.ts';
import type { MedicationAdministration } from '#reading/fhir/types.ts';
import { isGiven } from '#reading/medications/given-courses.ts';
import { recordedDose } from '#reading/medications/medication-dose.ts';
import { medicationDate } from '#reading/medications/medication-list.ts';
import { statusOf } from '#reading/medications/medication-status.ts';
import { t, words } from '../language/message.ts';
import { whenOpen } from '../parts/when-open.ts';
import type { SectionContext } from './section.ts';

/** The number of times that something was given, and the latest of them; and of times that it was not. */
function countText(list: readonly MedicationAdministration[]): string {
  const given = list.filter(isGiven);
  const withheld = list.length - given.length;
  const latest = given[0] && shortDate(words(), medicationDate(given[0]));
  return [
    given.length > 0
      ? t('{n} administration, latest {date}|{n} administrations, latest {date}', {
          n: given.length,
          date: latest || t('no date'),
        })
      : '',
    withheld > 0 ? t('not given once|not given {n} times', { n: withheld }) : '',
  ]
    .filter(Boolean)
    .join(', ');
}

/** What was given, each with its date, dose and status. There may be thousands: they are made when they are opened. */
export function administrations(
  list: readonly MedicationAdministration[],
  context: SectionContext,
): TemplateResult | undefined {
  if (list.length === 0) return undefined;
  const all = (): TemplateResult =>
    html`<ul role="list">${list.map((one) => html`<li>${administrationView(one, context)}</li>`)}</ul>`;
  return html`<details class="folded-list"><summary>${countText(list)}</summary>${whenOpen(all)}</details>`;
}

/** The time of what was given: that of an infusion with its end. */
function timeOf(one: MedicationAdministration): string {
  const { start, end } = one.effectivePeriod ?? {};
  const from = clockDate(words(), medicationDate(one)) || t('no date');
  if (!start || !end || start === end) return from;
  const isSameDay = start.slice(0, 10) === end.slice(0, 10);
  const until = isSameDay ? clock(words(), end) : clockDate(words(), end);
  return until ? `${from} – ${until}` : from;
}

function administrationView(one: MedicationAdministration, { link }: SectionContext): TemplateResult {
  const texts = [
    plain(words(), statusOf(words(), one)),
    recordedDose(words(), one),
    concepts(words(), one.statusReason),
  ].filter(Boolean);
  return html`${link(one, timeOf(one), texts.join(', '))}${texts.length > 0 ? ':' : ''} ${texts.join(', ')}`;
}
