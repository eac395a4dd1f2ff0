//! Records that name no patient, as ones of the one patient of the files. The records in the files stay as they are.

import { compact, parsed } from '../fhir/json.ts';
import { UNCLAIMED } from '../fhir/unclaimed.ts';
import { own } from '../own.ts';
import { isObject } from '../shape.ts';

/** The id of the patient of records that name none, where files have no patient at all. */
export const UNKNOWN_PATIENT = 'unknown';

/**
 * The element that names the patient, by type. Types whose records need not be of a patient are not among them: a
 * device may be that of a laboratory.
 */
const ELEMENTS: Readonly<Record<string, 'subject' | 'patient'>> = {
  AdverseEvent: 'subject',
  AllergyIntolerance: 'patient',
  CarePlan: 'subject',
  CareTeam: 'subject',
  ClinicalImpression: 'subject',
  Composition: 'subject',
  Condition: 'subject',
  DetectedIssue: 'patient',
  DiagnosticReport: 'subject',
  DocumentReference: 'subject',
  Encounter: 'subject',
  FamilyMemberHistory: 'patient',
  Flag: 'subject',
  Goal: 'subject',
  ImagingStudy: 'subject',
  Immunization: 'patient',
  Media: 'subject',
  MedicationAdministration: 'subject',
  MedicationDispense: 'subject',
  MedicationRequest: 'subject',
  MedicationStatement: 'subject',
  NutritionOrder: 'patient',
  Observation: 'subject',
  Procedure: 'subject',
  QuestionnaireResponse: 'subject',
  RiskAssessment: 'subject',
  ServiceRequest: 'subject',
  Specimen: 'subject',
};

/** The element of a record that names its patient; nothing for a type that need not be of one. */
export const patientElement = (type: string): 'subject' | 'patient' | undefined => own(ELEMENTS, type);

/**
 * The record with a patient and a mark. Nothing where it says something of its subject, such as a name alone: that may
 * be another person; and nothing for a type that need not be of a patient.
 */
export function withPatient(text: string, patient: string): string | undefined {
  const resource = parsed(text);
  if (!isObject(resource)) return undefined;
  const element = patientElement(String(own(resource, 'resourceType')));
  if (!element || own(resource, element) !== undefined) return undefined;
  const meta = isObject(resource.meta) ? resource.meta : {};
  const tags = Array.isArray(meta.tag) ? meta.tag : [];
  return compact({
    ...resource,
    meta: { ...meta, tag: [...tags, UNCLAIMED] },
    [element]: { reference: `Patient/${patient}` },
  });
}
