//! The dispenses of medications by the pharmacy, in the section with their order, or in rows of their own.

import { html, type TemplateResult } from 'lit-html';
import { clockDate, shortDate } from '#reading/fhir/date.ts';
import { concept, performers, plain } from '#reading/fhir/text.ts';
import type { MedicationDispense, Resource } from '#reading/fhir/types.ts';
import { joined } from '#reading/joined.ts';
import {
  dispenseDate,
  dispensesByDrug,
  isDispensed,
  latestDispensed,
  type OrderDispenses,
} from '#reading/medications/dispenses.ts';
import { medication } from '#reading/medications/medication.ts';
import { recordedDose } from '#reading/medications/medication-dose.ts';
import {
  dispenseAmount,
  dispenseDifferences,
  dispenseKind,
  preparedWhen,
  substitutionOf,
} from '#reading/medications/supply-words.ts';
import { t, words } from '../../language/message.ts';
import { foldedList } from '../../parts/folded.ts';
import { whenOpen } from '../../parts/when-open.ts';
import type { ChartStore } from '../loading/store.ts';
import { recordButton } from '../record/record-link.ts';
import { labelled, type Row } from '../section/row.ts';

/** Draws the differences between the latest dispense and the order. */
function latestView(of: OrderDispenses, store: ChartStore): TemplateResult | undefined {
  const latest = latestDispensed(of.dispenses);
  if (!latest) return undefined;
  const { name, dose } = dispenseDifferences(words(), latest, of);
  const texts = [name, dose].filter((one) => one !== undefined);
  if (texts.length === 0) return undefined;
  return html`<p>${labelled('Latest fill', recordButton(store, latest, texts.join(', ')))}</p>`;
}

function dispenseView(dispense: MedicationDispense, of: OrderDispenses, store: ChartStore): TemplateResult {
  const { whenHandedOver, status, statusReasonCodeableConcept: reason, note = [] } = dispense;
  const { name, dose } = dispenseDifferences(words(), dispense, of);
  const text = joined(
    name,
    dose,
    dispenseAmount(words(), dispense),
    dispenseKind(words(), dispense),
    status !== 'completed' && plain(words(), status),
    concept(words(), reason),
    substitutionOf(words(), dispense),
    ...note.map((one) => one.text),
  );
  const when = whenHandedOver ? shortDate(words(), whenHandedOver) : preparedWhen(words(), dispense);
  return html`${recordButton(store, dispense, when)}: ${text}`;
}

/** Draws the dispenses of an order, folded, below the differences between the latest dispense and the order. */
export function dispensesView(of: OrderDispenses, store: ChartStore): TemplateResult | undefined {
  const { dispenses } = of;
  const latest = latestDispensed(dispenses) ?? dispenses[0];
  if (!latest) return undefined;
  const all = (): TemplateResult =>
    html`<ul role="list">${dispenses.map((dispense) => html`<li>${dispenseView(dispense, of, store)}</li>`)}</ul>`;
  const latestDate = latest.whenHandedOver ? shortDate(words(), latest.whenHandedOver) : plain(words(), latest.status);
  const title = t('{n} fill, latest {date}|{n} fills, latest {date}', { n: dispenses.length, date: latestDate });
  return html`${latestView(of, store)}${foldedList(title, whenOpen(all))}`;
}

/** Returns the row for the dispenses of one drug without a shown order: the latest, with the earlier ones folded. */
function dispenseRow(
  [latest, ...earlier]: readonly MedicationDispense[],
  included: readonly Resource[],
  store: ChartStore,
): Row[] {
  if (!latest) return [];
  const { whenHandedOver, status, statusReasonCodeableConcept: reason, performer = [], note = [] } = latest;
  const before = (): TemplateResult =>
    html`<ul role="list">${earlier.map(
      (dispense) =>
        html`<li>${recordButton(store, dispense, shortDate(words(), dispenseDate(dispense)) || t('no date'))}:
            ${joined(
              medication(words(), dispense, included),
              dispenseAmount(words(), dispense),
              status === dispense.status ? '' : plain(words(), dispense.status),
              concept(words(), dispense.statusReasonCodeableConcept),
            )}</li>`,
    )}</ul>`;
  return [
    {
      resource: latest,
      when: dispenseDate(latest),
      title: medication(words(), latest, included),
      status: status === 'completed' ? undefined : status,
      tone: isDispensed(latest) ? 'plain' : 'alert',
      details: [
        recordedDose(words(), latest),
        dispenseAmount(words(), latest),
        dispenseKind(words(), latest),
        substitutionOf(words(), latest),
        labelled('Reason', concept(words(), reason)),
        labelled('Filled by', performers(words(), performer)),
        whenHandedOver ? clockDate(words(), whenHandedOver) : '',
        ...note.map(({ text }) => text),
        earlier.length > 0
          ? foldedList(t('{n} earlier fill|{n} earlier fills', { n: earlier.length }), whenOpen(before))
          : undefined,
      ],
    },
  ];
}

/** Returns the rows for dispenses without a shown order. */
export const dispenseRows = (
  loose: readonly MedicationDispense[],
  included: readonly Resource[],
  store: ChartStore,
): Row[] => dispensesByDrug(loose, included).flatMap((dispenses) => dispenseRow(dispenses, included, store));
