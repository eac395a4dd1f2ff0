//! The records about the medications of a patient.

import {
  type MedicationAdministration,
  type MedicationDispense,
  type MedicationRequest,
  type MedicationStatement,
  ofType,
  type Resource,
} from '../fhir/types.ts';

export interface MedicationRecords {
  requests: readonly MedicationRequest[];
  statements: readonly MedicationStatement[];
  administrations: readonly MedicationAdministration[];
  dispenses: readonly MedicationDispense[];
  /** The records to which they refer. */
  included: readonly Resource[];
}

export const medicationRecords = (records: readonly Resource[], included: readonly Resource[]): MedicationRecords => ({
  requests: ofType('MedicationRequest', records),
  statements: ofType('MedicationStatement', records),
  administrations: ofType('MedicationAdministration', records),
  dispenses: ofType('MedicationDispense', records),
  included,
});
