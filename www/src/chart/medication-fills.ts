//! The fills of medications by the pharmacy, as the section shows them: with their order, or by themselves.

import { html, type TemplateResult } from 'lit-html';
import { clockDate, newest, shortDate } from '../fhir/date.ts';
import { shortDosages } from '../fhir/dosage.ts';
import { allIn, booleanIn, conceptIn, Parts } from '../fhir/loose.ts';
import { medication } from '../fhir/medication.ts';
import { recordedDose } from '../fhir/medication-dose.ts';
import { supplyDays } from '../fhir/supply-days.ts';
import { concept, concepts, isEnteredInError, plain, quantity, references } from '../fhir/text.ts';
import type { MedicationDispense, MedicationRequest, Resource } from '../fhir/types.ts';
import { t } from '../language/message.ts';
import { whenOpen } from '../parts/when-open.ts';
import { isHandedOver } from './fills.ts';
import { labelled, type Row } from './row.ts';
import { byDrug, drugMarks } from './same-drug.ts';
import type { SectionContext } from './section.ts';

export const dispenseDate = ({ whenHandedOver, whenPrepared }: MedicationDispense): string | undefined =>
  whenHandedOver ?? whenPrepared;

/** The words of a fill on a substitution. */
function substitutionOf({ substitution }: MedicationDispense): string {
  const parts = new Parts(substitution);
  const was = parts.take('wasSubstituted', booleanIn);
  const reason = concepts(parts.take('reason', allIn(conceptIn)));
  const more = [concept(parts.take('type', conceptIn)), reason].filter(Boolean).join(', ');
  if (was === undefined && more === '') return '';
  const said = was === false ? t('not substituted') : t('substituted');
  return more ? `${said} (${more})` : said;
}

/** The words of an order on a substitution; nothing where it is simply allowed. */
export function substitutionAllowed({ substitution }: MedicationRequest): string | undefined {
  const parts = new Parts(substitution);
  const isAllowed = parts.take('allowedBoolean', booleanIn);
  const allowed = concept(parts.take('allowedCodeableConcept', conceptIn));
  const reason = concept(parts.take('reason', conceptIn));
  const words = [isAllowed === false ? t('not allowed#a substitution') : allowed, reason].filter(Boolean).join(', ');
  return words || undefined;
}

/** The quantity of a fill, and the days that it lasts. */
const amountOf = ({ quantity: amount, daysSupply }: MedicationDispense): string =>
  [quantity(amount), supplyDays(daysSupply)].filter(Boolean).join(', ');

/** The kind of a fill, such as a part of it, or one of an emergency. */
const kindOf = (fill: MedicationDispense): string | undefined => concept(new Parts(fill).take('type', conceptIn));

/** The fills of an order. */
export interface OrderFills {
  order: MedicationRequest;
  /** Newest first. */
  fills: MedicationDispense[];
  included: readonly Resource[];
}

/** The differences of a fill from its order. */
interface Otherwise {
  /** The name of another drug, or of the same one by another name. */
  name: string | undefined;
  /** The dose in other words. */
  dose: string | undefined;
}

function otherwise(fill: MedicationDispense, { order, included }: Omit<OrderFills, 'fills'>): Otherwise {
  const isOther = byDrug([order, fill], (one) => drugMarks(one, included)).length > 1;
  const [dose, ordered] = [recordedDose(fill), recordedDose(order)];
  return {
    name: isOther ? medication(fill, included) : undefined,
    dose: dose === ordered ? undefined : dose,
  };
}

/** The latest fill that was handed over. Fills are newest first. */
const latestOf = (fills: readonly MedicationDispense[]): MedicationDispense | undefined => fills.find(isHandedOver);

/** The dose of the latest fill in a few words, where it has other words than that of the order. */
export function otherDoseOfFill(of: OrderFills): string | undefined {
  const latest = latestOf(of.fills);
  return latest && otherwise(latest, of).dose ? recordedDose(latest, shortDosages) : undefined;
}

/** The differences of the latest fill from the order. */
function latestView(of: OrderFills, { link }: SectionContext): TemplateResult | undefined {
  const latest = latestOf(of.fills);
  if (!latest) return undefined;
  const { name, dose } = otherwise(latest, of);
  const words = [name, dose].filter((one) => one !== undefined);
  if (words.length === 0) return undefined;
  return html`<p>${labelled(t('Latest fill'), link(latest, words.join(', ')))}</p>`;
}

function fillView(fill: MedicationDispense, of: OrderFills, { link }: SectionContext): TemplateResult {
  const { whenHandedOver, whenPrepared, status, statusReasonCodeableConcept: reason, note = [] } = fill;
  const { name, dose } = otherwise(fill, of);
  const prepared = whenPrepared ? t('prepared {date}', { date: shortDate(whenPrepared) }) : t('no date');
  const words = [
    name,
    dose,
    amountOf(fill),
    kindOf(fill),
    status === 'completed' ? '' : plain(status),
    concept(reason),
    substitutionOf(fill),
    ...note.map(({ text }) => text),
  ];
  return html`${link(fill, whenHandedOver ? shortDate(whenHandedOver) : prepared)}:
    ${words.filter(Boolean).join(', ')}`;
}

/** The fills of an order, folded away, below what the latest of them says otherwise than the order. */
export function fillsView(of: OrderFills, context: SectionContext): TemplateResult | undefined {
  const { fills } = of;
  const [latest] = fills;
  if (!latest) return undefined;
  const all = (): TemplateResult =>
    html`<ul role="list">${fills.map((fill) => html`<li>${fillView(fill, of, context)}</li>`)}</ul>`;
  const latestDate = latest.whenHandedOver ? shortDate(latest.whenHandedOver) : plain(latest.status);
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
        html`<li>${context.link(fill, shortDate(dispenseDate(fill)) || t('no date'))}:
            ${[
              medication(fill, included),
              amountOf(fill),
              status === fill.status ? '' : plain(fill.status),
              concept(fill.statusReasonCodeableConcept),
            ]
              .filter(Boolean)
              .join(', ')}</li>`,
    )}</ul>`;
  return [
    {
      resource: latest,
      when: dispenseDate(latest),
      title: medication(latest, included),
      status: status === 'completed' ? undefined : status,
      tone: isEnteredInError(latest) ? 'error' : isHandedOver(latest) ? 'plain' : 'alert',
      details: [
        recordedDose(latest),
        amountOf(latest),
        kindOf(latest),
        substitutionOf(latest),
        labelled(t('Why'), concept(reason)),
        labelled(t('Handed over by'), references(performer.flatMap(({ actor }) => actor ?? []))),
        whenHandedOver ? clockDate(whenHandedOver) : '',
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

/** The fills without an order that is shown, by drug, newest first. Those in error stand by themselves, at the end. */
export function handedOverByDrug(
  loose: readonly MedicationDispense[],
  included: readonly Resource[],
): MedicationDispense[][] {
  const sorted = newest(loose, dispenseDate);
  const valid = sorted.filter((fill) => !isEnteredInError(fill));
  return [
    ...byDrug(valid, (one) => drugMarks(one, included)),
    ...sorted.filter((fill) => isEnteredInError(fill)).map((fill) => [fill]),
  ];
}

/** The rows of what was handed over without an order that is shown. */
export const handedOverRows = (
  loose: readonly MedicationDispense[],
  included: readonly Resource[],
  context: SectionContext,
): Row[] => handedOverByDrug(loose, included).flatMap((fills) => handedOverRow(fills, included, context));
