//! The medications of two visits compared: what was prescribed, reported or given at them, a row for each drug.

import { requestState, statementStatus } from '../fhir/request-state.ts';
import { medicationCode } from '../fhir/status-code.ts';
import { plain } from '../fhir/text.ts';
import {
  isOfType,
  type MedicationAdministration,
  type MedicationRequest,
  type MedicationStatement,
} from '../fhir/types.ts';
import { t } from '../language/message.ts';
import { isGiven } from '../medications/given-courses.ts';
import { byDrug, type DrugMarks, drugMarks } from '../medications/same-drug.ts';
import type { Visit } from './days.ts';
import type { TimelineEvent } from './events.ts';

/** The records of a drug of one type at a visit: the latest of them, and how many there are. */
export interface MedicationAtVisit {
  event: TimelineEvent;
  count: number;
}

export interface ComparedMedication {
  name: string;
  earlier: MedicationAtVisit[];
  later: MedicationAtVisit[];
  /** The change from the earlier to the later visit, in words. */
  change: string;
}

type Compared = MedicationRequest | MedicationStatement | MedicationAdministration;

/** The record of an event, where it is about a medication that is taken or not. */
function medicationOf({ resource }: TimelineEvent): Compared | undefined {
  if (isOfType('MedicationRequest', resource) || isOfType('MedicationStatement', resource)) return resource;
  return isOfType('MedicationAdministration', resource) ? resource : undefined;
}

function marksOf(event: TimelineEvent): DrugMarks {
  const record = medicationOf(event);
  const isNamed = event.name !== t('Medication not named');
  return {
    codes: record ? drugMarks(record, []).codes : [],
    name: isNamed ? event.name.trim().toLowerCase() : undefined,
  };
}

/** What was not given is told apart from what was. */
const kindOf = ({ resource }: TimelineEvent): string =>
  isOfType('MedicationAdministration', resource) && !isGiven(resource) ? 'not given' : resource.resourceType;

/** The latest of some records, by type. */
function atVisit(records: readonly TimelineEvent[]): MedicationAtVisit[] {
  const types = Map.groupBy(records, kindOf);
  const all = [...types.values()].flatMap((list): MedicationAtVisit[] => {
    const [event] = list.toSorted((a, b) => b.at - a.at);
    return event ? [{ event, count: list.length }] : [];
  });
  return all.sort((a, b) => b.event.at - a.event.at);
}

const isOneOf = (record: Compared | undefined, ...statuses: string[]): boolean =>
  statuses.includes(medicationCode(record?.status));

/** Returns whether a record has ended, by its status or by its time alone. */
const hasEnded = (record: Compared | undefined): boolean =>
  isOneOf(record, 'ended') || (record?.resourceType === 'MedicationStatement' && statementStatus(record) === 'ended');

/** The status of a record that is not taken as usual, in words; nothing for one that is. */
function exceptionOf({ event }: MedicationAtVisit): string | undefined {
  const record = medicationOf(event);
  const state = record && requestState(record);
  const isOver = isOneOf(record, 'stopped', 'cancelled') || hasEnded(record);
  return state === 'avoid' || state === 'untaken' || state === 'held' || state === 'planned' || isOver
    ? event.status
    : undefined;
}

/** The doses of two visits differ, where records of one type have both. */
const hasOtherDose = (earlier: MedicationAtVisit[], later: MedicationAtVisit[]): boolean =>
  earlier.some(({ event: a }) =>
    later.some(
      ({ event: b }) =>
        a.resource.resourceType === b.resource.resourceType &&
        a.value !== undefined &&
        b.value !== undefined &&
        a.value !== b.value,
    ),
  );

const isPrescribed = ({ event }: MedicationAtVisit): boolean => isOfType('MedicationRequest', event.resource);

function onlyLater(later: MedicationAtVisit[], before: readonly TimelineEvent[]): string {
  if (!later.some(isPrescribed)) return t('Only later');
  if (before.some(({ resource }) => isOfType('MedicationRequest', resource))) return t('Prescribed before');
  return before.length > 0 ? t('Recorded before#a medication') : t('New#a prescription');
}

/** The state of what the later visit does not have. An end has no date in FHIR: the status is that of today. */
function onlyEarlier(earlier: MedicationAtVisit[]): string {
  const ended = earlier.find(({ event }) => {
    const record = medicationOf(event);
    const isOver = isOneOf(record, 'stopped', 'completed', 'cancelled') || hasEnded(record);
    return record?.resourceType !== 'MedicationAdministration' && isOver;
  });
  if (ended) {
    const { status } = medicationOf(ended.event) ?? {};
    return t('Ended: {status}', { status: ended.event.status ?? plain(status) });
  }
  return earlier.some(isPrescribed) ? t('Not prescribed again') : t('Only earlier');
}

/** Puts the change from one visit to the other into words. `before`: the earlier records of the chart of this drug. */
function changeOf(earlier: MedicationAtVisit[], later: MedicationAtVisit[], before: readonly TimelineEvent[]): string {
  if (later.length === 0) return onlyEarlier(earlier);
  const exception = later.map(exceptionOf).find((one) => one !== undefined);
  if (earlier.length === 0) return exception ? t('Later: {status}', { status: exception }) : onlyLater(later, before);
  const isNew = exception !== undefined && !earlier.map(exceptionOf).includes(exception);
  if (isNew) return t('At both; later: {status}', { status: exception });
  return hasOtherDose(earlier, later) ? t('At both, with another dose') : t('At both');
}

/** Compares the medications of two visits. `all` are the events of the chart. */
export function comparedMedications(
  { earlier, later }: { earlier: Visit; later: Visit },
  all: readonly TimelineEvent[],
): ComparedMedication[] {
  const events = [...new Set([...later.records, ...earlier.records, ...all])].filter(medicationOf);
  const [before, after] = [new Set(earlier.records), new Set(later.records)];
  const rows = byDrug(events, marksOf).flatMap((list): ComparedMedication[] => {
    const [atEarlier, atLater] = [before, after].map((of) => atVisit(list.filter((event) => of.has(event))));
    const first = atLater?.[0] ?? atEarlier?.[0];
    if (!first || !atEarlier || !atLater) return [];
    const start = atLater[0]?.event.at ?? Infinity;
    const earlierOnes = list.filter((event) => event.at < start && !after.has(event));
    return [
      {
        name: first.event.name,
        earlier: atEarlier,
        later: atLater,
        change: changeOf(atEarlier, atLater, earlierOnes),
      },
    ];
  });
  // What both visits have comes first.
  const rank = (row: ComparedMedication): number => (row.later.length === 0 ? 2 : row.earlier.length === 0 ? 1 : 0);
  return rows.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}
