//! Names of elements in words. A name that is missing from the table is split into words: `lotNumber` is `Lot number`.
//! Its translation is in the catalogue, if it has one.

import type { PlainMessage, Words } from '../language/words.ts';
import { own } from '../own.ts';
import { capital } from './text.ts';

/** The names of elements that mean the same in all types. A choice such as `onsetAge` is under its base, `onset`. */
const LABELS: Readonly<Record<string, PlainMessage>> = {
  abatement: 'Ended',
  accession: 'Accession number',
  achievementStatus: 'Achievement',
  active: 'In use',
  actor: 'Who',
  additionalInstruction: 'Further instructions',
  addresses: 'For',
  amount: 'Amount#in general',
  asserter: 'Said by',
  attachment: 'File',
  authoredOn: 'Written on',
  birthDate: 'Born',
  bodySite: 'Site',
  complicationDetail: 'Complication',
  conclusionCode: 'Conclusion',
  content: 'Content',
  contentType: 'Kind of file',
  contributedToDeath: 'Contributed to the death',
  courseOfTherapyType: 'Course of therapy',
  created: 'Created',
  custodian: 'Organization that keeps it',
  dataAbsentReason: 'Why there is no value',
  date: 'Date',
  dateAsserted: 'Said on',
  dateTime: 'Date',
  daysSupply: 'Days of supply',
  deceased: 'Deceased',
  detail: 'Detail',
  dispenseRequest: 'Supply',
  docStatus: 'Status of the document',
  doNotPerform: 'Not to be done',
  dosageInstruction: 'Dosage',
  doseAndRate: 'Dose',
  doseNumber: 'Dose',
  doseQuantity: 'Amount',
  due: 'Due',
  effective: 'Time',
  encounter: 'Visit',
  expectedSupplyDuration: 'Lasts',
  expirationDate: 'Use by',
  exposureRoute: 'Route of exposure',
  extension: 'Further facts',
  focalDevice: 'Device',
  focus: 'About',
  followUp: 'Follow-up',
  gender: 'Sex',
  hasMember: 'Parts',
  hospitalization: 'Admission and discharge',
  informationSource: 'Said by',
  initialFill: 'First supply',
  lastOccurrence: 'Last reaction',
  lifecycleStatus: 'Status',
  location: 'Place',
  lotNumber: 'Lot',
  maxDosePerPeriod: 'Most in a time',
  modifierExtension: 'Facts that change the meaning',
  numberOfRepeatsAllowed: 'Repeats allowed',
  occurrence: 'Time',
  onset: 'Onset',
  orderDetail: 'Details of the order',
  outcome: 'Outcome',
  outcomeCode: 'Outcome',
  outcomeReference: 'Outcome',
  participant: 'Taking part',
  participants: 'Taking part',
  patientInstruction: 'Instruction for the patient',
  performed: 'Done',
  performer: 'By',
  performerType: 'Kind of performer',
  policyRule: 'Rule',
  primarySource: 'Seen by who recorded it',
  priorPrescription: 'Earlier prescription',
  probability: 'Probability',
  prognosisCodeableConcept: 'Prognosis',
  programEligibility: 'Programme',
  protocolApplied: 'Protocol',
  qualitativeRisk: 'Risk',
  quantity: 'Quantity',
  reason: 'Reason',
  reasonCode: 'Reason',
  reasonReference: 'Reason',
  receivedTime: 'Received',
  recorded: 'Recorded',
  recordedDate: 'Recorded',
  recorder: 'Recorded by',
  referenceRange: 'Range',
  reportOrigin: 'Reported by',
  requester: 'Ordered by',
  result: 'Results',
  scope: 'Scope#of a consent',
  serviceProvider: 'Organization',
  serviceType: 'Service',
  source: 'Source',
  specimen: 'Specimen',
  start: 'Start',
  startDate: 'Start',
  statusDate: 'Status since',
  statusReason: 'Why this status',
  subpotentReason: 'Why it may not protect',
  supportingInfo: 'See also',
  target: 'Target',
  targetDisease: 'Protects against',
  telecom: 'Contact',
  timing: 'Timing',
  usedCode: 'Used',
  usedReference: 'Used',
  vaccineCode: 'Vaccine',
  validityPeriod: 'Valid',
  value: 'Value',
  verificationStatus: 'Certainty',
  whenHandedOver: 'Handed over',
  whenPrepared: 'Prepared',
};

/** The names of elements that have another meaning in a type. */
const OF_TYPE: Readonly<Record<string, Readonly<Record<string, PlainMessage>>>> = {
  AllergyIntolerance: { code: 'Allergen' },
  BodyStructure: { 'excludedStructure.structure': 'Excluded structure' },
  Composition: { 'section.title': 'Its sections' },
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
    'oralDiet.texture.modifier': 'Texture',
    texture: 'Texture',
    enteralFormula: 'Tube feeding',
    supplement: 'Supplement',
  },
  Observation: { code: 'Test' },
  Procedure: { code: 'Procedure' },
  Specimen: { condition: 'State of the specimen' },
  ServiceRequest: { code: 'Order', occurrence: 'When it is to be done', performer: 'Sent to' },
};

/** The types at the ends of the names of choices. */
const SUFFIX = new RegExp(
  `(?:${[
    'DateTime|Date|Period|Age|Range|String|Quantity|CodeableConcept|Coding|Boolean|Integer|PositiveInt|Decimal|Timing',
    'Instant|Reference|Ratio|SampledData|Time|Attachment|Uri|Canonical|Code|Duration',
  ].join('|')})$`,
);

/** Type suffixes of choices that mean nothing to a reader: `reportedBoolean` is `Reported`. */
const TECHNICAL =
  /(?<=[a-z])(?:CodeableConcept|Coding|Boolean|Integer|PositiveInt|Decimal|String|Reference|DateTime|Uri)$/;

/** Splits a name into words: `lotNumber` is `Lot number`. */
const asWords = (name: string): string =>
  capital(name.replaceAll(/[-_]/g, ' ').replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

/** Returns the label of an element at a path below a type: its own label, or the label of its name. */
export function pathLabel(words: Words, type: string, path: string): string {
  const label = own(own(OF_TYPE, type) ?? {}, path);
  return label ? words.t(label) : elementLabel(words, type, path.split('.').at(-1) ?? path);
}

export function elementLabel(words: Words, type: string, name: string): string {
  const ofType = own(OF_TYPE, type) ?? {};
  const base = name.replace(SUFFIX, '');
  const label = own(ofType, name) ?? own(LABELS, name) ?? own(ofType, base) ?? own(LABELS, base);
  return label ? words.t(label) : words.translated(asWords(name.replace(TECHNICAL, '')));
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

/** Returns the label of an extension, by the end of its address. */
export function extensionLabel(words: Words, url: string): string {
  const name = url.split('/').at(-1) || url;
  const label = own(EXTENSIONS, name);
  return label ? words.t(label) : asWords(name);
}

/** The codes for sex, which have no display if they are plain codes. */
const SEXES: Readonly<Record<string, PlainMessage>> = {
  '248152002': 'female',
  '248153007': 'male',
  F: 'female',
  M: 'male',
};

/** Returns the value of an extension in words: for a code for sex, its word. */
export function extensionText(words: Words, url: string, text: string): string {
  const sex = /\/us-core-(?:birth)?sex$/.test(url) ? own(SEXES, text) : undefined;
  return sex ? capital(words.t(sex)) : text;
}
