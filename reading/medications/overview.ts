//! An overview of a patient's medications: those that must not be taken, those that are taken, and those that are not.

import { statusCaution } from '../fhir/certainty.ts';
import { newest, shortDate } from '../fhir/date.ts';
import type { MedicationRecord, RequestState } from '../fhir/request-state.ts';
import { isEnteredInError, plain } from '../fhir/text.ts';
import type { MedicationAdministration, MedicationDispense, Resource } from '../fhir/types.ts';
import { joined } from '../joined.ts';
import type { PlainMessage, Words } from '../language/words.ts';
import { dispenseDate, dispensesByDrug, dispensesByOrder, isDispensed, withoutOrder } from './dispenses.ts';
import { shortDosages } from './dosage.ts';
import { type DrugRecord, medication } from './medication.ts';
import { doseText, recordedDose } from './medication-dose.ts';
import {
  type EntryState,
  type GivenMedication,
  type MedicationEntry,
  medicationDate,
  medicationList,
} from './medication-list.ts';
import type { MedicationRecords } from './medication-records.ts';
import { courseEndWords, isToBegin, knownWords, medicationStatus, unclearWords } from './medication-status.ts';
import { type PlannedMedication, plannedMedications } from './planned-medications.ts';
import { byDrug, drugMarks } from './same-drug.ts';
import { otherDispensedDose, preparedWhen } from './supply-words.ts';

export interface MedicationLine {
  record: Resource;
  name: string;
  /** The words that must be read first. */
  warning?: string | undefined;
  words: string;
}

export interface MedicationsOverview {
  /** The most important first. */
  lines: MedicationLine[];
  /** The number of medications that are taken now. */
  current: number;
  /** The medications that are planned, and neither ordered nor reported. */
  planned: PlannedMedication[];
}

const doseIn = (words: Words, of: MedicationRecord): string | undefined => recordedDose(words, of, shortDosages);

/**
 * Returns the dose of a medication in a few words, with its status unless it is the usual one. A report or the latest
 * dispense is mentioned if its words differ from the order, and so is a later prescription that may replace it.
 */
function doseOf(words: Words, one: MedicationEntry, dispense: string | undefined): string {
  const { resource, reports, followedBy } = one;
  const dose = doseIn(words, resource);
  const reported = reports.flatMap((report) => doseIn(words, report) ?? []).filter((of) => of !== dose);
  return joined(
    dose ?? (dispense === undefined && reported.length === 0 ? words.t('no dose recorded') : undefined),
    medicationStatus(words, resource),
    ...[...new Set(reported)].map((of) => words.t('reported: {dose}', { dose: of })),
    dispense === undefined ? '' : words.t('latest fill: {dose}', { dose: dispense }),
    followedBy ? words.t('followed by another prescription') : '',
    knownWords(words, one),
  );
}

/** The states that are shown next to the current medications. */
const OTHER_STATES = {
  avoid: 'Do not take',
  untaken: 'Not taken#medications',
  held: 'On hold',
  planned: 'Not begun yet#medications',
} as const satisfies Partial<Record<RequestState, PlainMessage>>;

/** Returns whether an entry shows that its drug is or may be taken. */
const mayBeTaken = (state: EntryState): boolean => state === 'current' || state === 'held' || state === 'unclear';

/**
 * Returns the records of drugs that the entries do not cover: no entry is of the drug, or all its entries ended or
 * denied its use at an earlier time. A plan does not count as evidence of use.
 */
function withoutEntry<T extends DrugRecord>(
  records: readonly T[],
  entries: readonly MedicationEntry[],
  dateOf: (record: T) => string | undefined,
  all: readonly Resource[],
): T[] {
  const items: { entry?: MedicationEntry; record?: T }[] = [
    ...entries.filter(({ resource }) => !isEnteredInError(resource)).map((entry) => ({ entry })),
    ...records.map((record) => ({ record })),
  ];
  const marksOf = ({ entry, record }: (typeof items)[number]) => {
    const one: DrugRecord | undefined = entry?.resource ?? record;
    return one ? drugMarks(one, all) : { codes: [], name: undefined };
  };
  return byDrug(items, marksOf).flatMap((drug) => {
    const ofDrug = drug.flatMap(({ entry }) => entry ?? []);
    if (ofDrug.some(({ state }) => mayBeTaken(state))) return [];
    const last = ofDrug
      .filter(({ state }) => state !== 'planned')
      .map(({ resource }) => medicationDate(resource) ?? '')
      .reduce((a, b) => (a > b ? a : b), '');
    return drug.flatMap(({ record }) => record ?? []).filter((record) => (dateOf(record) ?? '') >= last);
  });
}

const dated = (words: Words, record: MedicationAdministration): string =>
  shortDate(words, medicationDate(record)) || words.t('no date');

/** Returns the words of an entry that is not current. */
function otherWords(words: Words, one: MedicationEntry, state: keyof typeof OTHER_STATES): string {
  const isToTake = state === 'held' || state === 'planned';
  const status = isToTake ? medicationStatus(words, one.resource) : undefined;
  return joined(
    isToTake ? doseText(words, one.resource, shortDosages) : undefined,
    status === plain(words, state === 'held' ? 'on-hold' : state) ? undefined : status,
    knownWords(words, one),
  );
}

/** Returns the overview of a patient's medications. */
export function medicationsOverview(words: Words, records: MedicationRecords): MedicationsOverview {
  const { requests, dispenses, included } = records;
  const { entries, given, none, withheld } = medicationList(words, records);
  const of = (state: EntryState): MedicationEntry[] => entries.filter((one) => one.state === state);
  const line = (record: DrugRecord & Resource, text: string, warning?: string): MedicationLine => ({
    record,
    name: medication(words, record, included),
    warning,
    words: text,
  });
  const others = (state: keyof typeof OTHER_STATES): MedicationLine[] =>
    of(state)
      .filter(({ resource }) => state !== 'planned' || isToBegin(resource))
      .map((one) => line(one.resource, otherWords(words, one, state), words.t(OTHER_STATES[state])));
  const dispensesOf = dispensesByOrder(newest(dispenses, dispenseDate));
  const dispensedDose = ({ resource: order }: MedicationEntry): string | undefined =>
    order.resourceType === 'MedicationRequest'
      ? otherDispensedDose(words, { order, dispenses: dispensesOf(order), included })
      : undefined;
  const noneKnown = none.map((one) => line(one, shortDate(words, medicationDate(one))));
  const isNoneCurrent = entries.every(({ state }) => state !== 'current' && state !== 'unclear');
  // Administrations or dispenses are the only records of a drug without an order or a report.
  const latestOf = (groups: GivenMedication[]): MedicationAdministration[] =>
    withoutEntry(
      groups.map(({ administrations: [one] }) => one),
      entries,
      medicationDate,
      included,
    );
  const dispensed = (): MedicationDispense[] => {
    const loose = withoutOrder(dispenses, requests).filter(isDispensed);
    const latest = dispensesByDrug(loose, included).flatMap((all) => all[0] ?? []);
    return withoutEntry(latest, entries, dispenseDate, included);
  };
  return {
    lines: [
      ...others('avoid'),
      ...(isNoneCurrent ? noneKnown : []),
      ...of('current').map((one) =>
        line(one.resource, doseOf(words, one, dispensedDose(one)), courseEndWords(words, one)),
      ),
      ...of('unclear').map((one) => {
        const texts = [
          unclearWords(words, one),
          doseIn(words, one.resource) ?? words.t('no dose recorded'),
          knownWords(words, one),
        ];
        return line(one.resource, texts.join(', '), words.t('Not clear whether taken:'));
      }),
      ...others('untaken'),
      ...others('held'),
      // A statement that the medications contradict replaces none of them.
      ...(isNoneCurrent ? [] : noneKnown),
      ...latestOf(given).map((one) =>
        line(
          one,
          joined(doseIn(words, one), words.t('given {date}', { date: dated(words, one) }), statusCaution(words, one)),
        ),
      ),
      ...dispensed().map((dispense) => {
        const date = shortDate(words, dispense.whenHandedOver) || words.t('no date');
        const isPrepared = !dispense.whenHandedOver && dispense.whenPrepared;
        const when = isPrepared ? preparedWhen(words, dispense) : words.t('filled {date}', { date });
        return line(
          dispense,
          joined(recordedDose(words, dispense, shortDosages), when, statusCaution(words, dispense)),
        );
      }),
      ...latestOf(withheld).map((one) => line(one, dated(words, one), words.t('Not given#medications'))),
      ...others('planned'),
    ],
    current: entries.filter(({ state, courseEnd }) => state === 'current' && !courseEnd).length,
    planned: plannedMedications(words, entries, included),
  };
}
