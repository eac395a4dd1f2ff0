//! The dose of a record about a medication, in words. Where a dose would stand and none is recorded, it is said.

import { t } from '../language/message.ts';
import { dosages } from './dosage.ts';
import { isNoMedication } from './medication.ts';
import { type MedicationRecord, requestState } from './request-state.ts';
import { isEnteredInError } from './text.ts';

/** The dosage of a record, as it is. */
const dosageOf = (of: MedicationRecord): unknown =>
  of.resourceType === 'MedicationRequest' ? of.dosageInstruction : of.dosage;

/** The dose in words, as far as one is recorded. `words` makes them of a dosage. */
export const recordedDose = (of: MedicationRecord, words = dosages): string | undefined => words(dosageOf(of));

/** The dose in words, or that none is recorded. What is not, or not yet, taken needs none. */
export function doseText(of: MedicationRecord, words = dosages): string | undefined {
  const isAvoided = of.resourceType !== 'MedicationAdministration' && of.doNotPerform === true;
  const isTaken =
    !isAvoided &&
    !isEnteredInError(of) &&
    !isNoMedication(of) &&
    !['avoid', 'untaken', 'planned'].includes(requestState(of));
  return recordedDose(of, words) ?? (isTaken ? t('no dose recorded') : undefined);
}
