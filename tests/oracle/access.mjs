// Decides which resources a grant opens. A grant is
// {scopes: 'patient/*.read user/X.read ...', patient?: id, userPatients?: [ids] | 'all', fhirUser?: 'Practitioner/x',
// groups?: [ids, 'Type/id' or 'system|value'], optedOut?: [ids], open?: the scopes of everybody}.

import { once } from './data.mjs';
import { MEMBER_BY, OF_A_PATIENT, OF_EVERYONE, OF_NOBODY, OF_SEVERAL } from './further-types.mjs';
import { matches } from './match.mjs';
import { PARAMS, SERVED } from './params.mjs';
import { parseParams } from './query.mjs';
import { keyOf, readReference } from './references.mjs';
import { values } from './walk.mjs';

// --- Scopes ---

const PATIENT_WILDCARD = `
  AllergyIntolerance CarePlan CareTeam Condition Device DiagnosticReport DocumentReference Encounter Goal Immunization
  Location MedicationRequest Observation Organization Patient Practitioner PractitionerRole Procedure Provenance
  QuestionnaireResponse RelatedPerson ServiceRequest`
  .trim()
  .split(/\s+/);
// The lists of the contract, unchanged.
const WILDCARD = {
  patient: PATIENT_WILDCARD,
  user: [...PATIENT_WILDCARD, 'Group'],
  system: [...PATIENT_WILDCARD, 'Binary', 'Group', 'Medication'],
};

const SCOPE = /^(patient|user|system)\/(\*|[A-Za-z]+)\.(read|search|write|\*|(?=[cruds])c?r?u?d?s?)(?:\?(.+))?$/;

// -> {level, types, read, search, filters}, or null for scopes that open no clinical data (openid, launch, ...).
export function parseScope(text) {
  const match = SCOPE.exec(text);
  if (!match) return null;
  const [, level, resource, access, filter] = match;
  const v1 = access === 'read' || access === '*';
  return {
    level,
    types: resource === '*' ? WILDCARD[level] : [resource].filter((type) => SERVED.has(type)),
    read: v1 || (!['write', 'search'].includes(access) && access.includes('r')),
    search: v1 || (access !== 'write' && access.includes('s')),
    filters: filter === undefined ? [] : parseParams(filter),
  };
}

const parsed = new Map();
function scopesOf({ scopes, open = '' }) {
  const key = `${scopes}\n${open}`;
  if (!parsed.has(key)) {
    const [own, everybodys] = [scopes, open].map((text) => text.split(/\s+/).map(parseScope).filter(Boolean));
    parsed.set(key, [...own, ...everybodys.map((scope) => ({ ...scope, level: 'everybody' }))]);
  }
  return parsed.get(key);
}

// --- Owners ---

const EVERYONES = new Set([
  'Practitioner',
  'PractitionerRole',
  'Organization',
  'Location',
  'Medication',
  'Endpoint',
  'Questionnaire',
  ...OF_EVERYONE,
]);

// The element in which each type names its patient. A performer, author or participant counts only if this element is
// missing (PC16).
const PATIENT_ELEMENT = {
  AllergyIntolerance: 'patient',
  Binary: 'securityContext',
  CarePlan: 'subject',
  CareTeam: 'subject',
  Condition: 'subject',
  Coverage: 'beneficiary',
  Device: 'patient',
  DiagnosticReport: 'subject',
  DocumentReference: 'subject',
  Encounter: 'subject',
  Goal: 'subject',
  Immunization: 'patient',
  Media: 'subject',
  MedicationDispense: 'subject',
  MedicationRequest: 'subject',
  Observation: 'subject',
  Procedure: 'subject',
  QuestionnaireResponse: 'subject',
  RelatedPerson: 'patient',
  ServiceRequest: 'subject',
  Specimen: 'subject',
  ...OF_A_PATIENT,
};

// -> 'everyone', or the Set of the ids of the patients to whom the resource belongs (possibly empty).
export function ownerOf(resource, index, seen = new Set()) {
  const { resourceType, id } = resource;
  if (EVERYONES.has(resourceType)) return 'everyone';
  if (resourceType === 'Patient') return new Set([id]);
  if (OF_NOBODY.includes(resourceType)) return new Set();
  if (OF_SEVERAL[resourceType]) {
    const named = OF_SEVERAL[resourceType].flatMap((path) => values(resource, path));
    return jointOwners(resource, named, index, seen);
  }
  if (resourceType === 'Provenance') return jointOwners(resource, resource.target ?? [], index, seen);
  if (resourceType === 'Group') {
    return jointOwners(
      resource,
      (resource.member ?? []).map(({ entity }) => entity),
      index,
      seen,
    );
  }
  const element = PATIENT_ELEMENT[resourceType];
  if (values(resource, element).length === 0) return oneOf(membersNamed(resource));
  return new Set(
    values(resource, `${element}.reference`)
      .map((text) => readReference(text))
      .filter((found) => found?.type === 'Patient')
      .map((found) => found.id),
  );
}

const oneOf = (patients) => (patients.size === 1 ? patients : new Set());

// The patients in whose compartments a resource is by its other parameters.
function membersNamed(resource, base) {
  const { resourceType } = resource;
  const named = (MEMBER_BY[resourceType] ?? []).flatMap((name) => PARAMS[resourceType][name].facts(resource, base));
  return new Set(named.filter(({ type }) => type === 'Patient').map(({ id }) => id));
}

// Whether a resource is in the compartment of a patient. A Patient is in it only if it names the patient.
export function isMember(resource, patient, index, base) {
  const belongs = resource.resourceType !== 'Patient' && belongsTo(resource, index).has(patient);
  return belongs || membersNamed(resource, base).has(patient);
}

// The known patients to whom a resource belongs, alone or with others. No search by patient finds a Provenance of
// several patients.
function belongsTo(resource, index) {
  const owners = ownersOnce(resource, index);
  return resource.resourceType === 'Provenance' ? oneOf(owners) : patientsOf(resource, index);
}

// A Provenance belongs to the patients of all its targets, and a Group to its members, who must be patients. If one of
// them is not in the data or belongs to nobody, the resource belongs to nobody.
function jointOwners(resource, references, index, seen) {
  const nobody = new Set();
  if (seen.has(resource)) return nobody; // two Provenances that target each other
  const owners = new Set();
  for (const reference of references) {
    const found = readReference(reference?.reference);
    if (!found || (resource.resourceType === 'Group' && found.type !== 'Patient')) return nobody;
    if (EVERYONES.has(found.type)) continue;
    const target = index.byKey.get(keyOf(found));
    const theirs = target ? ownerOf(target, index, new Set([...seen, resource])) : nobody;
    if (theirs.size === 0) return nobody;
    for (const owner of theirs) owners.add(owner);
  }
  return owners;
}

// The patients whose records contain a resource: its only patient, or, for a Provenance, all known ones of its targets.
export function recordsOf(resource, index) {
  if (resource.resourceType === 'Provenance') return patientsOf(resource, index);
  const owners = ownersOnce(resource, index);
  return owners !== 'everyone' && owners.size === 1 ? owners : new Set();
}

// Whether a resource counts as part of a patient's record. A resource of several patients is part of each record.
export function isBesideOf(resource, patient, index) {
  const isJoint = resource.resourceType === 'Group' || OF_SEVERAL[resource.resourceType] !== undefined;
  return (isJoint ? patientsOf(resource, index) : recordsOf(resource, index)).has(patient);
}

// The patients that an audit names for a resource.
export const patientsOf = (resource, index) => knownPatients(resource, index, new Set());

function knownPatients(resource, index, seen) {
  if (seen.has(resource)) return new Set();
  if (resource.resourceType === 'Group') {
    const members = (resource.member ?? []).map(({ entity }) => readReference(entity?.reference));
    const isKnown = (found) => found?.type === 'Patient' && index.byKey.has(keyOf(found));
    return new Set(members.filter(isKnown).map((found) => found.id));
  }
  const several = OF_SEVERAL[resource.resourceType]?.flatMap((path) => values(resource, path));
  if (resource.resourceType !== 'Provenance' && !several) {
    const owners = ownersOnce(resource, index);
    return owners === 'everyone' ? new Set() : owners;
  }
  const targets = (several ?? resource.target ?? []).map(({ reference }) => readReference(reference)).filter(Boolean);
  const known = targets.map((found) => index.byKey.get(keyOf(found))).filter(Boolean);
  return new Set(known.flatMap((target) => [...knownPatients(target, index, new Set([...seen, resource]))]));
}

export const ownersOnce = (resource, index) => once(index, resource, () => ownerOf(resource, index));

// --- Grants ---

// Whether a scope of this level reaches the resource's patients.
function reaches(level, grant, resource, index) {
  const owners = ownersOnce(resource, index);
  const known = (patient) => patientsOf(resource, index).has(patient);
  if (level === 'system') {
    const { optedOut = [] } = grant;
    if (owners === 'everyone' || optedOut.length === 0) return true;
    // A Group only has ids, and a Binary of nobody belongs to the patients of what carries it.
    if (resource.resourceType === 'Group' && owners.size !== 1) return true;
    return !optedOut.some(known) && !(resource.resourceType === 'Binary' && owners.size === 0);
  }
  if (level === 'patient') {
    if (!grant.patient) return false; // a patient scope without a patient opens nothing
    return owners === 'everyone' || (owners.size === 1 && owners.has(grant.patient));
  }
  if (owners === 'everyone' || grant.userPatients === 'all') return true;
  return owners.size > 0 && [...owners].every((owner) => (grant.userPatients ?? []).includes(owner));
}

// Whether a reference in a resource may be to a patient, in any form.
function mayBePatient({ reference, identifier, type }, { contained = [] }) {
  if (type === 'Patient' || !reference) return type === 'Patient' || Boolean(identifier && !type);
  const inside = contained.find(({ id }) => reference === `#${id}`)?.resourceType;
  const [path, query] = reference.replace(/\/_history\/.*$/, '').split('?');
  const name = inside ?? path.split('/').at(query === undefined ? -2 : -1);
  return name === 'Patient' || !/^[A-Z][A-Za-z]+$/.test(name ?? '');
}

// Whether a resource is in the directory, or about something there and in the compartment of no patient.
function isOutside(resource, index) {
  const { resourceType, subject, author } = resource;
  if (resourceType === 'Basic' && [subject, author].some((to) => to && mayBePatient(to, resource))) return false;
  const owners = ownersOnce(resource, index);
  if (owners === 'everyone') return true;
  const about = values(resource, `${PATIENT_ELEMENT[resource.resourceType]}.reference`).map((text) =>
    readReference(text),
  );
  return owners.size + membersNamed(resource).size === 0 && about.some((found) => EVERYONES.has(found?.type));
}

// A granular scope opens the resources that match it. For a type without its parameter, it opens nothing.
function passes(filters, resource) {
  return filters.every((filter) => PARAMS[resource.resourceType][filter.name] && matches(resource, filter));
}

// The scope `fhirUser` opens only reads of the resource that describes the user.
const isOwn = (grant, { resourceType, id }) =>
  grant.fhirUser === `${resourceType}/${id}` && grant.scopes.split(/\s+/).includes('fhirUser');

// Whether a resource is none of the Groups that others than the client have: each name is that of a Group, or of who
// manages it or is a characteristic of it.
function isOfClient({ groups }, { resourceType, id, managingEntity, characteristic = [] }) {
  if (!groups || resourceType !== 'Group') return true;
  const traits = characteristic.filter(({ exclude }) => exclude !== true);
  const parties = [managingEntity, ...traits.map(({ valueReference }) => valueReference)].filter(Boolean);
  const names = parties.flatMap(({ reference, identifier }) => [
    reference,
    identifier?.system && `${identifier.system}|${identifier.value}`,
  ]);
  return [id, ...names].some((name) => groups.includes(name));
}

// interaction: 'read' or 'search'. Each scope is judged separately, at its own level. A contained resource belongs to
// the owners of its container.
export function allowed(grant, resource, interaction, index, container = resource) {
  return (
    (interaction === 'read' && isOwn(grant, resource)) ||
    scopesOf(grant).some(
      (scope) =>
        scope[interaction] &&
        scope.types.includes(resource.resourceType) &&
        passes(scope.filters, resource) &&
        isOfClient(grant, resource) &&
        (scope.level === 'everybody' ? isOutside(resource, index) : reaches(scope.level, grant, container, index)),
    )
  );
}
