//! The types of records without a section of their own: they are requested together and shown in one section.

import { typeOf } from './record-address.ts';

/** A search that represents one search for each of several types. */
export const OTHER = 'other?patient={patient}';
/** A search for the types of billing. They may be most of a record, and are requested on demand. */
export const BILLING = 'billing?patient={patient}';

/** The types of R4 about a patient's care without a section of their own, the most dangerous to miss first. */
const OTHER_TYPES = [
  ...['DetectedIssue', 'NutritionOrder', 'ClinicalImpression', 'RiskAssessment', 'DeviceUseStatement'],
  ...['DeviceRequest', 'VisionPrescription', 'ImmunizationRecommendation', 'ImmunizationEvaluation', 'RequestGroup'],
  ...['Task', 'Appointment', 'AppointmentResponse', 'EpisodeOfCare', 'CommunicationRequest', 'Communication'],
  ...['SupplyRequest', 'SupplyDelivery', 'Composition', 'DocumentManifest', 'List', 'Specimen', 'BodyStructure'],
  ...['MolecularSequence', 'GuidanceResponse', 'MeasureReport', 'ResearchSubject', 'RelatedPerson', 'Coverage'],
  'Basic',
] as const;

const BILLING_TYPES = [
  ...['Account', 'ChargeItem', 'Claim', 'ClaimResponse', 'Contract', 'CoverageEligibilityRequest'],
  ...['CoverageEligibilityResponse', 'EnrollmentRequest', 'ExplanationOfBenefit', 'Invoice'],
] as const;

/** Returns the types that a search represents; `undefined` for a search of one type. */
export const typesOfSearch = (query: string): readonly string[] | undefined =>
  query === OTHER ? OTHER_TYPES : query === BILLING ? BILLING_TYPES : undefined;

export const typesOf = (query: string): readonly string[] => typesOfSearch(query) ?? [typeOf(query)];

/** The types for which R4 has no parameter `patient`. */
const BY_SUBJECT = ['AdverseEvent', 'SupplyRequest'];

/** Returns the search for the records of one such type. */
export const searchOf = (type: string): string =>
  `${type}?${BY_SUBJECT.includes(type) ? 'subject=Patient/{patient}' : 'patient={patient}'}&_count=200`;

/**
 * Returns whether a search waits until its part of the page is visible or opened: the search for billing does, and that
 * for the other types if the source is a server, since it sends one request for each type.
 */
export const isLater = (query: string, source: string): boolean =>
  query === BILLING || (query === OTHER && source === 'session');
