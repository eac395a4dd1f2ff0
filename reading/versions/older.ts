//! The elements of DSTU2 (<https://hl7.org/fhir/DSTU2/>) and STU3 (<https://hl7.org/fhir/STU3/>) that have one meaning in
//! R4, with their names and forms there.

import { own } from '../own.ts';
import { isObject } from '../shape.ts';
import { dosages } from './dosages.ts';
import {
  changed,
  coded,
  codesOf,
  listed,
  listOf,
  type Members,
  memberOf,
  moved,
  movedChoice,
  noted,
  objectsOf,
  oneConcept,
  recoded,
  type Step,
  type Steps,
  undone,
  within,
  without,
} from './steps.ts';

const TERMS = 'http://terminology.hl7.org/CodeSystem';

const PATIENT = moved('patient', 'subject');
const VISIT = moved('context', 'encounter', (value) =>
  isObject(value) && !('encounter' in value) ? value : undefined,
);
const NOTES: Step[] = [noted('note'), noted('notes'), listed('note')];
/** The reasons of DSTU2, each in an element of its type. */
const REASONS: Step[] = [moved('reasonCodeableConcept', 'reasonCode', listOf), listed('reasonReference')];

/** The agent of a requester of STU3. The organization stays beside it. */
const REQUESTER: Step = (members) => {
  const { requester } = members;
  if (!isObject(requester) || !isObject(requester.agent)) return members;
  const { agent, onBehalfOf } = requester;
  return { ...members, requester: agent, ...memberOf('onBehalfOf', onBehalfOf) };
};

/** A flag that means nothing if it is false. */
const NOT_DONE: Step = (members) => (members.notDone === false ? without(members, 'notDone') : members);

/** Family names of DSTU2 are a list. */
const familyNames = (name: string): Step =>
  within(
    name,
    changed('family', (value) => (Array.isArray(value) ? value.join(' ') : undefined)),
  );

/** The statuses of an allergy of DSTU2: each is a clinical status, a verification status, or both. */
const ALLERGY_STATUS: Readonly<Record<string, [clinical: string, verification: string]>> = {
  active: ['active', ''],
  unconfirmed: ['active', 'unconfirmed'],
  confirmed: ['active', 'confirmed'],
  inactive: ['inactive', ''],
  resolved: ['resolved', ''],
  refuted: ['', 'refuted'],
  'entered-in-error': ['', 'entered-in-error'],
};

function withAllergyStatus(allergy: Members): Members {
  const { status, ...others } = allergy;
  const found = typeof status === 'string' ? own(ALLERGY_STATUS, status) : undefined;
  if (!found || others.clinicalStatus !== undefined || others.verificationStatus !== undefined) return allergy;
  const [clinicalStatus, verificationStatus] = found;
  return {
    ...others,
    ...memberOf('clinicalStatus', clinicalStatus || undefined),
    ...memberOf('verificationStatus', verificationStatus || undefined),
  };
}

/** The statuses of a goal, as its lifecycle in R4 and, for some, its achievement. */
const GOAL_STATUS: Readonly<Record<string, [lifecycle: string, achievement?: string]>> = {
  proposed: ['proposed'],
  planned: ['planned'],
  accepted: ['accepted'],
  rejected: ['rejected'],
  'in-progress': ['active', 'in-progress'],
  'on-target': ['active', ''],
  'ahead-of-target': ['active', ''],
  'behind-target': ['active', ''],
  sustaining: ['active', 'sustaining'],
  achieved: ['completed', 'achieved'],
  'on-hold': ['on-hold'],
  cancelled: ['cancelled'],
  'entered-in-error': ['entered-in-error'],
};

function withGoalStatus(goal: Members): Members {
  const { status, ...others } = goal;
  const found = typeof status === 'string' ? own(GOAL_STATUS, status) : undefined;
  if (!found || others.lifecycleStatus !== undefined) return goal;
  const [lifecycleStatus, code] = found;
  // R4 has no code for some statuses, whose words stay.
  const achievement = code ? { coding: [{ system: `${TERMS}/goal-achievement`, code }] } : { text: status };
  return { ...others, lifecycleStatus, ...(code === undefined ? {} : { achievementStatus: achievement }) };
}

/** The classes of visits of DSTU2, as codes of v3 ActCode. */
const CLASSES: Readonly<Record<string, string>> = {
  inpatient: 'IMP',
  outpatient: 'AMB',
  ambulatory: 'AMB',
  emergency: 'EMER',
  home: 'HH',
  field: 'FLD',
  daytime: 'SS',
  virtual: 'VR',
};

const visitClass = (value: unknown): unknown => {
  if (typeof value !== 'string') return undefined;
  const code = own(CLASSES, value);
  return code ? { system: `${TERMS}/v3-ActCode`, code, display: value } : { display: value };
};

const numberOnly = (value: unknown): unknown => (typeof value === 'number' ? value : undefined);

/** The doses of a series of vaccinations. */
const PROTOCOL = [
  moved('doseSequence', 'doseNumberPositiveInt'),
  moved('seriesDoses', 'seriesDosesPositiveInt', numberOnly),
  moved('doseTarget', 'targetDisease', listOf),
  listed('targetDisease'),
];

function withExplanation(immunization: Members): Members {
  const { explanation, ...others } = immunization;
  if (!isObject(explanation)) return immunization;
  const { reason, reasonNotGiven } = explanation;
  return {
    ...(reason === undefined ? {} : { reasonCode: listOf(reason) }),
    ...(reasonNotGiven === undefined ? {} : { statusReason: oneConcept(reasonNotGiven) }),
    ...others,
  };
}

/** The people of an immunization, each with a function. */
const asPerformer =
  (name: string, code: string): Step =>
  (members) => {
    const { [name]: actor, ...others } = members;
    if (!isObject(actor)) return members;
    const made = { actor, function: { coding: [{ system: `${TERMS}/v2-0443`, code }] } };
    return { ...others, performer: [...listOf(others.performer), made] };
  };

/** The relations of observations that have an element of their own in R4. The others stay. */
const RELATED: Readonly<Record<string, string>> = { 'has-member': 'hasMember', 'derived-from': 'derivedFrom' };

function withRelated(observation: Members): Members {
  if (!Array.isArray(observation.related)) return observation;
  const { related, ...others } = observation;
  const left: unknown[] = [];
  const made: Members = { ...others };
  for (const one of listOf(related)) {
    const name = isObject(one) && typeof one.type === 'string' ? own(RELATED, one.type) : undefined;
    if (name && isObject(one) && isObject(one.target)) made[name] = [...listOf(made[name]), one.target];
    else left.push(one);
  }
  return left.length === listOf(related).length ? observation : { ...made, ...memberOf('related', left) };
}

function withTaken(statement: Members): Members {
  const { taken, ...others } = statement;
  if (taken === 'n') return others.status === 'entered-in-error' ? others : { ...others, status: 'not-taken' };
  return taken === 'y' ? others : statement;
}

/** Returns the actors of performers of STU3, which have roles, and of the performer of DSTU2. */
function performers(value: unknown): unknown {
  const all = listOf(value);
  const made = all.map((one) => (isObject(one) && isObject(one.actor) ? one.actor : one));
  return Array.isArray(value) && made.every((one, i) => one === all[i]) ? undefined : made;
}

const REQUEST_STATUS = recoded('status', {
  suspended: 'on-hold',
  cancelled: 'revoked',
  proposed: 'draft',
  planned: 'draft',
  requested: 'active',
  received: 'active',
  accepted: 'active',
  'in-progress': 'active',
  review: 'active',
  rejected: 'revoked',
  failed: 'revoked',
  aborted: 'revoked',
});

/** The intent of requests of DSTU2, all of which are orders. */
const ORDER: Step = (members) => ({ intent: 'order', ...members });

/** The steps of all types that become a ServiceRequest. */
const SERVICE_REQUEST: Step[] = [
  PATIENT,
  VISIT,
  REQUESTER,
  REQUEST_STATUS,
  moved('orderer', 'requester'),
  moved('orderedOn', 'authoredOn'),
  moved('date', 'authoredOn'),
  moved('dateSent', 'authoredOn'),
  moved('recipient', 'performer'),
  moved('serviceRequested', 'code', oneConcept),
  moved('type', 'category', listOf),
  listed('category'),
  moved('specialty', 'performerType'),
  moved('reason', 'reasonCode', listOf),
  ...movedChoice('scheduled', 'occurrence', 'DateTime', 'Period', 'Timing'),
  moved('fulfillmentTime', 'occurrencePeriod'),
  listed('performer'),
  noted('description'),
  ...NOTES,
  ...REASONS,
  ORDER,
  moved('item', 'code', (all) => oneConcept(objectsOf(all).flatMap(({ code }) => code ?? []))),
];

const MEDICATION_REQUEST: Step[] = [
  PATIENT,
  VISIT,
  REQUESTER,
  listed('category'),
  moved('dateWritten', 'authoredOn'),
  moved('prescriber', 'requester'),
  moved('reasonEnded', 'statusReason'),
  ...REASONS,
  ...NOTES,
  dosages('dosageInstruction'),
  within('substitution', moved('allowed', 'allowedBoolean')),
];

/** The prism of a lens, whose base is beside its amount. */
function withPrism(lens: Members): Members {
  const { prism: amount, base, ...others } = lens;
  return typeof amount === 'number' ? { ...others, prism: [{ amount, ...memberOf('base', base) }] } : lens;
}

/** The form and the ingredients of a product of DSTU2. */
function withProduct(medication: Members): Members {
  const { product, ...others } = medication;
  if (!isObject(product)) return medication;
  const parts = objectsOf(product.ingredient).map(({ item, amount, ...rest }) => ({
    ...rest,
    itemReference: item,
    ...memberOf('strength', amount),
  }));
  return { ...memberOf('form', product.form), ...memberOf('ingredient', parts), ...others };
}

/** The first author of a plan; the others have contributed to it. */
function withAuthor(plan: Members): Members {
  const { author: all, ...others } = plan;
  if (!Array.isArray(all)) return plan;
  const [author, ...contributor] = all;
  return { ...others, ...memberOf('author', author), ...memberOf('contributor', contributor) };
}

function withAccession(study: Members): Members {
  const { accession, identifier, ...others } = study;
  return isObject(accession) ? { ...others, identifier: [...listOf(identifier), accession] } : study;
}

function withOrderedItem(request: Members): Members {
  const { orderedItem, ...others } = request;
  return isObject(orderedItem) ? { ...orderedItem, ...others } : request;
}

/** The groups and the questions of a group of answers, as items. */
function itemsOf({ group, question }: Members): Members[] {
  const groups = objectsOf(group).map(({ linkId, title, text, ...inside }) => ({
    ...memberOf('linkId', linkId),
    ...memberOf('text', title ?? text),
    ...memberOf('item', itemsOf(inside)),
  }));
  const questions = objectsOf(question).map(({ linkId, text, answer }) => ({
    ...memberOf('linkId', linkId),
    ...memberOf('text', text),
    ...memberOf(
      'answer',
      objectsOf(answer).map(({ group: inside, ...one }) => ({
        ...one,
        ...memberOf('item', itemsOf({ group: inside })),
      })),
    ),
  }));
  return [...groups, ...questions];
}

/** The steps to R4, by the type in the older version. */
export const OLDER: Steps = {
  Patient: [familyNames('name'), within('contact', familyNames('name')), moved('careProvider', 'generalPractitioner')],
  Practitioner: [listed('name'), familyNames('name')],
  RelatedPerson: [listed('name'), familyNames('name'), listed('relationship')],
  AllergyIntolerance: [
    moved('substance', 'code'),
    moved('assertedDate', 'recordedDate'),
    moved('lastOccurence', 'lastOccurrence'),
    moved('reporter', 'asserter'),
    moved('onset', 'onsetDateTime', (value) => (typeof value === 'string' ? value : undefined)),
    recoded('criticality', { CRITL: 'low', CRITH: 'high', CRITU: 'unable-to-assess' }),
    listed('category'),
    withAllergyStatus,
    coded('clinicalStatus', `${TERMS}/allergyintolerance-clinical`),
    coded('verificationStatus', `${TERMS}/allergyintolerance-verification`),
    ...NOTES,
    within('reaction', ...NOTES),
  ],
  Condition: [
    PATIENT,
    VISIT,
    moved('dateRecorded', 'recordedDate'),
    moved('assertedDate', 'recordedDate'),
    listed('category'),
    listed('bodySite'),
    listed('stage'),
    within('evidence', listed('code')),
    coded('clinicalStatus', `${TERMS}/condition-clinical`),
    coded('verificationStatus', `${TERMS}/condition-ver-status`),
    ...NOTES,
  ],
  MedicationOrder: [...MEDICATION_REQUEST, ORDER],
  MedicationRequest: MEDICATION_REQUEST,
  MedicationStatement: [
    PATIENT,
    withTaken,
    undone('wasNotTaken', 'not-taken'),
    undone('notTaken', 'not-taken'),
    moved('reasonNotTaken', 'statusReason', listOf),
    moved('reasonForUseCodeableConcept', 'reasonCode', listOf),
    moved('reasonForUseReference', 'reasonReference', listOf),
    moved('supportingInformation', 'derivedFrom'),
    ...NOTES,
    dosages('dosage'),
  ],
  MedicationAdministration: [
    PATIENT,
    undone('notGiven', 'not-done'),
    undone('wasNotGiven', 'not-done'),
    moved('reasonNotGiven', 'statusReason', listOf),
    moved('reasonGiven', 'reasonCode', listOf),
    moved('prescription', 'request'),
    moved('encounter', 'context'),
    moved('practitioner', 'performer', (actor) => [{ actor }]),
    ...movedChoice('effectiveTime', 'effective', 'DateTime', 'Period'),
    ...NOTES,
    within('dosage', moved('quantity', 'dose'), moved('siteCodeableConcept', 'site')),
  ],
  MedicationDispense: [
    PATIENT,
    NOT_DONE,
    moved('dispenser', 'performer', (actor) => [{ actor }]),
    ...NOTES,
    dosages('dosageInstruction'),
  ],
  Medication: [within('ingredient', moved('amount', 'strength')), withProduct],
  Immunization: [
    moved('date', 'occurrenceDateTime', (value) => (typeof value === 'string' ? value : undefined)),
    undone('notGiven', 'not-done'),
    undone('wasNotGiven', 'not-done'),
    moved('reported', 'primarySource', (value) => (typeof value === 'boolean' ? !value : undefined)),
    withExplanation,
    asPerformer('performer', 'AP'),
    asPerformer('requester', 'OP'),
    moved('practitioner', 'performer', (all) =>
      listOf(all).map((one) =>
        isObject(one) && isObject(one.role) ? { ...without(one, 'role'), function: one.role } : one,
      ),
    ),
    moved('vaccinationProtocol', 'protocolApplied', listOf),
    within('protocolApplied', ...PROTOCOL),
    ...NOTES,
  ],
  Observation: [
    VISIT,
    listed('category'),
    listed('interpretation'),
    within('component', listed('interpretation')),
    withRelated,
    noted('comment'),
    noted('comments'),
  ],
  DiagnosticReport: [
    VISIT,
    listed('category'),
    changed('performer', performers),
    moved('codedDiagnosis', 'conclusionCode', listOf),
    moved('image', 'media'),
    moved('request', 'basedOn', listOf),
  ],
  DocumentReference: [
    moved('indexed', 'date'),
    moved('class', 'category', listOf),
    changed('docStatus', (value) => codesOf(value)[0]),
    within('context', listed('encounter')),
    moved('created', 'date'),
  ],
  Procedure: [
    PATIENT,
    VISIT,
    undone('notDone', 'not-done'),
    undone('notPerformed', 'not-done'),
    moved('notDoneReason', 'statusReason', oneConcept),
    moved('reasonNotPerformed', 'statusReason', oneConcept),
    within('performer', moved('role', 'function')),
    recoded('status', { suspended: 'on-hold', aborted: 'stopped' }),
    ...REASONS,
    ...NOTES,
  ],
  ProcedureRequest: SERVICE_REQUEST,
  ReferralRequest: SERVICE_REQUEST,
  DiagnosticOrder: SERVICE_REQUEST,
  Encounter: [
    PATIENT,
    changed('class', visitClass),
    moved('reason', 'reasonCode', (value) =>
      listOf(value).some((one) => isObject(one) && (Object.hasOwn(one, 'value') || Object.hasOwn(one, 'use')))
        ? undefined
        : listOf(value),
    ),
    moved('indication', 'reasonReference', listOf),
    moved('incomingReferral', 'basedOn', listOf),
    within('diagnosis', moved('role', 'use')),
  ],
  CarePlan: [
    PATIENT,
    VISIT,
    recoded('status', { suspended: 'on-hold', cancelled: 'revoked', proposed: 'draft' }),
    withAuthor,
    within(
      'activity',
      moved('actionResulting', 'outcomeReference', listOf),
      within('detail', moved('prohibited', 'doNotPerform'), ...REASONS),
      listed('progress'),
    ),
    moved('modified', 'created'),
    ...NOTES,
  ],
  CareTeam: [PATIENT, VISIT, within('participant', listed('role'))],
  Goal: [
    PATIENT,
    withGoalStatus,
    listed('target'),
    changed('description', (value) => (typeof value === 'string' ? { text: value } : undefined)),
    moved('targetDate', 'target', (value) => [{ dueDate: value }]),
    moved('author', 'expressedBy'),
    ...NOTES,
  ],
  Flag: [PATIENT, listed('category')],
  FamilyMemberHistory: [
    NOT_DONE,
    moved('gender', 'sex', (value) =>
      typeof value === 'string'
        ? { coding: [{ system: 'http://hl7.org/fhir/administrative-gender', code: value }] }
        : undefined,
    ),
    ...NOTES,
    within('condition', ...NOTES),
  ],
  AdverseEvent: [
    moved('category', 'actuality', (value) =>
      typeof value === 'string' ? own({ AE: 'actual', PAE: 'potential' }, value) : undefined,
    ),
    moved('type', 'event'),
    moved('reaction', 'resultingCondition', listOf),
  ],
  Appointment: [
    moved('type', 'appointmentType'),
    moved('reason', 'reasonCode', (value) =>
      listOf(value).some((one) => isObject(one) && Object.hasOwn(one, 'concept')) ? undefined : listOf(value),
    ),
    moved('indication', 'reasonReference', listOf),
    moved('incomingReferral', 'basedOn', listOf),
    within('participant', listed('type')),
  ],
  ClinicalImpression: [PATIENT, VISIT, recoded('status', { draft: 'in-progress' }), listed('investigation')],
  Communication: [
    PATIENT,
    VISIT,
    undone('notDone', 'not-done'),
    moved('notDoneReason', 'statusReason', oneConcept),
    moved('reason', 'reasonCode', (value) =>
      listOf(value).some((one) => isObject(one) && Object.hasOwn(one, 'concept')) ? undefined : listOf(value),
    ),
  ],
  CommunicationRequest: [PATIENT, VISIT, REQUESTER, REQUEST_STATUS],
  Consent: [
    moved('consentingParty', 'performer'),
    changed('policyRule', (value) => (typeof value === 'string' ? { text: value } : undefined)),
    moved('except', 'provision', (value) => ({ provision: value })),
    listed('organization'),
  ],
  DetectedIssue: [
    moved('category', 'code', (value) => (isObject(value) ? value : undefined)),
    moved('date', 'identifiedDateTime'),
  ],
  Device: [
    moved('udi', 'udiCarrier', (value) => (typeof value === 'string' ? [{ carrierHRF: value }] : listOf(value))),
    moved('model', 'modelNumber'),
    moved('expiry', 'expirationDate'),
    changed('version', (value) => (typeof value === 'string' ? [{ value }] : undefined)),
  ],
  DeviceUseStatement: [
    PATIENT,
    moved('whenUsed', 'timingPeriod'),
    moved('indication', 'reasonCode', listOf),
    moved('bodySiteCodeableConcept', 'bodySite'),
    ...NOTES,
  ],
  DeviceUseRequest: [
    PATIENT,
    VISIT,
    REQUESTER,
    REQUEST_STATUS,
    moved('device', 'codeReference'),
    moved('orderedOn', 'authoredOn'),
    moved('recordedOn', 'authoredOn'),
    moved('indication', 'reasonCode', listOf),
    ...movedChoice('timing', 'occurrence', 'DateTime', 'Period', 'Timing'),
    ...NOTES,
    ORDER,
  ],
  DeviceRequest: [VISIT, REQUESTER],
  ImagingStudy: [
    PATIENT,
    VISIT,
    moved('modalityList', 'modality'),
    moved('reason', 'reasonCode', listOf),
    withAccession,
    within(
      'series',
      changed('performer', (all) =>
        listOf(all).some((one) => isObject(one) && Object.hasOwn(one, 'actor'))
          ? undefined
          : listOf(all).map((actor) => ({ actor })),
      ),
    ),
  ],
  ImmunizationRecommendation: [
    within('recommendation', listed('vaccineCode'), moved('doseNumber', 'doseNumberPositiveInt', numberOnly)),
  ],
  List: [PATIENT, ...NOTES],
  Media: [VISIT, moved('subtype', 'modality'), ...movedChoice('occurrence', 'created', 'DateTime', 'Period')],
  Provenance: [
    within(
      'agent',
      moved('whoReference', 'who'),
      moved('actor', 'who'),
      moved('whoUri', 'who', (value) => ({ display: value })),
      moved('onBehalfOfReference', 'onBehalfOf'),
      changed('role', (value) => (isObject(value) ? [{ coding: [value] }] : undefined)),
    ),
    within(
      'entity',
      moved('whatReference', 'what'),
      moved('whatUri', 'what', (value) => ({ display: value })),
      moved('reference', 'what', (value) => (typeof value === 'string' ? { reference: value } : undefined)),
    ),
    changed('activity', (value) =>
      isObject(value) && typeof value.code === 'string' ? { coding: [value] } : undefined,
    ),
    moved('period', 'occurredPeriod'),
  ],
  QuestionnaireResponse: [
    VISIT,
    changed('questionnaire', (value) => (isObject(value) ? (value.reference ?? value.display) : undefined)),
    moved('parent', 'partOf', listOf),
    moved('group', 'item', (value) => (isObject(value) ? itemsOf(value.title ? { group: value } : value) : undefined)),
  ],
  RiskAssessment: [VISIT, ...REASONS, noted('comment')],
  SupplyRequest: [REQUESTER, withOrderedItem, moved('reasonCodeableConcept', 'reasonCode', listOf)],
  Task: [VISIT, REQUESTER, moved('reason', 'reasonCode', (value) => (isObject(value) ? value : undefined))],
  Composition: [
    moved('class', 'category', listOf),
    within(
      'attester',
      changed('mode', (value) => (Array.isArray(value) ? value[0] : undefined)),
    ),
  ],
  VisionPrescription: [moved('dispense', 'lensSpecification'), within('lensSpecification', withPrism)],
  BodySite: [moved('code', 'location'), moved('qualifier', 'locationQualifier')],
  Sequence: [],
};

/** The types that have another name in R4. */
export const OLDER_NAMES: Readonly<Record<string, string>> = {
  MedicationOrder: 'MedicationRequest',
  ProcedureRequest: 'ServiceRequest',
  ReferralRequest: 'ServiceRequest',
  DiagnosticOrder: 'ServiceRequest',
  DeviceUseRequest: 'DeviceRequest',
  BodySite: 'BodyStructure',
  Sequence: 'MolecularSequence',
};
