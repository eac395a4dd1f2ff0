//! The types of records that have no section of their own: they are asked for together, and shown in one section.

import { typeOf } from './record-address.ts';

/** A search that stands for one search of each of some types. */
export const OTHER = 'other?patient={patient}';
/** A search for the types of payment. Those may be most of a record, and are asked for on demand. */
export const BILLING = 'billing?patient={patient}';

/** The types of R4 about a patient's care without a section of their own, what is of most danger first. */
const OTHER_TYPES = [
  'DetectedIssue',
  'NutritionOrder',
  'ClinicalImpression',
  'RiskAssessment',
  'DeviceUseStatement',
  'DeviceRequest',
  'VisionPrescription',
  'ImmunizationRecommendation',
  'ImmunizationEvaluation',
  'RequestGroup',
  'Task',
  'Appointment',
  'AppointmentResponse',
  'EpisodeOfCare',
  'CommunicationRequest',
  'Communication',
  'SupplyRequest',
  'SupplyDelivery',
  'Composition',
  'DocumentManifest',
  'List',
  'Specimen',
  'BodyStructure',
  'MolecularSequence',
  'GuidanceResponse',
  'MeasureReport',
  'ResearchSubject',
  'RelatedPerson',
  'Coverage',
  'Basic',
] as const;

const BILLING_TYPES = [
  'Account',
  'ChargeItem',
  'Claim',
  'ClaimResponse',
  'Contract',
  'CoverageEligibilityRequest',
  'CoverageEligibilityResponse',
  'EnrollmentRequest',
  'ExplanationOfBenefit',
  'Invoice',
] as const;

/** The types that a search stands for; nothing for a search of one type. */
export const typesOfSearch = (query: string): readonly string[] | undefined =>
  query === OTHER ? OTHER_TYPES : query === BILLING ? BILLING_TYPES : undefined;

/** The types of the records that a search finds. */
export const typesOf = (query: string): readonly string[] => typesOfSearch(query) ?? [typeOf(query)];

/** The types that R4 has no parameter `patient` for. */
const BY_SUBJECT = ['AdverseEvent', 'SupplyRequest'];

/** The search for the records of one such type. */
export const searchOf = (type: string): string =>
  `${type}?${BY_SUBJECT.includes(type) ? 'subject=Patient/{patient}' : 'patient={patient}'}&_count=200`;

/**
 * Returns whether a search waits until its part of the page is in sight or opened: what belongs to payment does, and
 * the other types of a server, which is one request each.
 */
export const isLater = (query: string, source: string): boolean =>
  query === BILLING || (query === OTHER && source === 'session');
