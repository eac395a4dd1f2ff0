//! The elements of R5 (<https://hl7.org/fhir/R5/>) that mean the same as elements of R4 with other names or forms.

import { normalCode } from '../fhir/status-code.ts';
import { IN_PLACE } from '../fhir/text.ts';
import { own } from '../own.ts';
import { isObject, itemsOf } from '../shape.ts';
import {
  changed,
  codesOf,
  inOrder,
  listed,
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
  single,
  textOnly,
  within,
  without,
  wordsOf,
} from './steps.ts';

/** Returns whether a value is a CodeableReference: a concept, a reference, or both. */
const isEither = (value: unknown): value is Members =>
  isObject(value) && (isObject(value.concept) || (isObject(value.reference) && !Object.hasOwn(value, 'display')));

/** Writes CodeableReferences as concepts in one element and references in another. */
const parted =
  (name: string, concept: string, reference: string): Step =>
  (members) => {
    const { [name]: value } = members;
    const all = objectsOf(value);
    if (!all.some(isEither)) return members;
    const found = (part: 'concept' | 'reference'): unknown => {
      const parts = all.flatMap((one) => (isObject(one[part]) ? one[part] : []));
      return Array.isArray(value) ? parts : parts[0];
    };
    return {
      ...without(members, name),
      ...memberOf(concept, found('concept')),
      ...memberOf(reference, found('reference')),
    };
  };

const REASON = parted('reason', 'reasonCode', 'reasonReference');
const MEDICATION = parted('medication', 'medicationCodeableConcept', 'medicationReference');
const ITEM = parted('item', 'itemCodeableConcept', 'itemReference');

/** Writes CodeableReferences where R4 has one form: a concept or a reference. */
const only = (make: (value: Members) => unknown, ...names: string[]): Step =>
  inOrder(
    names.map((name) =>
      changed(name, (value) => {
        if (isEither(value)) return make(value);
        if (!Array.isArray(value) || !value.some(isEither)) return undefined;
        return value.map((one) => (isEither(one) ? make(one) : one));
      }),
    ),
  );

/** A concept; of a reference alone, its display, or an extension with it, so that its target is looked up. */
const concepts = (...names: string[]): Step =>
  only(({ concept, reference }) => concept ?? conceptFor(reference), ...names);
const conceptFor = (to: unknown): object =>
  isObject(to) && !to.display ? { extension: [{ url: IN_PLACE, valueReference: to }] } : { text: displayOf(to) };
/** A reference; of a concept alone, its words. */
const references = (...names: string[]): Step =>
  only(({ concept, reference }) => reference ?? { display: wordsOf(concept) }, ...names);

const displayOf = (reference: unknown): unknown =>
  isObject(reference) ? (reference.display ?? reference.reference) : undefined;

/** Returns several references as one, with the words of all. */
const severalAsOne = (all: unknown): unknown =>
  Array.isArray(all) ? { display: all.map(displayOf).filter(Boolean).join('; ') } : undefined;

/** A concept where R4 has a code. */
const code = (name: string, codes?: readonly string[]): Step =>
  changed(name, (value) => {
    if (!isObject(value)) return undefined;
    const found = [...codesOf(value), wordsOf(value) ?? ''].map((one) => one.toLowerCase());
    return found.find((one) => one !== '' && (!codes || codes.includes(one)));
  });

/** A concept where R4 has a coding. */
const coding = (value: unknown): unknown => {
  if (!isObject(value) || !(Object.hasOwn(value, 'coding') || Object.hasOwn(value, 'text'))) return undefined;
  return objectsOf(value.coding)[0] ?? { display: value.text };
};

/** The functions of the people who have recorded or asserted something, as elements of R4. */
const PEOPLE: Readonly<Record<string, string>> = {
  author: 'recorder',
  enterer: 'recorder',
  informant: 'asserter',
  attester: 'asserter',
  verifier: 'asserter',
};

function withPeople(members: Members): Members {
  const { participant } = members;
  const made: Members = {};
  for (const { function: role, actor } of objectsOf(participant)) {
    const name = codesOf(role).flatMap((one) => own(PEOPLE, one) ?? [])[0];
    if (name && isObject(actor) && !Object.hasOwn(members, name)) made[name] ??= actor;
  }
  return Object.keys(made).length > 0 ? { ...members, ...made } : members;
}

/** The adherence of a statement, or of the use of a device, as a status. */
const ADHERENCE: Readonly<Record<string, string>> = {
  'not-taking': 'not-taken',
  stopped: 'stopped',
  'on-hold': 'on-hold',
  never: 'not-done',
};

function withAdherence(statement: Members): Members {
  const { adherence, status } = statement;
  const code = isObject(adherence) ? adherence.code : undefined;
  // The words "not taking as directed" may be of a medication that is taken in another way.
  const codes = [
    ...codesOf(code).map((one) => normalCode(one).replace(/-(?:not-)?as-directed$/, '')),
    normalCode(wordsOf(code)).replace(/(?<!^not-taking)-as-directed$|-not-as-directed$/, ''),
  ];
  const [found] = codes.flatMap((one) => own(ADHERENCE, one) ?? []);
  if (found !== undefined && status !== 'entered-in-error')
    return found === status ? statement : { ...statement, status: found };
  // A medication of a recorded statement may be taken or not.
  return status === 'recorded' ? { ...statement, status: codes.includes('taking') ? 'active' : 'unknown' } : statement;
}

/** The decision of a consent, and its exceptions, in one provision. */
function withProvision(consent: Members): Members {
  const { decision, provision, ...others } = consent;
  const isNew = decision !== undefined || Array.isArray(provision);
  return isNew
    ? { ...others, provision: { ...memberOf('type', decision), ...memberOf('provision', provision) } }
    : consent;
}

/** The visits and the rest of what a document belongs to, in the one context of R4. */
function withContext(document: Members): Members {
  const { context, event, period, facilityType, practiceSetting, ...others } = document;
  if (isObject(context) || ![context, event, period, facilityType, practiceSetting].some(Boolean)) return document;
  const isVisit = ({ reference }: Members): boolean => /(?:^|\/)Encounter\//.test(String(reference));
  const made = {
    ...memberOf('encounter', objectsOf(context).filter(isVisit)),
    ...memberOf(
      'related',
      objectsOf(context).filter((one) => !isVisit(one)),
    ),
    ...memberOf('event', event),
    ...memberOf('period', period),
    ...memberOf('facilityType', facilityType),
    ...memberOf('practiceSetting', practiceSetting),
  };
  return { ...others, context: concepts('event')(made) };
}

/** The diagnoses of a visit, each with one condition. */
const diagnoses = (use: string): Step =>
  changed('diagnosis', (all) => {
    if (!objectsOf(all).some(({ condition }) => Array.isArray(condition))) return undefined;
    return objectsOf(all).flatMap(({ condition, use: uses, ...others }) =>
      objectsOf(condition).map((one) =>
        references('condition')({ ...others, condition: one, ...memberOf(use, oneConcept(uses)) }),
      ),
    );
  });

/** The evidence of a condition: concepts and references. */
const EVIDENCE = changed('evidence', (all) =>
  objectsOf(all).some(isEither)
    ? objectsOf(all).map(({ concept, reference, ...others }) => ({
        ...others,
        ...memberOf('code', concept && [concept]),
        ...memberOf('detail', reference && [reference]),
      }))
    : undefined,
);

/** The states of a device at or in a body, as statuses of a use. */
const ASSOCIATIONS: Readonly<Record<string, string>> = {
  implanted: 'active',
  attached: 'active',
  explanted: 'completed',
  'entered-in-error': 'entered-in-error',
};

/** The association of a device with a person, as a use of it. The words of its state stay beside the status. */
function asUse(association: Members): Members {
  const { status, ...others } = association;
  if (!isObject(status)) return association;
  const said = [...codesOf(status), wordsOf(status) ?? ''];
  const [found = 'unknown'] = said.flatMap((one) => own(ASSOCIATIONS, one.toLowerCase()) ?? []);
  return { ...others, status: found, usageStatus: status };
}

/** The condition of an order. A reason says more than that there is one. */
const NEED: Step[] = [
  moved('asNeededFor', 'asNeededCodeableConcept', oneConcept),
  (order) => (order.asNeededCodeableConcept ? order : moved('asNeeded', 'asNeededBoolean')(order)),
];

/** The number of a dose and of all doses, which are texts. */
const DOSES = [moved('doseNumber', 'doseNumberString', textOnly), moved('seriesDoses', 'seriesDosesString', textOnly)];

const PAYLOAD = within('payload', moved('contentCodeableConcept', 'contentString', wordsOf));

/** The milliseconds of the units of intervals. */
const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 };

/** The interval of a series as the period of R4, in milliseconds. */
function withPeriod(series: Members): Members {
  const { interval, intervalUnit, ...others } = series;
  const unit = own(MILLISECONDS, String(intervalUnit));
  return typeof interval === 'number' && unit !== undefined ? { ...others, period: interval * unit } : series;
}

/** The normal value of a finding, and a series, of an observation or a component. */
const MEASURED = [
  within('referenceRange', moved('normalValue', 'text', wordsOf)),
  within('valueSampledData', withPeriod),
];

/** The steps to R4, by the type in R5. */
export const R5: Steps = {
  AdverseEvent: [
    moved('resultingEffect', 'resultingCondition'),
    moved('code', 'event'),
    moved('occurrenceDateTime', 'date'),
    single('outcome'),
  ],
  AllergyIntolerance: [
    code('type', ['allergy', 'intolerance']),
    within('reaction', concepts('manifestation')),
    withPeople,
  ],
  Appointment: [
    REASON,
    concepts('serviceType'),
    moved('cancellationReason', 'cancelationReason'),
    moved('note', 'comment', textsOf),
    changed('patientInstruction', conceptTexts),
    withSubject,
  ],
  BodyStructure: [withLocation],
  CarePlan: [
    references('addresses'),
    within(
      'activity',
      parted('performedActivity', 'outcomeCodeableConcept', 'outcomeReference'),
      moved('plannedActivityReference', 'reference'),
    ),
    moved('custodian', 'author'),
  ],
  CareTeam: [REASON],
  ChargeItem: [
    parted('product', 'productCodeableConcept', 'productReference'),
    single('productCodeableConcept', 'productReference'),
  ],
  ClinicalImpression: [moved('performer', 'assessor'), within('finding', ITEM)],
  Communication: [REASON, concepts('medium'), PAYLOAD],
  CommunicationRequest: [
    REASON,
    concepts('medium'),
    PAYLOAD,
    moved('informationProvider', 'sender', (all) => itemsOf(all)[0]),
  ],
  Composition: [
    single('subject'),
    within('relatesTo', moved('type', 'code'), moved('resourceReference', 'targetReference')),
  ],
  Condition: [withPeople, EVIDENCE],
  Consent: [
    moved('subject', 'patient'),
    moved('date', 'dateTime'),
    withProvision,
    moved('grantor', 'performer'),
    moved('grantee', 'performer'),
    moved('manager', 'organization'),
    moved('regulatoryBasis', 'policyRule', oneConcept),
    single('sourceAttachment', 'sourceReference'),
  ],
  Coverage: [moved('insurer', 'payor', itemsOf)],
  DetectedIssue: [moved('subject', 'patient'), within('evidence', listed('code'))],
  Device: [
    moved('name', 'deviceName', (all) =>
      objectsOf(all).map(({ value, type, ...others }) => ({
        ...others,
        ...memberOf('name', value),
        ...memberOf('type', type),
      })),
    ),
    moved('displayName', 'deviceName', (name) => [{ name, type: 'user-friendly-name' }]),
    changed('type', (value) => (Array.isArray(value) ? oneConcept(value) : undefined)),
  ],
  DeviceAssociation: [references('device'), moved('period', 'timingPeriod'), asUse, withBodyStructure],
  DeviceDispense: [
    moved('subject', 'patient'),
    ({ device, quantity, ...others }) => ({
      ...others,
      suppliedItem: ITEM({ ...memberOf('quantity', quantity), ...memberOf('item', device) }),
    }),
    moved('whenHandedOver', 'occurrenceDateTime'),
  ],
  DeviceRequest: [
    parted('code', 'codeCodeableConcept', 'codeReference'),
    REASON,
    references('performer'),
    single('performer'),
    ...NEED,
  ],
  DeviceUsage: [
    moved('patient', 'subject'),
    references('device'),
    REASON,
    concepts('bodySite'),
    moved('dateAsserted', 'recordedOn'),
    moved('informationSource', 'source'),
    withAdherence,
  ],
  DiagnosticReport: [moved('study', 'imagingStudy'), withNotes],
  DocumentReference: [
    withContext,
    within('relatesTo', code('code')),
    within(
      'content',
      moved('profile', 'format', (all) => objectsOf(all).flatMap(({ valueCoding }) => valueCoding ?? [])[0]),
    ),
    moved('attester', 'authenticator', (all) => objectsOf(all).flatMap(({ party }) => party ?? [])[0]),
  ],
  Encounter: [
    withClasses,
    recoded('status', { completed: 'finished', discharged: 'finished', 'on-hold': 'onleave' }),
    moved('actualPeriod', 'period'),
    withPlannedTime,
    moved('admission', 'hospitalization'),
    withVisitReasons,
    diagnoses('use'),
    within('participant', moved('actor', 'individual')),
    concepts('serviceType'),
    single('serviceType'),
    within('location', moved('form', 'physicalType')),
  ],
  EpisodeOfCare: [diagnoses('role')],
  FamilyMemberHistory: [REASON],
  GenomicStudy: [
    moved('type', 'code', oneConcept),
    moved('description', 'code', (text) => ({ text })),
    noted('description'),
    recoded('status', { registered: 'preparation', available: 'completed', cancelled: 'not-done' }),
    REASON,
    moved('startDate', 'performedDateTime'),
    moved('interpreter', 'performer', (all) => objectsOf(all).map((actor) => ({ actor }))),
  ],
  Goal: [parted('outcome', 'outcomeCode', 'outcomeReference'), moved('source', 'expressedBy')],
  GuidanceResponse: [REASON],
  ImagingStudy: [
    REASON,
    parted('procedure', 'procedureCode', 'procedureReference'),
    within('series', concepts('bodySite')),
  ],
  Immunization: [
    REASON,
    concepts('informationSource'),
    moved('informationSource', 'reportOrigin', (value) => (isObject(value) && !value.reference ? value : undefined)),
    references('manufacturer'),
    within('reaction', references('manifestation'), moved('manifestation', 'detail')),
  ],
  ImmunizationEvaluation: DOSES,
  ImmunizationRecommendation: [within('recommendation', ...DOSES)],
  Medication: [
    moved('doseForm', 'form'),
    moved('marketingAuthorizationHolder', 'manufacturer'),
    within(
      'ingredient',
      ITEM,
      moved('strengthRatio', 'strength'),
      moved('strengthQuantity', 'strength', (numerator) => ({ numerator })),
    ),
  ],
  MedicationAdministration: [
    MEDICATION,
    REASON,
    ...movedChoice('occurence', 'effective', 'DateTime', 'Period'),
    ...movedChoice('occurrence', 'effective', 'DateTime', 'Period'),
    within('performer', references('actor')),
    references('device'),
    moved('isSubPotent', 'isSubpotent'),
    moved('subPotentReason', 'subpotentReason'),
  ],
  MedicationDispense: [
    MEDICATION,
    parted('notPerformedReason', 'statusReasonCodeableConcept', 'statusReasonReference'),
    moved('encounter', 'context'),
  ],
  MedicationRequest: [
    MEDICATION,
    REASON,
    moved('reported', 'reportedBoolean'),
    moved('informationSource', 'reportedReference', (all) => itemsOf(all)[0]),
    single('performer'),
  ],
  MedicationStatement: [
    MEDICATION,
    REASON,
    single('informationSource'),
    changed('informationSource', severalAsOne),
    moved('encounter', 'context'),
    withAdherence,
  ],
  MolecularSequence: [moved('subject', 'patient')],
  NutritionOrder: [
    moved('subject', 'patient'),
    within('oralDiet', changed('schedule', timings)),
    within('supplement', concepts('type'), changed('schedule', timings)),
    within('enteralFormula', concepts('baseFormulaType')),
  ],
  Observation: [withSite, ...MEASURED, within('component', ...MEASURED)],
  Procedure: [
    REASON,
    ...movedChoice('occurrence', 'performed', 'DateTime', 'Period', 'String', 'Age', 'Range'),
    parted('complication', 'complication', 'complicationDetail'),
    parted('used', 'usedCode', 'usedReference'),
    moved('reportedReference', 'asserter'),
  ],
  RequestOrchestration: [REASON],
  ResearchSubject: [moved('subject', 'individual')],
  RiskAssessment: [REASON],
  ServiceRequest: [
    concepts('code'),
    REASON,
    references('supportingInfo'),
    parted('location', 'locationCode', 'locationReference'),
    changed('patientInstruction', instructions),
    ...NEED,
    withSite,
  ],
  Specimen: [within('collection', concepts('bodySite'))],
  SupplyDelivery: [single('suppliedItem')],
  SupplyRequest: [ITEM, REASON, moved('deliverFor', 'deliverTo')],
  Task: [
    REASON,
    single('reasonCode', 'reasonReference'),
    concepts('statusReason'),
    parted('requestedPerformer', 'performerType', 'requestedPerformerReference'),
  ],
};

/** The types that have another name in R4, or one type there with the same meaning. */
export const R5_NAMES: Readonly<Record<string, string>> = {
  DeviceAssociation: 'DeviceUseStatement',
  DeviceDispense: 'SupplyDelivery',
  DeviceUsage: 'DeviceUseStatement',
  GenomicStudy: 'Procedure',
  RequestOrchestration: 'RequestGroup',
};

/** The class of a visit. Further classes are among its types. */
function withClasses(visit: Members): Members {
  const [first, ...more] = itemsOf(visit.class);
  const made = coding(first);
  const type = [...itemsOf(visit.type), ...more];
  return made === undefined ? visit : { ...visit, class: made, ...memberOf('type', type) };
}

/** The reasons of a visit, which are in groups by their use. */
function withVisitReasons(visit: Members): Members {
  const groups = objectsOf(visit.reason);
  if (!groups.some(({ value }) => objectsOf(value).some(isEither))) return visit;
  return REASON({ ...visit, reason: groups.flatMap(({ value }) => objectsOf(value)) });
}

/** The place of a device in a body, in the words of the reference to it. */
function withBodyStructure(use: Members): Members {
  const { bodyStructure, ...others } = use;
  const text = displayOf(bodyStructure);
  return text === undefined ? use : { ...others, bodySite: { text } };
}

/** The structures of a body, each with its side. The side of the only one is its qualifier. */
function withLocation(body: Members): Members {
  const { includedStructure, ...others } = body;
  const all = objectsOf(includedStructure);
  const [only, second] = all;
  if (!only) return body;
  const sides = ({ laterality, qualifier }: Members): unknown[] => [...itemsOf(laterality), ...itemsOf(qualifier)];
  if (!second)
    return { ...others, ...memberOf('location', only.structure), ...memberOf('locationQualifier', sides(only)) };
  const texts = all.map((one) => [one.structure, ...sides(one)].flatMap((part) => wordsOf(part) ?? []).join(', '));
  return { ...others, location: { text: texts.join('; ') } };
}

/** The extension of R4 for a site that a reference names. */
const SITE = 'http://hl7.org/fhir/StructureDefinition/bodySite';

/** The structure of the body that a result or an order is of, in the extension of R4. */
function withSite(result: Members): Members {
  const { bodyStructure: valueReference, extension, ...others } = result;
  return isObject(valueReference)
    ? { ...others, extension: [...itemsOf(extension), { url: SITE, valueReference }] }
    : result;
}

/** The times of a schedule. */
function timings(value: unknown): unknown {
  if (!isObject(value)) return undefined;
  const reason = wordsOf(value.asNeededFor);
  const isAsNeeded = value.asNeeded === true || reason !== undefined;
  const texts = isAsNeeded ? ['as needed', ...(reason ? [reason] : [])] : [];
  return [...itemsOf(value.timing), ...texts.map((text) => ({ code: { text } }))];
}

/** The instructions for a patient as one text. */
function instructions(value: unknown): unknown {
  if (!Array.isArray(value)) return undefined;
  const texts = objectsOf(value).flatMap(({ instructionMarkdown: text }) => (typeof text === 'string' ? text : []));
  return texts.length > 0 ? texts.join('\n') : undefined;
}

/** The notes on a report, which R4 has not, at the end of its conclusion. */
function withNotes(report: Members): Members {
  const { note, conclusion, ...others } = report;
  const text = textsOf(note);
  return text === undefined ? report : { ...others, conclusion: [...itemsOf(conclusion), text].join('\n') };
}

/** The texts of notes as one. */
function textsOf(value: unknown): unknown {
  const texts = objectsOf(value).flatMap(({ text }) => (typeof text === 'string' ? text : []));
  return texts.length > 0 ? texts.join('\n') : undefined;
}

/** An appointment with its subject as a participant, as far as it is none yet. */
function withSubject(appointment: Members): Members {
  const { subject, participant } = appointment;
  if (!isObject(subject)) return appointment;
  const isSubject = ({ actor }: Members): boolean => isObject(actor) && actor.reference === subject.reference;
  const all = objectsOf(participant);
  const others = without(appointment, 'subject');
  return all.some(isSubject) ? others : { ...others, participant: [...all, { actor: subject }] };
}

/** The planned times of a visit that has no other ones. */
function withPlannedTime(visit: Members): Members {
  const { plannedStartDate: start, plannedEndDate: end, ...others } = visit;
  if (visit.period !== undefined || (start === undefined && end === undefined)) return visit;
  return { ...others, period: { ...memberOf('start', start), ...memberOf('end', end) } };
}

/** The words of CodeableReferences as one text. */
function conceptTexts(value: unknown): unknown {
  const texts = Array.isArray(value) ? objectsOf(value).flatMap(({ concept }) => wordsOf(concept) ?? []) : [];
  return texts.length > 0 ? texts.join('\n') : undefined;
}
