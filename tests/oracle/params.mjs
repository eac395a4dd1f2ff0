// The search parameters of each served type: those of the contract and of US Core, and _id and _lastUpdated for every
// type. Kinds: id, token, date, string, reference, canonical, chain. All but chains say by present(resource) whether a
// resource has an element of the parameter; :missing asks for that.

import { rangeOf } from './dates.mjs';
import { readReference } from './references.mjs';
import { address, humanName } from './strings.mjs';
import { tokenOfIdentifier, tokensOf } from './tokens.mjs';
import { extensionValues, values } from './walk.mjs';

const allOf = (paths) => (resource) => paths.flatMap((path) => values(resource, path));
const strings = (found) => found.filter((value) => typeof value === 'string');

// Whether an element says anything besides its id and its extensions.
function hasContent(element) {
  if (Array.isArray(element)) return element.some(hasContent);
  if (element === null || typeof element !== 'object') return ![undefined, null, ''].includes(element);
  return Object.entries(element).some(([name, member]) => !['id', 'extension'].includes(name) && hasContent(member));
}

const presentAt =
  (...paths) =>
  (r) =>
    allOf(paths)(r).some(hasContent);

const date = (...paths) => ({
  kind: 'date',
  facts: (r) => allOf(paths)(r).map(rangeOf).filter(Boolean),
  present: presentAt(...paths),
});
const token = (path) => ({
  kind: 'token',
  facts: (r) => values(r, path).flatMap((element) => tokensOf(element)),
  present: presentAt(path),
});
// A code-typed element carries the system that its binding implies (decision 10).
const code = (path, system) => ({
  kind: 'token',
  facts: (r) => strings(values(r, path)).flatMap((element) => tokensOf(element, system)),
  present: presentAt(path),
});
const identifier = () => ({
  kind: 'token',
  facts: (r) => values(r, 'identifier').map(tokenOfIdentifier),
  present: presentAt('identifier'),
});
const string = (...paths) => ({
  kind: 'string',
  facts: (r) => strings(allOf(paths)(r)),
  present: presentAt(...paths),
});
// A HumanName or an Address, of which the parts are searched.
const stringParts = (path, parts) => ({ ...string(...parts(path)), present: presentAt(path) });
const reference = (path, ...targets) => ({
  kind: 'reference',
  targets,
  facts: (r, base) =>
    values(r, `${path}.reference`)
      .map((text) => readReference(text, base))
      .filter((found) => found && targets.includes(found.type)),
  present: presentAt(path),
});
const canonical = (path) => ({
  kind: 'canonical',
  facts: (r) => strings(values(r, path)),
  present: presentAt(path),
});
// via: the reference parameter of the same type; to: the parameter of the type that it leads to.
const chain = (via, type, to) => ({ kind: 'chain', via, type, to });

const patient = (element) => reference(element, 'Patient');

const ASSERTED_DATE = 'http://hl7.org/fhir/StructureDefinition/condition-assertedDate';
export const assertedDate = {
  kind: 'date',
  facts: (r) => extensionValues(r, ASSERTED_DATE, 'valueDateTime').map(rangeOf).filter(Boolean),
  present: (r) => extensionValues(r, ASSERTED_DATE, 'valueDateTime').some(hasContent),
};

const isEnteredInError = (allergy) =>
  values(allergy, 'verificationStatus.coding.code').some((c) => c.toLowerCase() === 'entered-in-error');

const own = {
  AllergyIntolerance: {
    patient: patient('patient'),
    'clinical-status': { ...token('clinicalStatus'), exceptFor: isEnteredInError }, // decision 11
  },
  Binary: {},
  CarePlan: {
    patient: patient('subject'),
    category: token('category'),
    status: code('status', 'http://hl7.org/fhir/request-status'),
    date: date('period'),
  },
  CareTeam: {
    patient: patient('subject'),
    status: code('status', 'http://hl7.org/fhir/care-team-status'),
    role: token('participant.role'),
  },
  Condition: {
    patient: patient('subject'),
    category: token('category'),
    'clinical-status': { ...token('clinicalStatus'), alsoFinds: { recurrance: 'recurrence' } }, // decision 11
    code: token('code'),
    encounter: reference('encounter', 'Encounter'),
    'onset-date': date('onsetDateTime', 'onsetPeriod'),
    'asserted-date': assertedDate,
    'recorded-date': date('recordedDate'),
    'abatement-date': date('abatementDateTime', 'abatementPeriod'),
  },
  Coverage: { patient: patient('beneficiary') },
  Device: {
    patient: patient('patient'),
    type: token('type'),
    status: code('status', 'http://hl7.org/fhir/device-status'),
  },
  DiagnosticReport: {
    patient: patient('subject'),
    category: token('category'),
    code: token('code'),
    date: date('effectiveDateTime', 'effectivePeriod'),
    status: code('status', 'http://hl7.org/fhir/diagnostic-report-status'),
  },
  DocumentReference: {
    patient: patient('subject'),
    category: token('category'),
    type: token('type'),
    date: date('date'),
    period: date('context.period'),
    status: code('status', 'http://hl7.org/fhir/document-reference-status'),
  },
  Encounter: {
    patient: patient('subject'),
    identifier: identifier(),
    class: token('class'),
    type: token('type'),
    status: code('status', 'http://hl7.org/fhir/encounter-status'),
    location: reference('location.location', 'Location'),
    'discharge-disposition': token('hospitalization.dischargeDisposition'),
    date: date('period'),
  },
  Endpoint: {},
  Goal: {
    patient: patient('subject'),
    'target-date': date('target.dueDate'),
    description: token('description'), // a token in US Core: Goal.description is a CodeableConcept
    'lifecycle-status': code('lifecycleStatus', 'http://hl7.org/fhir/goal-status'),
  },
  Group: {},
  Immunization: {
    patient: patient('patient'),
    date: date('occurrenceDateTime'), // an occurrenceString is no date, even where it looks like one
    status: code('status', 'http://hl7.org/fhir/event-status'),
  },
  Location: {
    name: string('name', 'alias'),
    address: stringParts('address', address),
    'address-city': string('address.city'),
    'address-state': string('address.state'),
    'address-postalcode': string('address.postalCode'),
  },
  Media: { patient: patient('subject') },
  Medication: {},
  MedicationDispense: {
    patient: patient('subject'),
    status: code('status', 'http://terminology.hl7.org/CodeSystem/medicationdispense-status'),
    type: token('type'),
  },
  MedicationRequest: {
    patient: patient('subject'),
    intent: code('intent', 'http://hl7.org/fhir/CodeSystem/medicationrequest-intent'),
    status: code('status', 'http://hl7.org/fhir/CodeSystem/medicationrequest-status'),
    encounter: reference('encounter', 'Encounter'),
    authoredon: date('authoredOn'),
  },
  Observation: {
    patient: patient('subject'),
    category: token('category'),
    code: token('code'), // not the components' codes
    date: date('effectiveDateTime', 'effectivePeriod', 'effectiveTiming', 'effectiveInstant'),
    status: code('status', 'http://hl7.org/fhir/observation-status'),
  },
  Organization: {
    name: string('name', 'alias'),
    address: stringParts('address', address),
  },
  Patient: {
    identifier: identifier(),
    name: stringParts('name', humanName),
    family: string('name.family'),
    given: string('name.given'),
    birthdate: date('birthDate'),
    gender: code('gender', 'http://hl7.org/fhir/administrative-gender'),
    'death-date': date('deceasedDateTime'),
  },
  Practitioner: {
    identifier: identifier(),
    name: stringParts('name', humanName),
  },
  PractitionerRole: {
    specialty: token('specialty'),
    practitioner: reference('practitioner', 'Practitioner'),
    'practitioner.name': chain('practitioner', 'Practitioner', 'name'),
    'practitioner.identifier': chain('practitioner', 'Practitioner', 'identifier'),
  },
  Procedure: {
    patient: patient('subject'),
    code: token('code'),
    date: date('performedDateTime', 'performedPeriod'),
    status: code('status', 'http://hl7.org/fhir/event-status'),
  },
  Provenance: {},
  Questionnaire: {},
  QuestionnaireResponse: {
    patient: patient('subject'),
    questionnaire: canonical('questionnaire'),
    authored: date('authored'),
    status: code('status', 'http://hl7.org/fhir/questionnaire-answers-status'),
  },
  RelatedPerson: {
    patient: patient('patient'),
    name: stringParts('name', humanName),
  },
  ServiceRequest: {
    patient: patient('subject'),
    category: token('category'),
    code: token('code'),
    authored: date('authoredOn'),
    status: code('status', 'http://hl7.org/fhir/request-status'),
  },
  Specimen: { patient: patient('subject') },
};

const common = { _id: { kind: 'id', present: () => true }, _lastUpdated: date('meta.lastUpdated') };

// The facts of a resource are read once: {base: {resource: facts}}.
function remembering(param) {
  const known = new Map();
  const facts = (resource, base) => {
    if (!known.has(base)) known.set(base, new WeakMap());
    const ofBase = known.get(base);
    if (!ofBase.has(resource)) ofBase.set(resource, param.facts(resource, base));
    return ofBase.get(resource);
  };
  return param.facts ? { ...param, facts } : param;
}

export const PARAMS = Object.fromEntries(
  Object.entries(own).map(([type, params]) => [
    type,
    Object.fromEntries(Object.entries({ ...params, ...common }).map(([name, param]) => [name, remembering(param)])),
  ]),
);

// The types that the API serves (decision 13).
export const SERVED = new Set(Object.keys(PARAMS));

// _include=Type:param[:Target]: the includes of the contract. Every other reference parameter is an include too.
const named = {
  MedicationRequest: { medication: reference('medicationReference', 'Medication') },
  MedicationDispense: { medication: reference('medicationReference', 'Medication') },
  PractitionerRole: { endpoint: reference('endpoint', 'Endpoint'), practitioner: own.PractitionerRole.practitioner },
  CareTeam: {
    participant: reference(
      'participant.member',
      'PractitionerRole',
      'Practitioner',
      'Patient',
      'RelatedPerson',
      'CareTeam',
      'Organization',
    ),
  },
};

export function includeOf(type, name) {
  const found = named[type]?.[name] ?? PARAMS[type]?.[name];
  return found?.kind === 'reference' ? found : undefined;
}
