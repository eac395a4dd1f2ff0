//! The medications at a glance: what must not be taken, what is taken, and what is not. What was given may be thousands
//! of records: the tile does not wait for them, and has a line for them that keeps its place.

import { html, nothing, type TemplateResult } from 'lit-html';
import { newest, shortDate } from '#reading/fhir/date.ts';
import type { MedicationRecord, RequestState } from '#reading/fhir/request-state.ts';
import { isEnteredInError, plain } from '#reading/fhir/text.ts';
import type { MedicationAdministration, Resource } from '#reading/fhir/types.ts';
import { listed } from '#reading/language/number.ts';
import { shortDosages } from '#reading/medications/dosage.ts';
import { dispenseDate, handedOverByDrug, otherDoseOfFill } from '#reading/medications/fill-words.ts';
import { fillsByOrder, isHandedOver, withoutOrder } from '#reading/medications/fills.ts';
import { isLocalTreatment } from '#reading/medications/local-treatment.ts';
import { medication, type OfMedication } from '#reading/medications/medication.ts';
import { doseText, recordedDose } from '#reading/medications/medication-dose.ts';
import {
  type EntryState,
  type GivenMedication,
  type MedicationEntry,
  type MedicationList,
  medicationDate,
  medicationList,
} from '#reading/medications/medication-list.ts';
import { isToBegin, knownWords, overWords, statusOf, unclearWords } from '#reading/medications/medication-status.ts';
import { type PlannedMedication, plannedMedications } from '#reading/medications/planned-medications.ts';
import { byDrug, drugMarks } from '#reading/medications/same-drug.ts';
import { type PlainMessage, t } from '../../language/message.ts';
import { ADMINISTRATIONS, DISPENSES, medications, REQUESTS, STATEMENTS } from '../medications.ts';
import { recordLink } from '../record-link.ts';
import type { ChartStore } from '../store.ts';
import { type Entry, entry, type Found, type Tile } from './tile.ts';

const doseIn = (of: MedicationRecord): string | undefined => recordedDose(of, shortDosages);

/**
 * The dose of a medication in a few words, with its status where it is not the usual one. A report or the latest fill
 * in other words than its order is told, and a later prescription that may take its place.
 */
function doseOf(one: MedicationEntry, fill: string | undefined): string {
  const { resource, reports, followedBy } = one;
  const dose = doseIn(resource);
  const reported = reports.flatMap((report) => doseIn(report) ?? []).filter((of) => of !== dose);
  return [
    dose ?? (fill === undefined && reported.length === 0 ? t('no dose recorded') : undefined),
    statusOf(resource),
    ...[...new Set(reported)].map((of) => t('reported: {dose}', { dose: of })),
    fill === undefined ? '' : t('latest fill: {dose}', { dose: fill }),
    followedBy ? t('followed by another prescription') : '',
    knownWords(one),
  ]
    .filter(Boolean)
    .join(', ');
}

/** The states that are told beside the current medications. */
const OTHER_STATES = {
  avoid: 'Do not take',
  untaken: 'Not taken#medications',
  held: 'On hold',
  planned: 'Not begun yet#medications',
} as const satisfies Partial<Record<RequestState, PlainMessage>>;

/** The line about what was given, once it is known. */
function givenText({ entries, given }: MedicationList, all: readonly Resource[], isWhole: boolean): string {
  const running = entries.filter(isRunning).map(({ resource }) => medication(resource, all));
  if (running.length > 0) return t('Being given: {names}', { names: listed(running) });
  const latest = given
    .map(({ name, given: [one] }) => ({ name, on: medicationDate(one) ?? '' }))
    .sort((a, b) => (a.on < b.on ? 1 : -1))[0];
  if (latest) return t('Last given: {name}, {date}', { name: latest.name, date: shortDate(latest.on) || t('no date') });
  const byOrder = entries.some((one) => one.given.length > 0);
  if (byOrder) return t('What was given is with its orders.');
  return isWhole ? t('No administration is recorded.') : t('Not everything that belongs here can be shown.');
}

const isRunning = ({ resource, state }: MedicationEntry): boolean =>
  resource.resourceType === 'MedicationAdministration' && (state === 'current' || state === 'held');

/** Returns whether an entry tells that its drug is or may be taken. */
const tellsOfUse = (state: EntryState): boolean => state === 'current' || state === 'held' || state === 'unclear';

/**
 * The records of drugs of which the entries do not tell: none of them is of the drug, or all that are have ended, or
 * said that it is not taken, before. A plan tells nothing of what was done.
 */
function untold<T extends OfMedication>(
  records: readonly T[],
  entries: readonly MedicationEntry[],
  dateOf: (record: T) => string | undefined,
  all: readonly Resource[],
): T[] {
  const items: { told?: MedicationEntry; lone?: T }[] = [
    ...entries.filter(({ resource }) => !isEnteredInError(resource)).map((told) => ({ told })),
    ...records.map((lone) => ({ lone })),
  ];
  const marksOf = ({ told, lone }: (typeof items)[number]) => {
    const record: OfMedication | undefined = told?.resource ?? lone;
    return record ? drugMarks(record, all) : { codes: [], name: undefined };
  };
  return byDrug(items, marksOf).flatMap((drug) => {
    const mine = drug.flatMap(({ told }) => told ?? []);
    if (mine.some(({ state }) => tellsOfUse(state))) return [];
    const last = mine
      .filter(({ state }) => state !== 'planned')
      .map(({ resource }) => medicationDate(resource) ?? '')
      .reduce((a, b) => (a > b ? a : b), '');
    return drug.flatMap(({ lone }) => lone ?? []).filter((lone) => (dateOf(lone) ?? '') >= last);
  });
}

/** The fills of drugs of which nothing else tells. */
function handedOver(found: Found, entries: readonly MedicationEntry[], all: readonly Resource[]): Entry[] {
  const fills = withoutOrder(found('MedicationDispense', DISPENSES), found('MedicationRequest', REQUESTS));
  const latest = handedOverByDrug(fills.filter(isHandedOver), all).flatMap((list) => list[0] ?? []);
  return untold(latest, entries, dispenseDate, all).map((fill) => {
    const date = shortDate(dispenseDate(fill)) || t('no date');
    const words = [shortDosages(fill.dosageInstruction), t('handed over {date}', { date })].filter(Boolean).join(', ');
    return entry(medication(fill, all), words, nothing, { record: fill });
  });
}

/** The most entries, if there are more to lead to. */
const MOST = 5;

/** The most medications that the line of the planned ones names; all are in the section. */
const MOST_PLANNED = 5;

/** The line of what is planned and not ordered, each with a link to its record. None of it reads as a current one. */
function plannedLine(planned: readonly PlannedMedication[], store: ChartStore): TemplateResult | undefined {
  if (planned.length === 0) return undefined;
  const items = planned
    .slice(0, MOST_PLANNED)
    .map(
      ({ record, name, words }, i) =>
        html`${i > 0 ? '; ' : ''}${recordLink(store, record, name)}${words === '' ? '' : ` (${words})`}`,
    );
  const more = planned.length > MOST_PLANNED ? ` ${t('and {n} more', { n: planned.length - MOST_PLANNED })}` : '';
  return html`<p class="note planned"><strong>${t('Planned, not ordered#medications')}:</strong> ${items}${more}</p>`;
}

/** The state of the search for what was given. */
export interface GivenState {
  /** True if the tile was first drawn without what was given. */
  isLate: boolean;
  is(): 'waiting' | 'whole' | 'part';
}

export function medicationsTile(included: (query: string) => Resource[], { isLate, is: givenIs }: GivenState): Tile {
  let count = 0;
  let hasLocal = false;
  let givenLine: TemplateResult | undefined;
  let planned: PlannedMedication[] = [];
  return {
    id: 'medications',
    title: 'Medications',
    sections: [medications],
    queries: [REQUESTS, STATEMENTS, ADMINISTRATIONS, DISPENSES],
    nothing: () => t('No current medication is recorded.'),
    // The line of what is planned takes the room of an entry: all tiles stand on one screen.
    get most(): number {
      return planned.length > 0 ? MOST - 1 : MOST;
    },
    count: () => count,
    hasRoom: isLate,
    foot: (store) => {
      const line = plannedLine(planned, store);
      return givenLine || line ? html`${line ?? nothing}${givenLine ?? nothing}` : undefined;
    },
    hasNames: true,
    order: () => (hasLocal ? t('skin, eyes, ears and nose last') : undefined),
    entries: (found) => {
      const is = givenIs();
      const all = [REQUESTS, STATEMENTS, ADMINISTRATIONS, DISPENSES].flatMap(included);
      const list = medicationList(
        found('MedicationRequest', REQUESTS),
        found('MedicationStatement', STATEMENTS),
        found('MedicationAdministration', ADMINISTRATIONS),
        all,
      );
      const { entries, given, none } = list;
      count = entries.filter(({ state, over }) => state === 'current' && !over).length;
      const isNoneCurrent = entries.every(({ state }) => state !== 'current' && state !== 'unclear');
      planned = plannedMedications(entries, all);
      if (isLate) {
        const words =
          is === 'waiting' ? t('What was given is still being loaded.') : givenText(list, all, is === 'whole');
        givenLine = html`<p class="given">${words}</p>`;
      }
      const shown = isLate ? entries.filter((one) => !isRunning(one)) : entries;
      const of = (state: EntryState): MedicationEntry[] => shown.filter((one) => one.state === state);
      const others = (state: keyof typeof OTHER_STATES): Entry[] =>
        (state === 'planned' ? of(state).filter(({ resource }) => isToBegin(resource)) : of(state)).map((one) => {
          const isToTake = state === 'held' || state === 'planned';
          const status = isToTake ? statusOf(one.resource) : undefined;
          const words = [
            isToTake ? doseText(one.resource, shortDosages) : undefined,
            status === plain(state === 'held' ? 'on-hold' : state) ? undefined : status,
            knownWords(one),
          ];
          const aside = html`<strong>${t(OTHER_STATES[state])}</strong>, ${words.filter(Boolean).join(', ')}`;
          return entry(medication(one.resource, all), aside, nothing, { record: one.resource });
        });
      const fillsOf = fillsByOrder(newest(found('MedicationDispense', DISPENSES), dispenseDate));
      const filledDose = ({ resource: order }: MedicationEntry): string | undefined =>
        order.resourceType === 'MedicationRequest'
          ? otherDoseOfFill({ order, fills: fillsOf(order), included: all })
          : undefined;
      const noneKnown = none.map((record) =>
        entry(medication(record, all), shortDate(medicationDate(record)), nothing, { record }),
      );
      // What was given or handed over of a drug is all that is known of it, where no order or report tells of it.
      const isTold = isLate && entries.length > 0;
      const lone = (groups: GivenMedication[]): MedicationAdministration[] =>
        isTold
          ? []
          : untold(
              groups.map(({ given: [latest] }) => latest),
              entries,
              medicationDate,
              all,
            );
      const dated = (one: MedicationAdministration): string => shortDate(medicationDate(one)) || t('no date');
      const givenEntry = (one: MedicationAdministration): Entry => {
        const words = [doseIn(one), t('given {date}', { date: dated(one) })].filter(Boolean).join(', ');
        return entry(medication(one, all), words, nothing, { record: one });
      };
      const withheldEntry = (one: MedicationAdministration): Entry =>
        entry(medication(one, all), html`<strong>${t('Not given#medications')}</strong>, ${dated(one)}`, nothing, {
          record: one,
        });
      // What acts in the whole body stands before what is applied to a part of it.
      const isLocal = ({ resource }: MedicationEntry): boolean =>
        isLocalTreatment(`${medication(resource, all)} ${doseIn(resource) ?? ''}`);
      const known = of('current');
      const { whole = [], local = [] } = Object.groupBy(known, (one) => (isLocal(one) ? 'local' : 'whole'));
      const current = [...whole, ...local];
      hasLocal = current.some((one, i) => one !== known[i]);
      const isOtherKnown = isLate && (given.length > 0 || is === 'waiting');
      return [
        ...others('avoid'),
        ...(isNoneCurrent ? noneKnown : []),
        ...current.map((one) => {
          const badge = one.over ? html`<strong>${overWords(one)}</strong>, ` : nothing;
          const aside = html`${badge}${doseOf(one, filledDose(one))}`;
          return entry(medication(one.resource, all), aside, nothing, { record: one.resource });
        }),
        ...of('unclear').map((one) => {
          const aside = html`<strong>${t('Not clear whether taken:')}</strong> ${unclearWords(one)}, ${
            doseIn(one.resource) ?? t('no dose recorded')
          }, ${knownWords(one)}`;
          return entry(medication(one.resource, all), aside, nothing, { record: one.resource });
        }),
        ...others('untaken'),
        ...others('held'),
        // What the medications contradict takes the place of none of them.
        ...(isNoneCurrent ? [] : noneKnown),
        ...lone(given).map(givenEntry),
        ...(isOtherKnown && entries.length === 0 ? [] : handedOver(found, entries, all)),
        ...lone(list.withheld).map(withheldEntry),
        ...others('planned'),
      ];
    },
  };
}
