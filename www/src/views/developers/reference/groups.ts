//! The types and operations by task, as someone who builds an app looks for them.

import type { PlainMessage } from '../../../language/message.ts';
import type { Operation } from './openapi.ts';

/** The group of a type without another one. */
const REST = 'Definitions and other types';
const GROUPS: readonly (readonly [title: PlainMessage, types: string])[] = [
  ['Patients and people', 'Patient,RelatedPerson,Person,Group,FamilyMemberHistory,Consent'],
  [
    'Problems and allergies',
    'Condition,AllergyIntolerance,AdverseEvent,ClinicalImpression,DetectedIssue,Flag,RiskAssessment',
  ],
  [
    'Results and measurements',
    'Observation,DiagnosticReport,Specimen,ImagingStudy,Media,BodyStructure,MolecularSequence',
  ],
  [
    'Medications and vaccinations',
    'MedicationRequest,MedicationStatement,MedicationDispense,MedicationAdministration,Medication,' +
      'MedicationKnowledge,Immunization,ImmunizationRecommendation,ImmunizationEvaluation',
  ],
  ['Visits and appointments', 'Encounter,EpisodeOfCare,Appointment,AppointmentResponse,Schedule,Slot'],
  [
    'Procedures, orders and plans',
    'Procedure,ServiceRequest,CarePlan,CareTeam,Goal,Task,RequestGroup,NutritionOrder,VisionPrescription,' +
      'SupplyRequest,SupplyDelivery,Communication,CommunicationRequest,GuidanceResponse',
  ],
  ['Devices', 'Device,DeviceUseStatement,DeviceRequest,DeviceMetric,DeviceDefinition'],
  [
    'Documents and forms',
    'DocumentReference,Composition,DocumentManifest,Binary,Bundle,Questionnaire,QuestionnaireResponse,' +
      'List,Contract,Basic',
  ],
  [
    'Insurance and billing',
    'Coverage,Claim,ClaimResponse,ExplanationOfBenefit,CoverageEligibilityRequest,CoverageEligibilityResponse,' +
      'Account,ChargeItem,ChargeItemDefinition,Invoice,InsurancePlan,EnrollmentRequest,EnrollmentResponse,' +
      'PaymentNotice,PaymentReconciliation',
  ],
  [
    'Practitioners and organizations',
    'Practitioner,PractitionerRole,Organization,OrganizationAffiliation,Location,HealthcareService,Endpoint',
  ],
  ['Origin and access', 'Provenance,AuditEvent,VerificationResult,Linkage'],
  [
    'Research and quality',
    'ResearchStudy,ResearchSubject,ResearchDefinition,ResearchElementDefinition,Evidence,EvidenceVariable,' +
      'EffectEvidenceSynthesis,RiskEvidenceSynthesis,Measure,MeasureReport',
  ],
];

/** Matches the types of substances and of products on the market, which are many. */
const PRODUCTS = /^(?:Substance|MedicinalProduct|BiologicallyDerived|CatalogEntry)/;

function groupOf(type: string): PlainMessage {
  if (PRODUCTS.test(type)) return 'Substances and products';
  return GROUPS.find(([, types]) => types.split(',').includes(type))?.[0] ?? REST;
}

/** Returns the groups of types in the order of the list, each with its types. */
export function groupsOf(types: readonly string[]): [title: PlainMessage, types: string[]][] {
  const titles = [...GROUPS.map(([title]) => title), 'Substances and products', REST] as const;
  const order = GROUPS.flatMap(([, names]) => names.split(','));
  const place = (type: string): number => order.indexOf(type) + 1 || order.length + 1;
  return titles
    .map((title): [PlainMessage, string[]] => [title, types.filter((type) => groupOf(type) === title)])
    .filter(([, of]) => of.length > 0)
    .map(([title, of]) => [title, of.toSorted((a, b) => place(a) - place(b))]);
}

const OPERATIONS: readonly (readonly [title: PlainMessage, path: RegExp])[] = [
  ['Sign-in and tokens', /^\/oauth\/|\/\.well-known\/(?!service)/],
  ['Records of several types', /\$(?!export)|\*$|^\/fhir\/r4$/],
  ['Export', /\$export/],
  ['Sending records', /^\/ingest/],
];

/** Returns the groups of operations. Those that each type has are in none. */
export function operationGroups(operations: readonly Operation[]): [title: PlainMessage, operations: Operation[]][] {
  const titleOf = ({ path, type }: Operation): PlainMessage | undefined =>
    OPERATIONS.find(([, paths]) => paths.test(path))?.[0] ?? (type ? undefined : 'The server');
  return [...OPERATIONS.map(([title]) => title), 'The server' as const]
    .map((title): [PlainMessage, Operation[]] => [title, operations.filter((one) => titleOf(one) === title)])
    .filter(([, of]) => of.length > 0);
}
