//! The label over what a record says beside its name, by its type: such as a dose, a severity or a reaction.

import type { PlainMessage } from '../../language/words.ts';
import { own } from '../../own.ts';

const LABELS: Readonly<Record<string, PlainMessage>> = {
  AllergyIntolerance: 'Reaction',
  CarePlan: 'Period',
  Condition: 'Severity and site',
  DiagnosticReport: 'Conclusion',
  Encounter: 'Reason and discharge',
  FamilyMemberHistory: 'Conditions',
  Flag: 'Kind and period',
  Immunization: 'Reason',
  MedicationAdministration: 'Dose',
  MedicationDispense: 'Amount and dose',
  MedicationRequest: 'Dose',
  MedicationStatement: 'Dose',
  Procedure: 'Outcome',
  ServiceRequest: 'Reason',
};

/** The label of the value of a record of a type. `Value` where the type is none of these. */
export const valueLabel = (type: string): PlainMessage => own(LABELS, type) ?? 'Value';
