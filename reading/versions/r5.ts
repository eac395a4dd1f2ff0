//! The elements of R5 (<https://hl7.org/fhir/R5/>) that mean the same as elements of R4 with other names or forms.

import { valueText } from '../fhir/element-text.ts';
import { normalCode } from '../fhir/status-code.ts';
import { IN_PLACE } from '../fhir/text.ts';
import { ENGLISH } from '../language/words.ts';
import { own } from '../own.ts';
import { isObject, itemsOf } from '../shape.ts';
import * as step from './steps.ts';

/** Returns whether a value is a CodeableReference: a concept, a reference, or both. */
const isEither = (value: unknown): value is step.Members =>
  isObject(value) && (isObject(value.concept) || (isObject(value.reference) && !Object.hasOwn(value, 'display')));

/** Writes CodeableReferences as concepts in one element and references in another. */
const parted =
  (name: string, concept: string, reference: string): step.Step =>
  (members) => {
    const { [name]: value } = members;
    const all = step.objectsOf(value);
    if (!all.some(isEither)) return members;
    const found = (part: 'concept' | 'reference'): unknown => {
      const parts = all.flatMap((one) => (isObject(one[part]) ? one[part] : []));
      return Array.isArray(value) ? parts : parts[0];
    };
    return {
      ...step.without(members, name),
      ...step.memberOf(concept, found('concept')),
      ...step.memberOf(reference, found('reference')),
    };
  };

const REASON = parted('reason', 'reasonCode', 'reasonReference');
const MEDICATION = parted('medication', 'medicationCodeableConcept', 'medicationReference');
const ITEM = parted('item', 'itemCodeableConcept', 'itemReference');

/** Writes CodeableReferences where R4 has one form: a concept or a reference. */
const only = (make: (value: step.Members) => unknown, ...names: string[]): step.Step =>
  step.inOrder(
    names.map((name) =>
      step.changed(name, (value) => {
        if (isEither(value)) return make(value);
        if (!Array.isArray(value) || !value.some(isEither)) return undefined;
        return value.map((one) => (isEither(one) ? make(one) : one));
      }),
    ),
  );

/** A concept; of a reference alone, its display, or an extension with it, so that its target is looked up. */
const concepts = (...names: string[]): step.Step =>
  only(({ concept, reference }) => concept ?? conceptFor(reference), ...names);
const conceptFor = (to: unknown): object =>
  isObject(to) && !to.display ? { extension: [{ url: IN_PLACE, valueReference: to }] } : { text: displayOf(to) };
/** A reference; of a concept alone, its words. */
const references = (...names: string[]): step.Step =>
  only(({ concept, reference }) => reference ?? { display: step.wordsOf(concept) }, ...names);

const displayOf = (reference: unknown): unknown =>
  isObject(reference) ? (reference.display ?? reference.reference) : undefined;

/** Returns several references as one, with the words of all. */
const severalAsOne = (all: unknown): unknown =>
  Array.isArray(all) ? { display: all.map(displayOf).filter(Boolean).join('; ') } : undefined;

/** A concept where R4 has a code. */
const code = (name: string, codes?: readonly string[]): step.Step =>
  step.changed(name, (value) => {
    if (!isObject(value)) return undefined;
    const found = [...step.codesOf(value), step.wordsOf(value) ?? ''].map((one) => one.toLowerCase());
    return found.find((one) => one !== '' && (!codes || codes.includes(one)));
  });

/** A concept where R4 has a coding. */
const coding = (value: unknown): unknown => {
  if (!isObject(value) || !(Object.hasOwn(value, 'coding') || Object.hasOwn(value, 'text'))) return undefined;
  return step.objectsOf(value.coding)[0] ?? { display: value.text };
};

/** The functions of the people who have recorded or asserted something, as elements of R4. */
const PEOPLE: Readonly<Record<string, string>> = {
  author: 'recorder',
  enterer: 'recorder',
  informant: 'asserter',
  attester: 'asserter',
  verifier: 'asserter',
};

function withPeople(members: step.Members): step.Members {
  const { participant } = members;
  const made: step.Members = {};
  for (const { function: role, actor } of step.objectsOf(participant)) {
    const name = step.codesOf(role).flatMap((one) => own(PEOPLE, one) ?? [])[0];
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

function withAdherence(statement: step.Members): step.Members {
  const { adherence, status } = statement;
  const code = isObject(adherence) ? adherence.code : undefined;
  // The words "not taking as directed" may be of a medication that is taken in another way.
  const codes = [
    ...step.codesOf(code).map((one) => normalCode(one).replace(/-(?:not-)?as-directed$/, '')),
    normalCode(step.wordsOf(code)).replace(/(?<!^not-taking)-as-directed$|-not-as-directed$/, ''),
  ];
  const [found] = codes.flatMap((one) => own(ADHERENCE, one) ?? []);
  if (found !== undefined && status !== 'entered-in-error')
    return found === status ? statement : { ...statement, status: found };
  // A medication of a recorded statement may be taken or not.
  return status === 'recorded' ? { ...statement, status: codes.includes('taking') ? 'active' : 'unknown' } : statement;
}

/** The decision of a consent, and its exceptions, in one provision. */
function withProvision(consent: step.Members): step.Members {
  const { decision, provision, ...others } = consent;
  const isNew = decision !== undefined || Array.isArray(provision);
  return isNew
    ? { ...others, provision: { ...step.memberOf('type', decision), ...step.memberOf('provision', provision) } }
    : consent;
}

/** The visits and the rest of what a document belongs to, in the one context of R4. */
function withContext(document: step.Members): step.Members {
  const { context, event, period, facilityType, practiceSetting, ...others } = document;
  if (isObject(context) || ![context, event, period, facilityType, practiceSetting].some(Boolean)) return document;
  const isVisit = ({ reference }: step.Members): boolean => /(?:^|\/)Encounter\//.test(String(reference));
  const made = {
    ...step.memberOf('encounter', step.objectsOf(context).filter(isVisit)),
    ...step.memberOf(
      'related',
      step.objectsOf(context).filter((one) => !isVisit(one)),
    ),
    ...step.memberOf('event', event),
    ...step.memberOf('period', period),
    ...step.memberOf('facilityType', facilityType),
    ...step.memberOf('practiceSetting', practiceSetting),
  };
  return { ...others, context: concepts('event')(made) };
}

/** The diagnoses of a visit, each with one condition. */
const diagnoses = (use: string): step.Step =>
  step.changed('diagnosis', (all) => {
    if (!step.objectsOf(all).some(({ condition }) => Array.isArray(condition))) return undefined;
    return step
      .objectsOf(all)
      .flatMap(({ condition, use: uses, ...others }) =>
        step
          .objectsOf(condition)
          .map((one) =>
            references('condition')({ ...others, condition: one, ...step.memberOf(use, step.oneConcept(uses)) }),
          ),
      );
  });

/** The evidence of a condition: concepts and references. */
const EVIDENCE = step.changed('evidence', (all) =>
  step.objectsOf(all).some(isEither)
    ? step.objectsOf(all).map(({ concept, reference, ...others }) => ({
        ...others,
        ...step.memberOf('code', concept && [concept]),
        ...step.memberOf('detail', reference && [reference]),
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
function asUse(association: step.Members): step.Members {
  const { status, ...others } = association;
  if (!isObject(status)) return association;
  const said = [...step.codesOf(status), step.wordsOf(status) ?? ''];
  const [found = 'unknown'] = said.flatMap((one) => own(ASSOCIATIONS, one.toLowerCase()) ?? []);
  return { ...others, status: found, usageStatus: status };
}

/** The condition of an order. A reason says more than that there is one. */
const NEED: step.Step[] = [
  step.moved('asNeededFor', 'asNeededCodeableConcept', step.oneConcept),
  (order) => (order.asNeededCodeableConcept ? order : step.moved('asNeeded', 'asNeededBoolean')(order)),
];

/** The parameters of the details of an order, in words. */
const DETAILS = step.within('orderDetail', (detail) => {
  const texts = step.objectsOf(detail.parameter).map((one) => {
    const [value] = Object.entries(one).flatMap(([name, of]) => (name.startsWith('value') ? of : []));
    return [step.wordsOf(one.code), valueText(ENGLISH, value)].filter(Boolean).join(': ');
  });
  return texts.length > 0 ? { text: texts.join('; ') } : detail;
});

/** The number of a dose and of all doses, which are texts. */
const DOSES = [
  step.moved('doseNumber', 'doseNumberString', step.textOnly),
  step.moved('seriesDoses', 'seriesDosesString', step.textOnly),
];

const PAYLOAD = step.within('payload', step.moved('contentCodeableConcept', 'contentString', step.wordsOf));

/** The milliseconds of the units of intervals. */
const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 };

/** The interval of a series as the period of R4, in milliseconds. */
function withPeriod(series: step.Members): step.Members {
  const { interval, intervalUnit, ...others } = series;
  const unit = own(MILLISECONDS, String(intervalUnit));
  return typeof interval === 'number' && unit !== undefined ? { ...others, period: interval * unit } : series;
}

/** The normal value of a finding, and a series, of an observation or a component. */
const MEASURED = [
  step.within('referenceRange', step.moved('normalValue', 'text', step.wordsOf)),
  step.within('valueSampledData', withPeriod),
];

/** Reads the coverage of participants as their period. A single role alone may be of STU3 too. */
function teamOf(team: step.Members): step.Members {
  const made = step.appliedTo(team, [REASON, step.within('participant', step.moved('coveragePeriod', 'period'))]);
  return made === team ? team : step.within('participant', step.listed('role'))(made);
}

/** The steps to R4, by the type in R5. */
export const R5: step.Steps = {
  AdverseEvent: [
    step.moved('resultingEffect', 'resultingCondition'),
    step.moved('code', 'event'),
    step.moved('occurrenceDateTime', 'date'),
    step.single('outcome'),
  ],
  AllergyIntolerance: [
    code('type', ['allergy', 'intolerance']),
    step.within('reaction', concepts('manifestation')),
    withPeople,
  ],
  Appointment: [
    REASON,
    concepts('serviceType'),
    step.moved('cancellationReason', 'cancelationReason'),
    step.moved('note', 'comment', textsOf),
    step.changed('patientInstruction', conceptTexts),
    withSubject,
  ],
  BodyStructure: [withLocation],
  CarePlan: [
    references('addresses'),
    step.within(
      'activity',
      parted('performedActivity', 'outcomeCodeableConcept', 'outcomeReference'),
      step.moved('plannedActivityReference', 'reference'),
    ),
    step.moved('custodian', 'author'),
  ],
  CareTeam: [teamOf],
  ChargeItem: [
    parted('product', 'productCodeableConcept', 'productReference'),
    step.single('productCodeableConcept', 'productReference'),
  ],
  ClinicalImpression: [step.moved('performer', 'assessor'), step.within('finding', ITEM)],
  Communication: [REASON, concepts('medium'), PAYLOAD],
  CommunicationRequest: [
    REASON,
    concepts('medium'),
    PAYLOAD,
    step.moved('informationProvider', 'sender', (all) => itemsOf(all)[0]),
  ],
  Composition: [
    step.single('subject'),
    step.within('relatesTo', step.moved('type', 'code'), step.moved('resourceReference', 'targetReference')),
  ],
  Condition: [withPeople, EVIDENCE],
  Consent: [
    step.moved('subject', 'patient'),
    step.moved('date', 'dateTime'),
    withProvision,
    step.moved('grantor', 'performer'),
    step.moved('grantee', 'performer'),
    step.moved('manager', 'organization'),
    step.moved('regulatoryBasis', 'policyRule', step.oneConcept),
    step.single('sourceAttachment', 'sourceReference'),
  ],
  Coverage: [step.moved('insurer', 'payor', itemsOf)],
  DetectedIssue: [step.moved('subject', 'patient'), step.within('evidence', step.listed('code'))],
  Device: [
    step.moved('name', 'deviceName', (all) =>
      step.objectsOf(all).map(({ value, type, ...others }) => ({
        ...others,
        ...step.memberOf('name', value),
        ...step.memberOf('type', type),
      })),
    ),
    step.moved('displayName', 'deviceName', (name) => [{ name, type: 'user-friendly-name' }]),
    step.changed('type', (value) => (Array.isArray(value) ? step.oneConcept(value) : undefined)),
  ],
  DeviceAssociation: [references('device'), step.moved('period', 'timingPeriod'), asUse, withBodyStructure],
  DeviceDispense: [
    step.moved('subject', 'patient'),
    ({ device, quantity, ...others }) => ({
      ...others,
      suppliedItem: ITEM({ ...step.memberOf('quantity', quantity), ...step.memberOf('item', device) }),
    }),
    step.moved('whenHandedOver', 'occurrenceDateTime'),
  ],
  DeviceRequest: [
    parted('code', 'codeCodeableConcept', 'codeReference'),
    REASON,
    references('performer'),
    step.single('performer'),
    ...NEED,
  ],
  DeviceUsage: [
    step.moved('patient', 'subject'),
    references('device'),
    REASON,
    concepts('bodySite'),
    step.moved('dateAsserted', 'recordedOn'),
    step.moved('informationSource', 'source'),
    withAdherence,
  ],
  DiagnosticReport: [step.moved('study', 'imagingStudy'), withNotes],
  DocumentReference: [
    withContext,
    step.within('relatesTo', code('code')),
    step.within(
      'content',
      step.moved('profile', 'format', (all) => step.objectsOf(all).flatMap(({ valueCoding }) => valueCoding ?? [])[0]),
    ),
    step.moved('attester', 'authenticator', (all) => step.objectsOf(all).flatMap(({ party }) => party ?? [])[0]),
  ],
  Encounter: [
    withClasses,
    step.recoded('status', { completed: 'finished', discharged: 'finished', 'on-hold': 'onleave' }),
    step.moved('actualPeriod', 'period'),
    withPlannedTime,
    step.moved('admission', 'hospitalization'),
    withVisitReasons,
    diagnoses('use'),
    step.within('participant', step.moved('actor', 'individual')),
    concepts('serviceType'),
    step.single('serviceType'),
    step.within('location', step.moved('form', 'physicalType')),
  ],
  EpisodeOfCare: [diagnoses('role')],
  FamilyMemberHistory: [REASON],
  GenomicStudy: [
    step.moved('type', 'code', step.oneConcept),
    step.moved('description', 'code', (text) => ({ text })),
    step.noted('description'),
    step.recoded('status', { registered: 'preparation', available: 'completed', cancelled: 'not-done' }),
    REASON,
    step.moved('startDate', 'performedDateTime'),
    step.moved('interpreter', 'performer', (all) => step.objectsOf(all).map((actor) => ({ actor }))),
  ],
  Goal: [parted('outcome', 'outcomeCode', 'outcomeReference'), step.moved('source', 'expressedBy')],
  GuidanceResponse: [REASON],
  ImagingStudy: [
    REASON,
    parted('procedure', 'procedureCode', 'procedureReference'),
    step.within('series', concepts('bodySite')),
  ],
  Immunization: [
    REASON,
    concepts('informationSource'),
    step.moved('informationSource', 'reportOrigin', (value) =>
      isObject(value) && !value.reference ? value : undefined,
    ),
    references('manufacturer'),
    step.within('reaction', references('manifestation'), step.moved('manifestation', 'detail')),
  ],
  ImmunizationEvaluation: DOSES,
  ImmunizationRecommendation: [step.within('recommendation', ...DOSES)],
  Medication: [
    step.moved('doseForm', 'form'),
    step.moved('marketingAuthorizationHolder', 'manufacturer'),
    step.within(
      'ingredient',
      ITEM,
      step.moved('strengthRatio', 'strength'),
      step.moved('strengthQuantity', 'strength', (numerator) => ({ numerator })),
    ),
  ],
  MedicationAdministration: [
    MEDICATION,
    REASON,
    ...step.movedChoice('occurence', 'effective', 'DateTime', 'Period'),
    ...step.movedChoice('occurrence', 'effective', 'DateTime', 'Period'),
    step.within('performer', references('actor')),
    references('device'),
    step.moved('isSubPotent', 'isSubpotent'),
    step.moved('subPotentReason', 'subpotentReason'),
  ],
  MedicationDispense: [
    MEDICATION,
    parted('notPerformedReason', 'statusReasonCodeableConcept', 'statusReasonReference'),
    step.moved('encounter', 'context'),
  ],
  MedicationRequest: [
    MEDICATION,
    REASON,
    step.moved('reported', 'reportedBoolean'),
    step.moved('informationSource', 'reportedReference', (all) => itemsOf(all)[0]),
    step.single('performer'),
  ],
  MedicationStatement: [
    MEDICATION,
    REASON,
    step.single('informationSource'),
    step.changed('informationSource', severalAsOne),
    step.moved('encounter', 'context'),
    withAdherence,
  ],
  MolecularSequence: [step.moved('subject', 'patient')],
  NutritionOrder: [
    step.moved('subject', 'patient'),
    step.within('oralDiet', step.changed('schedule', timings)),
    step.within('supplement', concepts('type'), step.changed('schedule', timings)),
    step.within('enteralFormula', concepts('baseFormulaType')),
  ],
  Observation: [withSite, ...MEASURED, step.within('component', ...MEASURED)],
  Procedure: [
    REASON,
    ...step.movedChoice('occurrence', 'performed', 'DateTime', 'Period', 'String', 'Age', 'Range'),
    parted('complication', 'complication', 'complicationDetail'),
    parted('used', 'usedCode', 'usedReference'),
    step.moved('reportedReference', 'asserter'),
  ],
  RequestOrchestration: [REASON],
  ResearchSubject: [step.moved('subject', 'individual')],
  RiskAssessment: [REASON],
  ServiceRequest: [
    concepts('code'),
    DETAILS,
    REASON,
    references('supportingInfo'),
    parted('location', 'locationCode', 'locationReference'),
    step.changed('patientInstruction', instructions),
    ...NEED,
    withSite,
  ],
  Specimen: [step.within('collection', concepts('bodySite'))],
  SupplyDelivery: [step.single('suppliedItem')],
  SupplyRequest: [ITEM, REASON, step.moved('deliverFor', 'deliverTo')],
  Task: [
    REASON,
    step.single('reasonCode', 'reasonReference'),
    concepts('statusReason'),
    parted('requestedPerformer', 'performerType', 'requestedPerformerReference'),
    step.moved('requestedPeriod', 'restriction', (period) => ({ period })),
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
function withClasses(visit: step.Members): step.Members {
  const [first, ...more] = itemsOf(visit.class);
  const made = coding(first);
  const type = [...itemsOf(visit.type), ...more];
  return made === undefined ? visit : { ...visit, class: made, ...step.memberOf('type', type) };
}

/** The reasons of a visit, which are in groups by their use. */
function withVisitReasons(visit: step.Members): step.Members {
  const groups = step.objectsOf(visit.reason);
  if (!groups.some(({ value }) => step.objectsOf(value).some(isEither))) return visit;
  return REASON({ ...visit, reason: groups.flatMap(({ value }) => step.objectsOf(value)) });
}

/** The place of a device in a body, in the words of the reference to it. */
function withBodyStructure(use: step.Members): step.Members {
  const { bodyStructure, ...others } = use;
  const text = displayOf(bodyStructure);
  return text === undefined ? use : { ...others, bodySite: { text } };
}

/** The structures of a body, each with its side. The side of the only one is its qualifier. */
function withLocation(body: step.Members): step.Members {
  const { includedStructure, ...others } = body;
  const all = step.objectsOf(includedStructure);
  const [only, second] = all;
  if (!only) return body;
  const sides = ({ laterality, qualifier }: step.Members): unknown[] => [...itemsOf(laterality), ...itemsOf(qualifier)];
  if (!second)
    return {
      ...others,
      ...step.memberOf('location', only.structure),
      ...step.memberOf('locationQualifier', sides(only)),
    };
  const texts = all.map((one) => [one.structure, ...sides(one)].flatMap((part) => step.wordsOf(part) ?? []).join(', '));
  return { ...others, location: { text: texts.join('; ') } };
}

/** The extension of R4 for a site that a reference names. */
const SITE = 'http://hl7.org/fhir/StructureDefinition/bodySite';

/** The structure of the body that a result or an order is of, in the extension of R4. */
function withSite(result: step.Members): step.Members {
  const { bodyStructure: valueReference, extension, ...others } = result;
  return isObject(valueReference)
    ? { ...others, extension: [...itemsOf(extension), { url: SITE, valueReference }] }
    : result;
}

/** The times of a schedule. */
function timings(value: unknown): unknown {
  if (!isObject(value)) return undefined;
  const reason = step.wordsOf(value.asNeededFor);
  const isAsNeeded = value.asNeeded === true || reason !== undefined;
  const texts = isAsNeeded ? ['as needed', ...(reason ? [reason] : [])] : [];
  return [...itemsOf(value.timing), ...texts.map((text) => ({ code: { text } }))];
}

/** The instructions for a patient as one text. */
function instructions(value: unknown): unknown {
  if (!Array.isArray(value)) return undefined;
  const texts = step
    .objectsOf(value)
    .flatMap(({ instructionMarkdown: text }) => (typeof text === 'string' ? text : []));
  return texts.length > 0 ? texts.join('\n') : undefined;
}

/** The notes on a report, which R4 has not, at the end of its conclusion. */
function withNotes(report: step.Members): step.Members {
  const { note, conclusion, ...others } = report;
  const text = textsOf(note);
  return text === undefined ? report : { ...others, conclusion: [...itemsOf(conclusion), text].join('\n') };
}

/** The texts of notes as one. */
function textsOf(value: unknown): unknown {
  const texts = step.objectsOf(value).flatMap(({ text }) => (typeof text === 'string' ? text : []));
  return texts.length > 0 ? texts.join('\n') : undefined;
}

/** An appointment with its subject as a participant, as far as it is none yet. */
function withSubject(appointment: step.Members): step.Members {
  const { subject, participant } = appointment;
  if (!isObject(subject)) return appointment;
  const isSubject = ({ actor }: step.Members): boolean => isObject(actor) && actor.reference === subject.reference;
  const all = step.objectsOf(participant);
  const others = step.without(appointment, 'subject');
  return all.some(isSubject) ? others : { ...others, participant: [...all, { actor: subject }] };
}

/** The planned times of a visit that has no other ones. */
function withPlannedTime(visit: step.Members): step.Members {
  const { plannedStartDate: start, plannedEndDate: end, ...others } = visit;
  if (visit.period !== undefined || (start === undefined && end === undefined)) return visit;
  return { ...others, period: { ...step.memberOf('start', start), ...step.memberOf('end', end) } };
}

/** The words of CodeableReferences as one text. */
function conceptTexts(value: unknown): unknown {
  const texts = Array.isArray(value) ? step.objectsOf(value).flatMap(({ concept }) => step.wordsOf(concept) ?? []) : [];
  return texts.length > 0 ? texts.join('\n') : undefined;
}
