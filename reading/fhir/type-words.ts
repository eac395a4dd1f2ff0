//! Types of resources in words, for people.

import { type PlainMessage, t } from '../language/message.ts';

/** The types that the chart reads, and others that files of portals and payers have. */
const TYPES = {
  Account: 'Account',
  AdverseEvent: 'Adverse event',
  AllergyIntolerance: 'Allergy intolerance',
  Appointment: 'Appointment',
  AppointmentResponse: 'Appointment response',
  AuditEvent: 'Audit event',
  Basic: 'Basic',
  Binary: 'Binary file',
  BodyStructure: 'Body structure',
  Bundle: 'Bundle',
  CarePlan: 'Care plan',
  CareTeam: 'Care team',
  ChargeItem: 'Charge item',
  Claim: 'Claim',
  ClaimResponse: 'Claim response',
  ClinicalImpression: 'Clinical impression',
  Communication: 'Communication',
  CommunicationRequest: 'Communication request',
  Composition: 'Composition',
  Condition: 'Condition',
  Consent: 'Consent',
  Contract: 'Contract',
  Coverage: 'Coverage',
  CoverageEligibilityRequest: 'Coverage eligibility request',
  CoverageEligibilityResponse: 'Coverage eligibility response',
  DetectedIssue: 'Detected issue',
  Device: 'Device',
  DeviceRequest: 'Device request',
  DeviceUseStatement: 'Device use statement',
  DiagnosticReport: 'Diagnostic report',
  DocumentManifest: 'Document manifest',
  DocumentReference: 'Document reference',
  Encounter: 'Encounter',
  Endpoint: 'Endpoint',
  EnrollmentRequest: 'Enrollment request',
  EpisodeOfCare: 'Episode of care',
  ExplanationOfBenefit: 'Explanation of benefit',
  FamilyMemberHistory: 'Family member history',
  Flag: 'Flag',
  Goal: 'Goal',
  Group: 'Group',
  GuidanceResponse: 'Guidance response',
  HealthcareService: 'Healthcare service',
  ImagingStudy: 'Imaging study',
  Immunization: 'Immunization',
  ImmunizationEvaluation: 'Immunization evaluation',
  ImmunizationRecommendation: 'Immunization recommendation',
  Invoice: 'Invoice',
  List: 'List',
  Location: 'Location',
  MeasureReport: 'Measure report',
  Media: 'Media',
  Medication: 'Medication',
  MedicationAdministration: 'Medication administration',
  MedicationDispense: 'Medication dispense',
  MedicationRequest: 'Medication request',
  MedicationStatement: 'Medication statement',
  MolecularSequence: 'Molecular sequence',
  NutritionOrder: 'Nutrition order',
  Observation: 'Observation',
  Organization: 'Organization',
  Patient: 'Patient',
  Practitioner: 'Practitioner',
  PractitionerRole: 'Practitioner role',
  Procedure: 'Procedure',
  Provenance: 'Provenance',
  Questionnaire: 'Questionnaire',
  QuestionnaireResponse: 'Questionnaire response',
  RelatedPerson: 'Related person',
  RequestGroup: 'Request group',
  ResearchSubject: 'Research subject',
  RiskAssessment: 'Risk assessment',
  Schedule: 'Schedule',
  ServiceRequest: 'Service request',
  Slot: 'Slot',
  Specimen: 'Specimen',
  SupplyDelivery: 'Supply delivery',
  SupplyRequest: 'Supply request',
  Task: 'Task',
  VisionPrescription: 'Vision prescription',
} as const satisfies Record<string, PlainMessage>;

const isKnown = (type: string): type is keyof typeof TYPES => Object.hasOwn(TYPES, type);

/** The name of a type in English words, which are translated where they are drawn. */
export const typeKind = (type: string): string =>
  isKnown(type)
    ? (TYPES[type].split('#')[0] ?? type)
    : type.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** The name of a type in words: `Medication request`. One that is not in the table is in the words of its name. */
export const typeWords = (type: string): string =>
  isKnown(type) ? t(TYPES[type]) : type.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
