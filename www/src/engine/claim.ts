//! Records that name no patient, as ones of the only Patient of their document, or of the one patient of the files. The
//! records in the files stay as they are.

import { compact, parsed } from '../fhir/json.ts';
import { UNCLAIMED } from '../fhir/unclaimed.ts';
import { own } from '../own.ts';
import { isObject } from '../shape.ts';
import { type Members, objectsIn, type PlacedResource, textAt } from './documents.ts';
import { entriesOf } from './entries.ts';
import { withParts } from './text-parts.ts';

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

/** The record with a patient and a tag. Nothing where it says anything of its subject, such as a name alone. */
function taken(resource: Members, reference: string, tag: object): Members | undefined {
  const element = own(ELEMENTS, textAt(resource, 'resourceType'));
  // An older FHIR has the other element.
  if (!element || resource.subject !== undefined || resource.patient !== undefined) return undefined;
  const meta = isObject(resource.meta) ? resource.meta : {};
  const tags = Array.isArray(meta.tag) ? meta.tag : [];
  return { ...resource, meta: { ...meta, tag: [...tags, tag] }, [element]: { reference } };
}

/** The record with a patient and a mark; nothing where it names somebody, or is of a type that need not be of one. */
export function withPatient(text: string, patient: string): string | undefined {
  const resource = parsed(text);
  const made = isObject(resource) ? taken(resource, `Patient/${patient}`, UNCLAIMED) : undefined;
  return made && compact(made);
}

/** The tag of a record that was placed with the only Patient of its document. No code system has such a code. */
const PLACED = { code: 'patient-of-document' } as const;

/** Returns whether a record was placed with the only Patient of its document. */
export const isPlaced = ({ meta }: Members): boolean =>
  isObject(meta) && objectsIn(meta.tag).some((tag) => textAt(tag, 'code') === PLACED.code && !tag.system);

/** The reference to the only Patient of a document, where its records name nobody else. */
function onlyPatient(all: readonly PlacedResource[]): string | undefined {
  const [patient, ...others] = all.filter(({ type }) => type === 'Patient');
  if (!patient || others.length > 0) return undefined;
  const { id, fullUrl } = patient;
  const names = new Set([fullUrl, `Patient/${id}`].filter((one) => one !== '' && one !== 'Patient/'));
  const named = all.flatMap(({ type, resource }) => own(resource, own(ELEMENTS, type) ?? '') ?? []);
  const areSame = named.every((subject) => names.has(textAt(subject, 'reference').replace(/\/_history\/.*$/, '')));
  return areSame ? [...names][0] : undefined;
}

/** Returns whether a Bundle is a document with such records. Another Bundle may have records of anybody. */
export function mayPlace(bundle: unknown, all: readonly PlacedResource[]): boolean {
  return (
    textAt(bundle, 'type') === 'document' &&
    all.some(({ resource }) => taken(resource, '', PLACED)) &&
    onlyPatient(all) !== undefined
  );
}

/** A text in which the records of a document that name nobody are of its only Patient. */
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
