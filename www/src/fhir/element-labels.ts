//! Names of elements in words. A name that is not in the table is written as words: `lotNumber` is `Lot number`.

import { type PlainMessage, t } from '../language/message.ts';
import { own } from '../own.ts';
import { capital } from './text.ts';

/** The names of elements that mean the same in all types. A choice such as `onsetAge` is under its base, `onset`. */
const LABELS: Readonly<Record<string, PlainMessage>> = {
  abatement: 'Ended',
  accession: 'Accession number',
  achievementStatus: 'Achievement',
  activity: 'Activity',
  actor: 'Who',
  addresses: 'For',
  asNeeded: 'As needed',
  asserter: 'Said by',
  author: 'Author',
  authoredOn: 'Written on',
  basedOn: 'Based on',
  birthDate: 'Born',
  bodySite: 'Site',
  careManager: 'Care manager',
  category: 'Category',
  class: 'Class',
  clinicalStatus: 'Clinical status',
  code: 'Code',
  comment: 'Comment',
  communication: 'Communication',
  complication: 'Complication',
  complicationDetail: 'Complication',
  component: 'Component',
  conclusion: 'Conclusion',
  conclusionCode: 'Conclusion',
  condition: 'Condition',
  contact: 'Contact',
  context: 'Context',
  created: 'Created',
  criticality: 'Criticality',
  custodian: 'Kept by',
  dataAbsentReason: 'Why there is no value',
  date: 'Date',
  dateTime: 'Date',
  daysSupply: 'Days of supply',
  deceased: 'Deceased',
  description: 'Description',
  detail: 'Detail',
  device: 'Device',
  diagnosis: 'Diagnosis',
  doNotPerform: 'Not to be done',
  docStatus: 'Status of the document',
  dosage: 'Dosage',
  dosageInstruction: 'Dosage',
  doseNumber: 'Dose',
  doseQuantity: 'Amount',
  effective: 'Time',
  encounter: 'Visit',
  end: 'End',
  evidence: 'Evidence',
  expirationDate: 'Use by',
  exposureRoute: 'Route of exposure',
  extension: 'Further facts',
  focus: 'About',
  focalDevice: 'Device',
  followUp: 'Follow-up',
  function: 'Function',
  gender: 'Sex',
  goal: 'Goal',
  hasMember: 'Parts',
  hospitalization: 'Admission and discharge',
  identifier: 'Identifier',
  informationSource: 'Said by',
  instruction: 'Instruction',
  intent: 'Intent',
  interpretation: 'Interpretation',
  issued: 'Issued',
  item: 'Item',
  lastOccurrence: 'Last reaction',
  length: 'Length',
  lifecycleStatus: 'Status',
  location: 'Place',
  lotNumber: 'Lot',
  manifestation: 'Manifestation',
  manufacturer: 'Manufacturer',
  maritalStatus: 'Marital status',
  method: 'Method',
  mitigation: 'Mitigation',
  modality: 'Modality',
  modifierExtension: 'Facts that change the meaning',
  name: 'Name',
  note: 'Note',
  occurrence: 'Time',
  onset: 'Began',
  orderDetail: 'Details of the order',
  outcome: 'Outcome',
  participant: 'Taking part',
  participants: 'Taking part',
  partOf: 'Part of',
  patientInstruction: 'Instruction for the patient',
  performed: 'Done',
  performer: 'By',
  performerType: 'Kind of performer',
  period: 'Period',
  policyRule: 'Rule',
  prediction: 'Prediction',
  primarySource: 'Seen by who recorded it',
  priority: 'Priority',
  probability: 'Probability',
  prognosisCodeableConcept: 'Prognosis',
  programEligibility: 'Programme',
  protocolApplied: 'Protocol',
  provision: 'Provision',
  qualitativeRisk: 'Risk',
  quantity: 'Quantity',
  reaction: 'Reaction',
  reason: 'Reason',
  reasonCode: 'Reason',
  reasonReference: 'Reason',
  receivedTime: 'Received',
  recorded: 'Recorded',
  recordedDate: 'Recorded',
  recorder: 'Recorded by',
  referenceRange: 'Range',
  relationship: 'Relationship',
  report: 'Report',
  reportOrigin: 'Reported by',
  requester: 'Ordered by',
  result: 'Results',
  role: 'Role',
  route: 'Route',
  scope: 'Scope#of a consent',
  series: 'Series',
  seriousness: 'Seriousness',
  serviceProvider: 'Organization',
  serviceType: 'Service',
  severity: 'Severity',
  site: 'Site',
  source: 'Source',
  specimen: 'Specimen',
  stage: 'Stage',
  start: 'Start',
  started: 'Started',
  status: 'Status',
  statusReason: 'Why this status',
  substance: 'Substance',
  summary: 'Summary',
  supportingInfo: 'See also',
  target: 'Target',
  telecom: 'Contact',
  timing: 'Timing',
  title: 'Title',
  type: 'Type',
  usedCode: 'Used',
  usedReference: 'Used',
  vaccineCode: 'Vaccine',
  value: 'Value',
  verificationStatus: 'Certainty',
};

/** The names of elements that mean something else in a type. */
const OF_TYPE: Readonly<Record<string, Readonly<Record<string, PlainMessage>>>> = {
  AllergyIntolerance: { code: 'Allergen' },
  Condition: { code: 'Problem' },
  DiagnosticReport: { code: 'Report', effective: 'Time of the tests' },
  Encounter: { type: 'Kind of visit', class: 'Setting', period: 'Time' },
  FamilyMemberHistory: { relationship: 'Relative', born: 'Born', age: 'Age' },
  Flag: { code: 'Alert' },
  Goal: { description: 'Goal' },
  Immunization: { occurrence: 'Given on', performer: 'Given by', status: 'Status' },
  MedicationRequest: { medication: 'Medication' },
  NutritionOrder: {
    oralDiet: 'Diet',
    excludeFoodModifier: 'Foods to leave out',
    foodPreferenceModifier: 'Foods that are preferred',
    allergyIntolerance: 'Allergies',
    orderer: 'Ordered by',
    fluidConsistencyType: 'Fluids',
    modifier: 'Texture',
    texture: 'Texture',
    enteralFormula: 'Tube feeding',
    supplement: 'Supplement',
  },
  Observation: { code: 'Test' },
  Procedure: { code: 'Procedure' },
  ServiceRequest: { code: 'Order', occurrence: 'When it is to be done', performer: 'Sent to' },
};

/** The types at the ends of the names of choices. */
const SUFFIX = new RegExp(
  `(?:${[
    'DateTime|Date|Period|Age|Range|String|Quantity|CodeableConcept|Coding|Boolean|Integer|PositiveInt|Decimal|Timing',
    'Instant|Reference|Ratio|SampledData|Time|Attachment|Uri|Canonical|Code|Duration',
  ].join('|')})$`,
);

/** `lotNumber` as `Lot number`. */
const asWords = (name: string): string =>
  capital(name.replaceAll(/[-_]/g, ' ').replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

/** The label of an element of a type, in the language of the page. */
export function elementLabel(type: string, name: string): string {
  const ofType = own(OF_TYPE, type) ?? {};
  const base = name.replace(SUFFIX, '');
  const label = own(ofType, name) ?? own(LABELS, name) ?? own(ofType, base) ?? own(LABELS, base);
  return label ? t(label) : asWords(name);
}

/** The names of extensions of people, by the ends of their addresses. */
const EXTENSIONS: Readonly<Record<string, PlainMessage>> = {
  detailed: 'In detail',
  ombCategory: 'Category',
  'patient-birthPlace': 'Place of birth',
  'patient-genderIdentity': 'Gender identity',
  text: 'In words',
  tribalAffiliation: 'Tribe',
  'us-core-birthsex': 'Sex at birth',
  'us-core-ethnicity': 'Ethnicity',
  'us-core-genderIdentity': 'Gender identity',
  'us-core-race': 'Race',
  'us-core-sex': 'Sex',
  'us-core-tribal-affiliation': 'Tribal affiliation',
};

/** The label of an extension, by the end of its address. */
export function extensionLabel(url: string): string {
  const name = url.split('/').at(-1) || url;
  const words = own(EXTENSIONS, name);
  return words ? t(words) : asWords(name);
}

/** The codes for a sex, which have no display where they are plain codes. */
const SEXES: Readonly<Record<string, PlainMessage>> = {
  '248152002': 'female',
  '248153007': 'male',
  F: 'female',
  M: 'male',
};

/** The value of an extension in words: of a code for a sex the word for it. */
export function extensionText(url: string, text: string): string {
  const sex = /\/us-core-(?:birth)?sex$/.test(url) ? own(SEXES, text) : undefined;
  return sex ? capital(t(sex)) : text;
}
