//! Medications that are planned and not ordered, by drug: drafts, plans, proposals, and reported intentions.

import { isActivePlan, type MedicationRecord } from '../fhir/request-state.ts';
import type { Resource } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import { shortDosages } from './dosage.ts';
import { medication } from './medication.ts';
import { recordedDose } from './medication-dose.ts';
import type { MedicationEntry } from './medication-list.ts';
import { isToBegin, medicationStatus } from './medication-status.ts';
import { byDrug, drugMarks } from './same-drug.ts';

/** A planned medication: its newest record, and its words. */
export interface PlannedMedication {
  record: MedicationRecord;
  /** The name, after the words for a plan not to take the medication. */
  name: string;
  /** The kinds of its records, such as `draft`, and its relation to the current medications. */
  words: string;
}

const isNotToTake = ({ resource }: MedicationEntry): boolean =>
  resource.resourceType !== 'MedicationAdministration' && resource.doNotPerform === true;

/** Returns the planned medications of one drug: those to take, and those not to take. */
function ofDrug(words: Words, drug: readonly MedicationEntry[], all: readonly Resource[]): PlannedMedication[] {
  const current = drug.filter(({ state }) => state === 'current').map(({ resource }) => resource);
  const doses = current.map((one) => recordedDose(words, one, shortDosages));
  /** Returns whether a current medication carries out a plan. */
  const isCarriedOut = ({ resource }: MedicationEntry): boolean => {
    const dose = recordedDose(words, resource, shortDosages);
    const isPlan = resource.resourceType === 'MedicationRequest' && isActivePlan(resource);
    return isPlan && current.length > 0 && (dose === undefined || doses.includes(dose));
  };
  const planned = drug.filter((one) => one.state === 'planned' && !isToBegin(one.resource) && !isCarriedOut(one));
  return [planned.filter((one) => !isNotToTake(one)), planned.filter(isNotToTake)].flatMap((list) => {
    const [newest] = list;
    if (!newest) return [];
    const name = medication(words, newest.resource, all);
    const isAvoided = isNotToTake(newest);
    const statuses = list.flatMap(({ resource }) => medicationStatus(words, resource)?.split(', ') ?? []);
    const kinds = [...new Set(statuses)].filter((word) => !isAvoided || word !== words.t('do not take'));
    // If there is a current dose, the planned dose is shown, since the plan would change the dose.
    const others = list.flatMap(({ resource }) => recordedDose(words, resource, shortDosages) ?? []);
    const beside =
      current.length > 0
        ? [...new Set(others.filter((dose) => !doses.includes(dose))), words.t('also among the current ones')]
        : [];
    return {
      record: newest.resource,
      name: isAvoided ? words.t('not to take: {name}', { name }) : name,
      words: [...kinds, ...beside].join(', '),
    };
  });
}

/** Returns the medications that are planned and not ordered, one for each drug, newest first. */
export const plannedMedications = (
  words: Words,
  entries: readonly MedicationEntry[],
  all: readonly Resource[],
): PlannedMedication[] =>
  entries.some(({ state }) => state === 'planned')
    ? byDrug(entries, ({ resource }) => drugMarks(resource, all)).flatMap((drug) => ofDrug(words, drug, all))
    : [];
