//! The records about the medications of a patient.

import * as fhir from '../fhir/types.ts';

export interface MedicationRecords {
  requests: readonly fhir.MedicationRequest[];
  statements: readonly fhir.MedicationStatement[];
  administrations: readonly fhir.MedicationAdministration[];
  dispenses: readonly fhir.MedicationDispense[];
  /** The records to which they refer. */
  included: readonly fhir.Resource[];
}

export const medicationRecords = (
  records: readonly fhir.Resource[],
  included: readonly fhir.Resource[],
): MedicationRecords => ({
  requests: fhir.ofType('MedicationRequest', records),
  statements: fhir.ofType('MedicationStatement', records),
  administrations: fhir.ofType('MedicationAdministration', records),
  dispenses: fhir.ofType('MedicationDispense', records),
  included,
});
