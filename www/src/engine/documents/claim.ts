//! Assigns records that name no patient to the only Patient of their document, or to the unknown patient if the files
//! have no patient at all. The files themselves do not change.

import { compact, parsed } from '#reading/fhir/json.ts';
import { UNCLAIMED } from '#reading/fhir/unclaimed.ts';
import { own } from '#reading/own.ts';
import { isObject } from '#reading/shape.ts';
import { withParts } from '../text/text-parts.ts';
import { type Members, objectsIn, type PlacedResource, textAt } from './documents.ts';
import { entriesOf } from './entries.ts';

/** The patient id given to records without a patient when the files contain no patient at all. */
export const UNKNOWN_PATIENT = 'unknown';

/**
 * The element that names the patient, by resource type. Types whose records need not belong to a patient are left out:
 * a Device may belong to a laboratory.
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

/** Adds a patient and a tag to a record. Returns `undefined` if the record says anything about its subject already. */
function taken(resource: Members, reference: string, tag: object): Members | undefined {
  const element = own(ELEMENTS, textAt(resource, 'resourceType'));
  // Older versions of FHIR may use the other element.
  if (!element || resource.subject !== undefined || resource.patient !== undefined) return undefined;
  const meta = isObject(resource.meta) ? resource.meta : {};
  const tags = Array.isArray(meta.tag) ? meta.tag : [];
  return { ...resource, meta: { ...meta, tag: [...tags, tag] }, [element]: { reference } };
}

/** Returns the record with the unknown patient and a tag, or `undefined` if it names a subject or needs none. */
export function withUnknownPatient(text: string): string | undefined {
  const resource = parsed(text);
  const made = isObject(resource) ? taken(resource, `Patient/${UNKNOWN_PATIENT}`, UNCLAIMED) : undefined;
  return made && compact(made);
}

/** The tag of a record that was assigned to the only Patient of its document. The code belongs to no code system. */
const PLACED = { code: 'patient-of-document' } as const;

/** Returns whether a record was assigned to the only Patient of its document. */
export const isPlaced = ({ meta }: Members): boolean =>
  isObject(meta) && objectsIn(meta.tag).some((tag) => textAt(tag, 'code') === PLACED.code && !tag.system);

/** Returns the reference to the only Patient of a document, if its records name nobody else. */
function onlyPatient(all: readonly PlacedResource[]): string | undefined {
  const [patient, ...others] = all.filter(({ type }) => type === 'Patient');
  if (!patient || others.length > 0) return undefined;
  const { id, fullUrl } = patient;
  const names = new Set([fullUrl, `Patient/${id}`].filter((one) => one !== '' && one !== 'Patient/'));
  const named = all.flatMap(({ type, resource }) => own(resource, own(ELEMENTS, type) ?? '') ?? []);
  const areSame = named.every((subject) => names.has(textAt(subject, 'reference').replace(/\/_history\/.*$/, '')));
  return areSame ? [...names][0] : undefined;
}

/** Returns whether a Bundle is a document with records to assign. Other Bundles may hold records of several people. */
export function mayPlace(bundle: unknown, all: readonly PlacedResource[]): boolean {
  return (
    textAt(bundle, 'type') === 'document' &&
    all.some(({ resource }) => taken(resource, '', PLACED)) &&
    onlyPatient(all) !== undefined
  );
}

/** Returns a document in which the records without a patient are assigned to its only Patient. */
export function withOnlyPatient(text: string): string {
  const entries = entriesOf(text);
  const all = entries.flatMap(({ placed }) => placed ?? []);
  const patient = mayPlace(parsed(text), all) ? onlyPatient(all) : undefined;
  if (patient === undefined) return text;
  return withParts(text, entries, ({ text: entry }) => {
    const whole = parsed(entry);
    const made = isObject(whole) && isObject(whole.resource) ? taken(whole.resource, patient, PLACED) : undefined;
    return made && isObject(whole) ? compact({ ...whole, resource: made }) : undefined;
  });
}
