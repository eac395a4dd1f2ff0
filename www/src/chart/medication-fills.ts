//! The fills of medications by the pharmacy, as the section shows them: with their order, or by themselves.

import { html, type TemplateResult } from 'lit-html';
import { clockDate, shortDate } from '#reading/fhir/date.ts';
import { concept, isEnteredInError, performers, plain } from '#reading/fhir/text.ts';
import type { MedicationDispense, Resource } from '#reading/fhir/types.ts';
import { isHandedOver } from '#reading/medications/fills.ts';
import { medication } from '#reading/medications/medication.ts';
import { recordedDose } from '#reading/medications/medication-dose.ts';
import { fillAmount } from '#reading/medications/supply-days.ts';
import {
  dispenseDate,
  handedOverByDrug,
  kindOf,
  latestOf,
  type OrderFills,
  otherwise,
  preparedWhen,
  substitutionOf,
} from '#reading/medications/supply-words.ts';
import { t, words } from '../language/message.ts';
import { whenOpen } from '../parts/when-open.ts';
import { labelled, type Row } from './row.ts';
import type { SectionContext } from './section.ts';

/** The differences of the latest fill from the order. */
function latestView(of: OrderFills, { link }: SectionContext): TemplateResult | undefined {
  const latest = latestOf(of.fills);
  if (!latest) return undefined;
  const { name, dose } = otherwise(words(), latest, of);
  const texts = [name, dose].filter((one) => one !== undefined);
  if (texts.length === 0) return undefined;
  return html`<p>${labelled(t('Latest fill'), link(latest, texts.join(', ')))}</p>`;
}

function fillView(fill: MedicationDispense, of: OrderFills, { link }: SectionContext): TemplateResult {
  const { whenHandedOver, status, statusReasonCodeableConcept: reason, note = [] } = fill;
  const { name, dose } = otherwise(words(), fill, of);
  const texts = [
    name,
    dose,
    fillAmount(words(), fill),
    kindOf(words(), fill),
    status === 'completed' ? '' : plain(words(), status),
    concept(words(), reason),
    substitutionOf(words(), fill),
    ...note.map(({ text }) => text),
  ];
  return html`${link(fill, whenHandedOver ? shortDate(words(), whenHandedOver) : preparedWhen(words(), fill))}:
    ${texts.filter(Boolean).join(', ')}`;
}

/** The fills of an order, folded away, below what the latest of them says otherwise than the order. */
export function fillsView(of: OrderFills, context: SectionContext): TemplateResult | undefined {
  const { fills } = of;
  const latest = latestOf(fills) ?? fills[0];
  if (!latest) return undefined;
  const all = (): TemplateResult =>
    html`<ul role="list">${fills.map((fill) => html`<li>${fillView(fill, of, context)}</li>`)}</ul>`;
  const latestDate = latest.whenHandedOver ? shortDate(words(), latest.whenHandedOver) : plain(words(), latest.status);
  return html`${latestView(of, context)}<details class="fills"><summary>${t(
    '{n} fill, latest {date}|{n} fills, latest {date}',
    {
      n: fills.length,
      date: latestDate,
    },
  )}</summary>
    ${whenOpen(all)}</details>`;
}

/** The fills of one drug without an order that is shown: the latest one, with those before it. */
function handedOverRow(
  [latest, ...earlier]: readonly MedicationDispense[],
  included: readonly Resource[],
  context: SectionContext,
): Row[] {
  if (!latest) return [];
  const { whenHandedOver, status, statusReasonCodeableConcept: reason, performer = [], note = [] } = latest;
  const before = (): TemplateResult =>
    html`<ul role="list">${earlier.map(
      (fill) =>
        html`<li>${context.link(fill, shortDate(words(), dispenseDate(fill)) || t('no date'))}:
            ${[
              medication(words(), fill, included),
              fillAmount(words(), fill),
              status === fill.status ? '' : plain(words(), fill.status),
              concept(words(), fill.statusReasonCodeableConcept),
            ]
              .filter(Boolean)
              .join(', ')}</li>`,
    )}</ul>`;
  return [
    {
      resource: latest,
      when: dispenseDate(latest),
      title: medication(words(), latest, included),
      status: status === 'completed' ? undefined : status,
      tone: isEnteredInError(latest) ? 'error' : isHandedOver(latest) ? 'plain' : 'alert',
      details: [
        recordedDose(words(), latest),
        fillAmount(words(), latest),
        kindOf(words(), latest),
        substitutionOf(words(), latest),
        labelled(t('Why'), concept(words(), reason)),
        labelled(t('Handed over by'), performers(words(), performer)),
        whenHandedOver ? clockDate(words(), whenHandedOver) : '',
        ...note.map(({ text }) => text),
        earlier.length > 0
          ? html`<details class="fills"><summary>${t('{n} earlier fill|{n} earlier fills', {
              n: earlier.length,
            })}</summary>${whenOpen(before)}</details>`
          : undefined,
      ],
    },
  ];
}

/** The rows of what was handed over without an order that is shown. */
export const handedOverRows = (
  loose: readonly MedicationDispense[],
  included: readonly Resource[],
  context: SectionContext,
): Row[] => handedOverByDrug(loose, included).flatMap((fills) => handedOverRow(fills, included, context));
