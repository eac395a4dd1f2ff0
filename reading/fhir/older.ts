//! Resources of an older FHIR, DSTU2 (<https://hl7.org/fhir/DSTU2/>) or STU3 (<https://hl7.org/fhir/STU3/>). The chart
//! reads R4, in which they have another meaning or none. They are recognized by a type that R4 does not have, by
//! elements that R4 defines differently or not at all, and by their profiles.

import { isObject } from '../shape.ts';

type Form = 'text' | 'list' | 'object';

/** An element that identifies an older resource of a type. */
interface Mark {
  path: string;
  /** The form of its value, if R4 has an element with the same name. */
  is?: Form;
  /** The elements that replace it in R4: a resource with one of them can be read. */
  unless?: readonly string[];
}

const has = (...paths: string[]): Mark[] => paths.map((path) => ({ path }));
const inForm = (is: Form, ...paths: string[]): Mark[] => paths.map((path) => ({ path, is }));
const before = (path: string, ...unless: string[]): Mark => ({ path, unless });

/** The marks of types that exist in both. A type whose elements are all read correctly has none. */
const MARKS: Record<string, Mark[]> = {
  Patient: inForm('list', 'name.family'),
  Practitioner: inForm('object', 'name'),
  RelatedPerson: inForm('object', 'name'),
  AllergyIntolerance: [
    before('substance', 'code'),
    before('assertedDate', 'recordedDate'),
    ...has('status', 'lastOccurence'),
    ...inForm('text', 'clinicalStatus', 'verificationStatus', 'category'),
  ],
  Condition: [
    before('patient', 'subject'),
    before('dateRecorded', 'recordedDate'),
    before('assertedDate', 'recordedDate'),
    ...inForm('text', 'clinicalStatus', 'verificationStatus'),
    ...inForm('object', 'category'),
  ],
  MedicationRequest: inForm('object', 'requester.agent', 'category'),
  MedicationDispense: has('notDone'),
  MedicationStatement: [before('patient', 'subject'), ...has('taken', 'notTaken', 'wasNotTaken', 'reasonNotTaken')],
  MedicationAdministration: [
    before('patient', 'subject'),
    ...has('notGiven', 'wasNotGiven', 'prescription', 'effectiveTimeDateTime', 'effectiveTimePeriod'),
  ],
  AdverseEvent: inForm('text', 'category'),
  Appointment: [before('reason', 'reasonCode', 'reasonReference')],
  ClinicalImpression: [before('patient', 'subject')],
  Communication: has('notDone'),
  Consent: has('except', 'consentingParty'),
  DeviceUseStatement: has('whenUsed', 'indication'),
  FamilyMemberHistory: has('notDone'),
  Flag: inForm('object', 'category'),
  ImagingStudy: [...has('accession'), before('patient', 'subject')],
  Immunization: [
    before('date', 'occurrenceDateTime', 'occurrenceString'),
    ...has('wasNotGiven', 'notGiven', 'reported', 'explanation'),
  ],
  Observation: [...has('related'), ...inForm('object', 'category')],
  DiagnosticReport: [...has('codedDiagnosis', 'image'), ...inForm('object', 'performer', 'category')],
  DocumentReference: has('indexed', 'created', 'class'),
  Procedure: [...has('notDone', 'notPerformed'), before('reasonCodeableConcept', 'reasonCode')],
  Device: [...has('udi'), before('model', 'modelNumber')],
  CarePlan: has('modified', 'definition'),
  CareTeam: inForm('object', 'participant.role'),
  Goal: [before('status', 'lifecycleStatus')],
  Encounter: [
    ...inForm('text', 'class'),
    before('patient', 'subject'),
    before('reason', 'reasonCode'),
    ...has('indication', 'incomingReferral'),
  ],
  QuestionnaireResponse: [...has('group'), ...inForm('object', 'questionnaire')],
  Provenance: has('agent.whoReference', 'agent.whoUri', 'agent.actor'),
};

/** The types of clinical records that R4 does not have. */
const OLDER_TYPES = new Set([
  'BodySite',
  'DeviceComponent',
  'DeviceUseRequest',
  'DiagnosticOrder',
  'ImagingManifest',
  'ImagingObjectSelection',
  'MedicationOrder',
  'Order',
  'OrderResponse',
  'ProcedureRequest',
  'ReferralRequest',
  'Sequence',
]);

/** Returns whether a type exists in an older FHIR and not in R4. */
export const isOlderType = (type: string): boolean => OLDER_TYPES.has(type);

/** The profiles of guides of an older FHIR. */
const PROFILE = /\bDSTU2\b|\bSTU3\b|\/guides\/argonaut\/|\/StructureDefinition\/daf-/;

type Members = Record<string, unknown>;

/** Returns the values at a path, through all items of lists on the path. */
function valuesAt(value: unknown, [name, ...rest]: string[]): unknown[] {
  if (name === undefined) return [value];
  const holders = (Array.isArray(value) ? value : [value]).filter(isObject);
  return holders.filter((one) => Object.hasOwn(one, name)).flatMap((one) => valuesAt(one[name], rest));
}

const FORMS: Record<Form, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string',
  list: Array.isArray,
  object: isObject,
};

const isMarked = (resource: Members, { path, is, unless = [] }: Mark): boolean =>
  valuesAt(resource, path.split('.')).some((value) => !is || FORMS[is](value)) &&
  !unless.some((name) => Object.hasOwn(resource, name));

/** Returns whether a resource is of an older FHIR. */
export function isOlder(resource: unknown): boolean {
  if (!isObject(resource) || typeof resource.resourceType !== 'string') return false;
  const { resourceType: type } = resource;
  if (isOlderType(type)) return true;
  const profiles = valuesAt(resource, ['meta', 'profile']).flat();
  if (profiles.some((profile) => typeof profile === 'string' && PROFILE.test(profile))) return true;
  return Object.hasOwn(MARKS, type) && (MARKS[type] ?? []).some((mark) => isMarked(resource, mark));
}
