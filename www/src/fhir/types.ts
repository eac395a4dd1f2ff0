//! The elements of FHIR R4 (<https://hl7.org/fhir/R4/>) that are shown. Everything comes from outside: nothing is sure to be there.

export interface Coding {
  system?: string;
  code?: string;
  display?: string;
}
export interface Concept {
  coding?: Coding[];
  text?: string;
}
export interface Reference {
  reference?: string;
  display?: string;
  identifier?: Identifier;
}
export interface Period {
  start?: string;
  end?: string;
}
/** `written`: the number with the digits that it was sent with, where JavaScript would drop some. */
export interface Quantity {
  value?: number;
  written?: string;
  comparator?: string;
  unit?: string;
  code?: string;
}
export interface Range {
  low?: Quantity;
  high?: Quantity;
  text?: string;
}
export interface Identifier {
  use?: string;
  type?: Concept;
  system?: string;
  value?: string;
}
export interface Annotation {
  text?: string;
  time?: string;
  authorString?: string;
}
export interface Attachment {
  contentType?: string;
  url?: string;
  data?: string;
  title?: string;
  size?: number;
  creation?: string;
}
export interface HumanName {
  use?: string;
  text?: string;
  family?: string;
  given?: string[];
  prefix?: string[];
  suffix?: string[];
  period?: Period;
}
export interface Address {
  use?: string;
  line?: string[];
  city?: string;
  state?: string;
  postalCode?: string;
  country?: string;
  period?: Period;
}
export interface ContactPoint {
  system?: string;
  value?: string;
  use?: string;
}
export interface Extension {
  url?: string;
  valueCode?: string;
  valueString?: string;
  valueCoding?: Coding;
  extension?: Extension[];
}
export interface Dosage {
  text?: string;
}
export interface Narrative {
  div?: string;
  status?: string;
}

export interface Resource {
  resourceType: string;
  id: string;
  meta?: { versionId?: string; lastUpdated?: string; profile?: string[] };
  text?: Narrative;
  extension?: Extension[];
  contained?: Resource[];
}

export interface Patient extends Resource {
  name?: HumanName[];
  gender?: string;
  birthDate?: string;
  deceasedBoolean?: boolean;
  deceasedDateTime?: string;
  identifier?: Identifier[];
  address?: Address[];
  telecom?: ContactPoint[];
  communication?: { language?: Concept; preferred?: boolean }[];
  generalPractitioner?: Reference[];
  multipleBirthInteger?: number;
  active?: boolean;
}
export interface Allergy extends Resource {
  clinicalStatus?: Concept;
  verificationStatus?: Concept;
  code?: Concept;
  category?: string[];
  criticality?: string;
  type?: string;
  onsetDateTime?: string;
  onsetAge?: Quantity;
  recordedDate?: string;
  lastOccurrence?: string;
  recorder?: Reference;
  reaction?: { manifestation?: Concept[]; severity?: string; description?: string; onset?: string }[];
  note?: Annotation[];
}
export interface Condition extends Resource {
  clinicalStatus?: Concept;
  verificationStatus?: Concept;
  category?: Concept[];
  code?: Concept;
  severity?: Concept;
  bodySite?: Concept[];
  onsetDateTime?: string;
  onsetAge?: Quantity;
  onsetString?: string;
  onsetPeriod?: Period;
  abatementDateTime?: string;
  abatementString?: string;
  abatementAge?: Quantity;
  recordedDate?: string;
  recorder?: Reference;
  encounter?: Reference;
  note?: Annotation[];
}
export interface MedicationRequest extends Resource {
  status?: string;
  statusReason?: Concept;
  intent?: string;
  medicationCodeableConcept?: Concept;
  medicationReference?: Reference;
  authoredOn?: string;
  requester?: Reference;
  reportedBoolean?: boolean;
  reportedReference?: Reference;
  dosageInstruction?: Dosage[];
  reasonCode?: Concept[];
  reasonReference?: Reference[];
  category?: Concept[];
  doNotPerform?: boolean;
  note?: Annotation[];
  dispenseRequest?: { numberOfRepeatsAllowed?: number; quantity?: Quantity };
}
export interface MedicationDispense extends Resource {
  status?: string;
  statusReasonCodeableConcept?: Concept;
  medicationCodeableConcept?: Concept;
  medicationReference?: Reference;
  authorizingPrescription?: Reference[];
  quantity?: Quantity;
  daysSupply?: Quantity;
  whenHandedOver?: string;
  whenPrepared?: string;
  type?: Concept;
  performer?: { actor?: Reference }[];
}
export interface Medication extends Resource {
  code?: Concept;
}
export interface Immunization extends Resource {
  status?: string;
  statusReason?: Concept;
  vaccineCode?: Concept;
  occurrenceDateTime?: string;
  occurrenceString?: string;
  primarySource?: boolean;
  lotNumber?: string;
  site?: Concept;
  reportOrigin?: Concept;
  performer?: { actor?: Reference }[];
  note?: Annotation[];
  protocolApplied?: { doseNumberPositiveInt?: number; doseNumberString?: string }[];
}
export interface Measured {
  code?: Concept;
  valueQuantity?: Quantity;
  valueCodeableConcept?: Concept;
  valueString?: string;
  valueBoolean?: boolean;
  valueInteger?: number;
  valueRange?: Range;
  valueRatio?: { numerator?: Quantity; denominator?: Quantity };
  valueDateTime?: string;
  valuePeriod?: Period;
  valueTime?: string;
  dataAbsentReason?: Concept;
  interpretation?: Concept[];
  referenceRange?: Range[];
}
export interface Observation extends Resource, Measured {
  status?: string;
  category?: Concept[];
  effectiveDateTime?: string;
  effectivePeriod?: Period;
  effectiveInstant?: string;
  effectiveTiming?: { event?: string[] };
  issued?: string;
  performer?: Reference[];
  hasMember?: Reference[];
  derivedFrom?: Reference[];
  component?: Measured[];
  note?: Annotation[];
  bodySite?: Concept;
  specimen?: Reference;
  encounter?: Reference;
}
export interface Report extends Resource {
  status?: string;
  category?: Concept[];
  code?: Concept;
  effectiveDateTime?: string;
  effectivePeriod?: Period;
  issued?: string;
  performer?: Reference[];
  resultsInterpreter?: Reference[];
  result?: Reference[];
  conclusion?: string;
  presentedForm?: Attachment[];
  media?: { comment?: string; link?: Reference }[];
}
export interface DocumentReference extends Resource {
  status?: string;
  docStatus?: string;
  type?: Concept;
  category?: Concept[];
  date?: string;
  author?: Reference[];
  description?: string;
  content?: { attachment?: Attachment; format?: Coding }[];
  context?: { period?: Period; encounter?: Reference[] };
  relatesTo?: { code?: string; target?: Reference }[];
}
export interface Procedure extends Resource {
  status?: string;
  statusReason?: Concept;
  code?: Concept;
  performedDateTime?: string;
  performedPeriod?: Period;
  performedString?: string;
  performer?: { actor?: Reference }[];
  reasonCode?: Concept[];
  reasonReference?: Reference[];
  note?: Annotation[];
  location?: Reference;
  focalDevice?: { manipulated?: Reference }[];
}
export interface CarePlan extends Resource {
  status?: string;
  intent?: string;
  title?: string;
  description?: string;
  category?: Concept[];
  period?: Period;
  addresses?: Reference[];
  goal?: Reference[];
  author?: Reference;
  careTeam?: Reference[];
}
export interface Goal extends Resource {
  lifecycleStatus?: string;
  achievementStatus?: Concept;
  description?: Concept;
  startDate?: string;
  statusDate?: string;
  target?: { dueDate?: string; measure?: Concept; detailQuantity?: Quantity; detailString?: string }[];
}
export interface CareTeam extends Resource {
  status?: string;
  name?: string;
  period?: Period;
  participant?: { role?: Concept[]; member?: Reference; onBehalfOf?: Reference }[];
}
export interface ServiceRequest extends Resource {
  status?: string;
  intent?: string;
  category?: Concept[];
  code?: Concept;
  authoredOn?: string;
  occurrenceDateTime?: string;
  occurrencePeriod?: Period;
  requester?: Reference;
  performer?: Reference[];
  reasonCode?: Concept[];
  reasonReference?: Reference[];
  priority?: string;
  doNotPerform?: boolean;
}
export interface Encounter extends Resource {
  status?: string;
  class?: Coding;
  type?: Concept[];
  period?: Period;
  reasonCode?: Concept[];
  serviceProvider?: Reference;
  location?: { location?: Reference }[];
}
export interface Provenance extends Resource {
  target?: Reference[];
  recorded?: string;
  occurredDateTime?: string;
  activity?: Concept;
  reason?: Concept[];
  agent?: { type?: Concept; who?: Reference; onBehalfOf?: Reference }[];
  entity?: { role?: string; what?: Reference }[];
}

export interface Bundle {
  resourceType: 'Bundle';
  total?: number;
  link?: { relation: string; url: string }[];
  entry?: { fullUrl?: string; resource?: Resource; search?: { mode?: string } }[];
}
export interface Issue {
  severity?: string;
  code?: string;
  details?: { text?: string };
  diagnostics?: string;
  expression?: string[];
}
export interface Outcome {
  resourceType: 'OperationOutcome';
  issue?: Issue[];
}
