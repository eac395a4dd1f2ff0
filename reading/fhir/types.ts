//! The elements of FHIR R4 (<https://hl7.org/fhir/R4/>) that the app reads, as shapes. A resource is checked where it
//! enters, so that views can rely on its types. Elements that are missing here are not read.

import {
  anything,
  boolean,
  each,
  either,
  exactly,
  isShaped,
  list,
  number,
  object,
  oneOf,
  partial,
  type Shape,
  type ShapeValue,
  string,
} from '../shape.ts';

/** A list of primitive values: an item that has only an extension is `null`. */
const strings: Shape<(string | null)[]> = list(either(string, exactly(null)));

const coding = partial({ system: string, code: string, display: string });
export const concept = partial({ coding: list(coding), text: string });
const concepts = list(concept);
const identifier = partial({ use: string, type: concept, system: string, value: string });
const reference = partial({ reference: string, type: string, display: string, identifier });
const references = list(reference);
export const period = partial({ start: string, end: string });
/** `written` is the number with its original digits, if JavaScript would drop some: see `json.ts`. */
export const quantity = partial({ value: number, written: string, comparator: string, unit: string, code: string });
const range = partial({ low: quantity, high: quantity, text: string });
const referenceRange = partial({
  low: quantity,
  high: quantity,
  text: string,
  type: concept,
  appliesTo: concepts,
  age: range,
});
const sampledData = partial({
  origin: quantity,
  data: string,
  ...each(number, 'period', 'factor', 'lowerLimit', 'upperLimit', 'dimensions'),
});
const notes = list(partial({ text: string }));
const attachment = partial({ contentType: string, url: string, data: string, title: string });
const humanName = partial({ use: string, text: string, family: string, given: strings });
const address = partial({ use: string, line: strings, city: string, state: string, postalCode: string, period });
const performers = list(partial({ actor: reference }));

export type Coding = ShapeValue<typeof coding>;
/** The shapes of data types, for elements of any resource. */
export {
  address as addressShape,
  attachment as attachmentShape,
  coding as codingShape,
  concept as conceptShape,
  humanName as humanNameShape,
  period as periodShape,
  range as rangeShape,
  reference as referenceShape,
};

export type Concept = ShapeValue<typeof concept>;
export type Reference = ShapeValue<typeof reference>;
export type Period = ShapeValue<typeof period>;
export type Quantity = ShapeValue<typeof quantity>;
export type Range = ShapeValue<typeof range>;
export type ReferenceRange = ShapeValue<typeof referenceRange>;
export type SampledData = ShapeValue<typeof sampledData>;
export type Attachment = ShapeValue<typeof attachment>;
export type HumanName = ShapeValue<typeof humanName>;
export type Address = ShapeValue<typeof address>;

const ofResource = {
  meta: partial({ versionId: string, lastUpdated: string, profile: strings }),
  text: partial({ div: string }),
};
const anyResource = object({ resourceType: string, id: string }, ofResource);
export type Resource = ShapeValue<typeof anyResource>;

/**
 * Contained resources are read only for the name of a medication. Its form and strength, and dosages, are read
 * tolerantly (`loose.ts`): a malformed one must not make the medication unreadable.
 */
const contained = list(
  object({ resourceType: string }, { id: string, code: concept, form: anything, ingredient: anything }),
);

const ofMedication = { medicationCodeableConcept: concept, medicationReference: reference, contained };
const measured = {
  code: concept,
  valueQuantity: quantity,
  valueCodeableConcept: concept,
  valueString: string,
  valueBoolean: boolean,
  valueInteger: number,
  valueRange: range,
  valueRatio: partial({ numerator: quantity, denominator: quantity }),
  valueDateTime: string,
  valuePeriod: period,
  valueTime: string,
  valueSampledData: sampledData,
  dataAbsentReason: concept,
  interpretation: concepts,
  referenceRange: list(referenceRange),
};
const measuredPart = partial(measured);
/** A measured value: an observation, or a component of one. */
export type MeasuredValue = ShapeValue<typeof measuredPart>;

const resource = <const T extends string, O extends Record<string, Shape<unknown>>>(type: T, elements: O) =>
  object({ resourceType: oneOf(type), id: string }, { ...ofResource, ...elements });

const SHAPES = {
  Patient: resource('Patient', {
    name: list(humanName),
    deceasedBoolean: boolean,
    identifier: list(identifier),
    address: list(address),
    communication: list(partial({ language: concept, preferred: boolean })),
    generalPractitioner: references,
    multipleBirthInteger: number,
    ...each(string, 'gender', 'birthDate', 'deceasedDateTime'),
  }),
  AllergyIntolerance: resource('AllergyIntolerance', {
    category: strings,
    onsetPeriod: period,
    onsetAge: quantity,
    recorder: reference,
    asserter: reference,
    onsetRange: range,
    reaction: list(
      partial({
        substance: concept,
        manifestation: concepts,
        exposureRoute: concept,
        note: notes,
        ...each(string, 'severity', 'certainty', 'description', 'onset'),
      }),
    ),
    note: notes,
    ...each(concept, 'clinicalStatus', 'verificationStatus', 'code'),
    ...each(string, 'criticality', 'type', 'onsetDateTime', 'recordedDate', 'lastOccurrence', 'onsetString'),
  }),
  Condition: resource('Condition', {
    category: concepts,
    bodySite: concepts,
    onsetAge: quantity,
    onsetPeriod: period,
    onsetRange: range,
    abatementPeriod: period,
    abatementRange: range,
    abatementAge: quantity,
    abatementBoolean: boolean,
    recorder: reference,
    asserter: reference,
    stage: list(partial({ summary: concept, type: concept })),
    note: notes,
    ...each(concept, 'clinicalStatus', 'verificationStatus', 'code', 'severity'),
    ...each(string, 'onsetDateTime', 'onsetString', 'abatementDateTime', 'abatementString', 'recordedDate'),
  }),
  Medication: resource('Medication', { code: concept, form: anything, ingredient: anything }),
  MedicationRequest: resource('MedicationRequest', {
    ...ofMedication,
    statusReason: concept,
    reportedBoolean: boolean,
    dosageInstruction: anything,
    reasonCode: concepts,
    reasonReference: references,
    doNotPerform: boolean,
    note: notes,
    substitution: anything,
    dispenseRequest: partial({
      numberOfRepeatsAllowed: number,
      quantity,
      expectedSupplyDuration: quantity,
      validityPeriod: period,
    }),
    ...each(string, 'status', 'intent', 'authoredOn'),
    ...each(reference, 'requester', 'reportedReference', 'priorPrescription'),
  }),
  MedicationDispense: resource('MedicationDispense', {
    ...ofMedication,
    statusReasonCodeableConcept: concept,
    authorizingPrescription: references,
    quantity,
    daysSupply: quantity,
    performer: performers,
    dosageInstruction: anything,
    substitution: anything,
    note: notes,
    ...each(string, 'status', 'whenHandedOver', 'whenPrepared'),
  }),
  MedicationStatement: resource('MedicationStatement', {
    ...ofMedication,
    statusReason: concepts,
    effectivePeriod: period,
    informationSource: reference,
    reasonCode: concepts,
    note: notes,
    ...each(string, 'status', 'effectiveDateTime', 'dateAsserted'),
    ...each(anything, 'doNotPerform', 'taken', 'dosage'),
    ...each(references, 'basedOn', 'derivedFrom', 'reasonReference'),
  }),
  MedicationAdministration: resource('MedicationAdministration', {
    ...ofMedication,
    status: string,
    statusReason: concepts,
    effectiveDateTime: string,
    effectivePeriod: period,
    performer: performers,
    request: reference,
    reasonCode: concepts,
    reasonReference: references,
    note: notes,
    dosage: anything,
  }),
  Immunization: resource('Immunization', {
    primarySource: boolean,
    doseQuantity: quantity,
    reaction: list(partial({ date: string, detail: reference, reported: boolean })),
    isSubpotent: boolean,
    subpotentReason: concepts,
    performer: performers,
    note: notes,
    protocolApplied: list(
      partial({
        targetDisease: concepts,
        doseStatus: concept,
        doseStatusReason: concept,
        doseNumberPositiveInt: number,
        seriesDosesPositiveInt: number,
        ...each(string, 'series', 'doseNumberString', 'doseNumber', 'seriesDosesString', 'seriesDoses'),
      }),
    ),
    ...each(string, 'status', 'occurrenceDateTime', 'occurrenceString', 'lotNumber'),
    ...each(concept, 'statusReason', 'vaccineCode', 'site', 'route', 'reportOrigin'),
  }),
  Observation: resource('Observation', {
    performer: references,
    ...measured,
    category: concepts,
    effectivePeriod: period,
    effectiveTiming: partial({ event: strings, repeat: partial({ boundsPeriod: period }) }),
    hasMember: references,
    component: list(measuredPart),
    bodySite: concept,
    method: concept,
    // Whom or what a result is about is read in any form.
    focus: anything,
    note: notes,
    ...each(reference, 'subject', 'specimen', 'device'),
    ...each(string, 'status', 'effectiveDateTime', 'effectiveInstant', 'issued'),
  }),
  DiagnosticReport: resource('DiagnosticReport', {
    category: concepts,
    code: concept,
    effectivePeriod: period,
    conclusionCode: concepts,
    presentedForm: list(attachment),
    media: list(partial({ comment: string, link: reference })),
    ...each(string, 'status', 'effectiveDateTime', 'issued', 'conclusion'),
    ...each(references, 'performer', 'result', 'imagingStudy'),
  }),
  DocumentReference: resource('DocumentReference', {
    type: concept,
    author: references,
    content: list(partial({ attachment })),
    context: partial({ period }),
    ...each(string, 'status', 'docStatus', 'date', 'description'),
  }),
  Binary: resource('Binary', { contentType: string, data: string }),
  Procedure: resource('Procedure', {
    performedPeriod: period,
    performedAge: quantity,
    performedRange: range,
    performer: performers,
    note: notes,
    location: reference,
    ...each(string, 'status', 'performedDateTime', 'performedString'),
    ...each(concept, 'statusReason', 'code', 'outcome'),
    ...each(concepts, 'reasonCode', 'bodySite', 'complication', 'followUp'),
    ...each(references, 'reasonReference', 'complicationDetail', 'report'),
  }),
  Device: resource('Device', {
    deviceName: list(partial({ name: string })),
    type: concept,
    safety: concepts,
    ...each(string, 'status', 'manufacturer', 'manufactureDate', 'serialNumber'),
  }),
  CarePlan: resource('CarePlan', {
    category: concepts,
    period,
    addresses: references,
    author: reference,
    note: notes,
    activity: list(
      partial({
        reference,
        outcomeCodeableConcept: concepts,
        outcomeReference: references,
        detail: partial({
          code: concept,
          doNotPerform: boolean,
          scheduledPeriod: period,
          ...each(string, 'description', 'status', 'scheduledString'),
        }),
      }),
    ),
    ...each(string, 'status', 'intent', 'title', 'description'),
  }),
  Goal: resource('Goal', {
    achievementStatus: concept,
    description: concept,
    target: list(
      partial({
        dueDate: string,
        dueDuration: quantity,
        measure: concept,
        detailQuantity: quantity,
        detailString: string,
      }),
    ),
    ...each(string, 'lifecycleStatus', 'startDate', 'statusDate'),
  }),
  CareTeam: resource('CareTeam', {
    status: string,
    name: string,
    period,
    participant: list(partial({ role: concepts, member: reference, onBehalfOf: reference, period })),
  }),
  Practitioner: resource('Practitioner', { name: list(humanName) }),
  PractitionerRole: resource('PractitionerRole', { practitioner: reference }),
  Organization: resource('Organization', { name: string }),
  RelatedPerson: resource('RelatedPerson', { name: list(humanName) }),
  ServiceRequest: resource('ServiceRequest', {
    code: concept,
    occurrencePeriod: period,
    requester: reference,
    performer: references,
    reasonReference: references,
    doNotPerform: boolean,
    ...each(string, 'status', 'intent', 'authoredOn', 'occurrenceDateTime'),
    ...each(concepts, 'category', 'reasonCode', 'bodySite'),
  }),
  Encounter: resource('Encounter', {
    status: string,
    class: coding,
    type: concepts,
    period,
    reasonCode: concepts,
    reasonReference: references,
    diagnosis: list(partial({ condition: reference, use: concept })),
    participant: list(partial({ individual: reference })),
    serviceProvider: reference,
    location: list(partial({ location: reference })),
  }),
  Flag: resource('Flag', { status: string, category: concepts, code: concept, period, author: reference }),
  FamilyMemberHistory: resource('FamilyMemberHistory', {
    ageAge: quantity,
    ageRange: range,
    bornPeriod: period,
    deceasedBoolean: boolean,
    deceasedAge: quantity,
    deceasedRange: range,
    reasonCode: concepts,
    reasonReference: references,
    // Only R5 has procedures. The time of either is read in any form.
    ...each(list(partial({ code: concept, outcome: concept, contributedToDeath: boolean })), 'condition', 'procedure'),
    note: notes,
    ...each(string, 'status', 'name', 'date', 'bornDate', 'bornString', 'ageString', 'deceasedDate'),
    ...each(string, 'deceasedString'),
    ...each(concept, 'relationship', 'sex', 'dataAbsentReason'),
  }),
  QuestionnaireResponse: resource('QuestionnaireResponse', { status: string, authored: string, questionnaire: string }),
  Provenance: resource('Provenance', {
    recorded: string,
    activity: concept,
    agent: list(partial({ type: concept, who: reference, onBehalfOf: reference })),
    entity: list(partial({ role: string, what: reference })),
  }),
};

export type ResourceType = keyof typeof SHAPES;
export type ResourceOf<T extends ResourceType> = ShapeValue<(typeof SHAPES)[T]>;
export type Patient = ResourceOf<'Patient'>;
export type AllergyIntolerance = ResourceOf<'AllergyIntolerance'>;
export type Condition = ResourceOf<'Condition'>;
export type MedicationRequest = ResourceOf<'MedicationRequest'>;
export type MedicationDispense = ResourceOf<'MedicationDispense'>;
export type MedicationStatement = ResourceOf<'MedicationStatement'>;
export type MedicationAdministration = ResourceOf<'MedicationAdministration'>;
export type Immunization = ResourceOf<'Immunization'>;
export type Observation = ResourceOf<'Observation'>;
export type DiagnosticReport = ResourceOf<'DiagnosticReport'>;
export type DocumentReference = ResourceOf<'DocumentReference'>;
export type Procedure = ResourceOf<'Procedure'>;
export type Device = ResourceOf<'Device'>;
export type CarePlan = ResourceOf<'CarePlan'>;
export type Goal = ResourceOf<'Goal'>;
export type CareTeam = ResourceOf<'CareTeam'>;
export type ServiceRequest = ResourceOf<'ServiceRequest'>;
export type Encounter = ResourceOf<'Encounter'>;
export type Flag = ResourceOf<'Flag'>;
export type FamilyMemberHistory = ResourceOf<'FamilyMemberHistory'>;
export type QuestionnaireResponse = ResourceOf<'QuestionnaireResponse'>;
export type Provenance = ResourceOf<'Provenance'>;

const isKnownType = (type: string): type is ResourceType => Object.hasOwn(SHAPES, type);

/** Returns the shape of the resources of a type: its own if the app reads the type, or else that of all types. */
const shapeOf = (type: string): Shape<Resource> => (isKnownType(type) ? SHAPES[type] : anyResource);

export const resourceShape: Shape<Resource> = (value, path) =>
  anyResource(value, path) ?? (isShaped(anyResource, value) ? shapeOf(value.resourceType)(value, path) : undefined);

/** Returns whether a resource is of a type. Its elements were checked where the resource entered. */
export const isOfType = <T extends ResourceType>(type: T, resource: Resource | undefined): resource is ResourceOf<T> =>
  resource?.resourceType === type;

export const ofType = <T extends ResourceType>(type: T, resources: readonly Resource[] | undefined): ResourceOf<T>[] =>
  (resources ?? []).filter((one): one is ResourceOf<T> => isOfType(type, one));

const coded = partial({ code: concept });
/** Returns the code of a resource of any type. */
export const codeElement = (resource: unknown): Concept | undefined =>
  isShaped(coded, resource) ? resource.code : undefined;

const atVisit = partial({ encounter: reference });
const inContext = partial({ context: reference });
const inContexts = partial({ context: partial({ encounter: references }) });
/** Returns the reference of a resource of any type to the encounter of its recording. Malformed ones are ignored. */
function visitReference(resource: unknown): string | undefined {
  if (isShaped(atVisit, resource) && resource.encounter) return resource.encounter.reference;
  if (isShaped(inContext, resource) && resource.context?.reference) return resource.context.reference;
  return isShaped(inContexts, resource) ? resource.context?.encounter?.[0]?.reference : undefined;
}

/** Returns the `Encounter/id` of the encounter in which a resource was recorded. */
export const visitAddress = (resource: unknown): string | undefined =>
  /(?:^|\/)(Encounter\/[A-Za-z0-9.-]+)(?:\/_history\/[^/]+)?$/.exec(visitReference(resource) ?? '')?.[1];

/** A Bundle whose resources are not yet checked; each is checked on its own. */
export const bundle = object(
  { resourceType: oneOf('Bundle') },
  {
    total: number,
    link: list(object({ relation: string, url: string })),
    entry: list(partial({ resource: anything, search: partial({ mode: string }) })),
  },
);
export type Bundle = ShapeValue<typeof bundle>;

export const outcome = object(
  { resourceType: oneOf('OperationOutcome') },
  {
    issue: list(
      partial({
        details: partial({ text: string }),
        expression: list(string),
        ...each(string, 'severity', 'code', 'diagnostics'),
      }),
    ),
  },
);
export type Outcome = ShapeValue<typeof outcome>;
export type Issue = NonNullable<Outcome['issue']>[number];
