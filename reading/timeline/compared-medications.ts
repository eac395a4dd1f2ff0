//! A comparison of the medications of two visits: those prescribed, reported or given, with a row for each drug.

import {
  isOfType,
  type MedicationAdministration,
  type MedicationRequest,
  type MedicationStatement,
} from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import { isGiven } from '../medications/given-courses.ts';
import { byDrug, type DrugMarks, drugMarks } from '../medications/same-drug.ts';
import type { Visit } from './days.ts';
import type { TimelineEvent } from './events.ts';

/** The records of a drug of one type at a visit: the latest of them, and their number. */
export interface MedicationAtVisit {
  event: TimelineEvent;
  count: number;
}

export interface ComparedMedication {
  name: string;
  earlier: MedicationAtVisit[];
  later: MedicationAtVisit[];
  /** The visits that have the drug, in words. */
  change: string;
}

/** Returns in words which of the visits have something. */
export const presence = (words: Words, isEarlier: boolean, isLater: boolean): string =>
  isEarlier && isLater ? words.t('At both') : isLater ? words.t('Only later') : words.t('Only earlier');

type Compared = MedicationRequest | MedicationStatement | MedicationAdministration;

/** Returns the record of an event, if it is about whether a medication is taken. */
function medicationOf({ resource }: TimelineEvent): Compared | undefined {
  if (isOfType('MedicationRequest', resource) || isOfType('MedicationStatement', resource)) return resource;
  return isOfType('MedicationAdministration', resource) ? resource : undefined;
}

function marksOf(words: Words, event: TimelineEvent): DrugMarks {
  const record = medicationOf(event);
  const isNamed = event.name.split(': ')[0] !== words.t('Medication not named');
  return {
    codes: record ? drugMarks(record, []).codes : [],
    name: isNamed ? event.name.trim().toLowerCase() : undefined,
  };
}

/** Returns the kind of a record, which differs for medications that were not given. */
const kindOf = ({ resource }: TimelineEvent): string =>
  isOfType('MedicationAdministration', resource) && !isGiven(resource) ? 'not given' : resource.resourceType;

/** Returns the latest of some records, by type. */
function atVisit(records: readonly TimelineEvent[]): MedicationAtVisit[] {
  const types = Map.groupBy(records, kindOf);
  const all = [...types.values()].flatMap((list): MedicationAtVisit[] => {
    const [event] = list.toSorted((a, b) => b.at - a.at);
    return event ? [{ event, count: list.length }] : [];
  });
  return all.sort((a, b) => b.event.at - a.event.at);
}

/** Compares the medications of two visits. The records of each are shown side by side, for the reader to compare. */
export function comparedMedications(
  words: Words,
  { earlier, later }: { earlier: Visit; later: Visit },
): ComparedMedication[] {
  const events = [...new Set([...later.records, ...earlier.records])].filter(medicationOf);
  const [before, after] = [new Set(earlier.records), new Set(later.records)];
  const rows = byDrug(events, (event) => marksOf(words, event)).flatMap((list): ComparedMedication[] => {
    const [atEarlier = [], atLater = []] = [before, after].map((of) => atVisit(list.filter((event) => of.has(event))));
    const first = atLater[0] ?? atEarlier[0];
    if (!first) return [];
    const change = presence(words, atEarlier.length > 0, atLater.length > 0);
    return [{ name: first.event.name, earlier: atEarlier, later: atLater, change }];
  });
  // Drugs of both visits come first.
  const rank = (row: ComparedMedication): number => (row.later.length === 0 ? 2 : row.earlier.length === 0 ? 1 : 0);
  return rows.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}
