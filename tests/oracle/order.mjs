// The order of matches: newest first by the type's own clinical date, undated last, then id ascending
// (docs/decisions/search.md#default-order), or the order of _sort (docs/decisions/search.md#sort-order).

import { rangeOf } from './dates.mjs';
import { compareDecimals } from './decimals.mjs';
import { DATES } from './further-types.mjs';
import { assertedDate, PARAMS } from './params.mjs';
import { inBaseUnits } from './quantities.mjs';
import { keyOf } from './references.mjs';
import { fold } from './strings.mjs';
import { values } from './walk.mjs';

const element =
  (...paths) =>
  (resource) =>
    paths
      .flatMap((path) => values(resource, path))
      .map(rangeOf)
      .filter(Boolean);

// The elements in the order in which they are read. The first element with a date decides.
const effectiveThenIssued = [
  element('effectiveDateTime', 'effectivePeriod', 'effectiveTiming', 'effectiveInstant'),
  element('issued'),
];
const period = [element('period')];
const authoredOn = [element('authoredOn')];
const onset = element('onsetDateTime', 'onsetPeriod');
const CLINICAL_DATE = {
  Observation: effectiveThenIssued,
  DiagnosticReport: effectiveThenIssued,
  Condition: [onset, assertedDate.facts, element('recordedDate')],
  AllergyIntolerance: [onset, element('recordedDate')],
  Procedure: [element('performedDateTime', 'performedPeriod')],
  Immunization: [element('occurrenceDateTime')],
  MedicationRequest: authoredOn,
  ServiceRequest: authoredOn,
  MedicationDispense: [element('whenHandedOver'), element('whenPrepared')],
  DocumentReference: [element('date'), element('context.period')],
  Encounter: period,
  CarePlan: period,
  CareTeam: period,
  Coverage: period,
  Goal: [element('startDate'), element('statusDate')],
  Provenance: [element('recorded')],
  QuestionnaireResponse: [element('authored')],
  ...Object.fromEntries(Object.entries(DATES).map(([type, dates]) => [type, dates.map((paths) => element(...paths))])),
};
const LAST_UPDATED = [element('meta.lastUpdated')];

// The sort place of the clinical date, or null: its start, or the last microsecond of a range that has only an end.
function clinicalPlace(resource) {
  for (const rangesOf of CLINICAL_DATE[resource.resourceType] ?? LAST_UPDATED) {
    const ranges = rangesOf(resource);
    if (ranges.length > 0) return placeOf(ranges[0]);
  }
  return null;
}

const placeOf = (range) => (range.from === -Infinity ? range.until - 1n : range.from);

// ids are ASCII, so JavaScript's order of text is the order of code points.
const compare = (a, b) => (a.mantissa !== undefined ? compareDecimals(a, b) : a < b ? -1 : a > b ? 1 : 0);

// Compares keys. null is last in both directions.
function compareKeys(a, b, descending) {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return descending ? compare(b, a) : compare(a, b);
}

// The parameter for the element that the default order reads first, for the types that have one.
const CLINICAL_NAME = {
  Observation: 'date',
  DiagnosticReport: 'date',
  Condition: 'onset-date',
  Procedure: 'date',
  Immunization: 'date',
  MedicationRequest: 'authoredon',
  ServiceRequest: 'authored',
  DocumentReference: 'date',
  Encounter: 'date',
  CarePlan: 'date',
  QuestionnaireResponse: 'authored',
};

// Whether a _sort equals the default order: newest first by the clinical date, if it has no second choice.
function isDefault(type, sort) {
  if (CLINICAL_DATE[type]?.length > 1) return false;
  const name = CLINICAL_DATE[type] ? CLINICAL_NAME[type] : '_lastUpdated';
  return [`-${name}`, `-${name},_id`].includes(sort);
}

// The order of UTF-8 bytes is the order of code points. Only the first 64 code points of a text count.
const bytes = (text) => Buffer.from([...text].slice(0, 64).join('')).toString('latin1');
const parts = (first, second) => bytes(`${first}\u0001${second}`);

// The lower end, or the upper end if there is no lower end.
const placeOfInterval = ({ low, high }) => (low ?? high).at;

const PLACES = {
  date: placeOf,
  // Identifiers keep their case.
  token: ({ system, code = '', exact, contact, isPhone }) => {
    if (contact) return parts(isPhone ? `tel:${contact.replace(/[^0-9+]/g, '')}` : fold(contact), '');
    return parts(exact ? code : code.replace(/[A-Z]/g, (letter) => letter.toLowerCase()), system ?? '');
  },
  string: (text) => bytes(fold(text)),
  reference: (fact) => bytes(fact.address ?? keyOf(fact)),
  uri: ({ address }) => bytes(address),
  number: placeOfInterval,
  quantity: (quantity) => placeOfInterval(inBaseUnits(quantity)),
};

// People are sorted by the family name and then the given names of the official name, or else of the first name.
function namePlaces({ name }) {
  const one = name?.find(({ use }) => use === 'official') ?? name?.[0];
  const family = fold(one?.family ?? '');
  const given = fold((one?.given ?? []).filter(Boolean).join(' '));
  if (family || given) return [parts(family, given)];
  return one?.text ? [parts(fold(one.text), '')] : [];
}

const HAVE_PEOPLES_NAMES = ['Patient', 'Person', 'Practitioner', 'RelatedPerson'];

// The sort places of a resource by a parameter.
function placesOf(resource, name) {
  const type = resource.resourceType;
  const param = PARAMS[type][name];
  if (!PLACES[param?.kind]) throw new Error(`${type} cannot be sorted by ${name}`);
  if (name === 'name' && HAVE_PEOPLES_NAMES.includes(type)) return namePlaces(resource);
  if (param.exceptFor?.(resource)) return [];
  const facts = param
    .facts(resource)
    .filter((fact) => param.kind !== 'token' || fact.code || fact.system || fact.contact);
  // A canonical is found without its version too.
  const withoutVersion = ({ address, isCanonical }) => (isCanonical ? [{ address: address.split('|')[0] }] : []);
  const all = param.kind === 'reference' ? facts.flatMap((fact) => [fact, ...withoutVersion(fact)]) : facts;
  return all.map(PLACES[param.kind]);
}

// The key for one word of _sort. Of several values, ascending uses the least, and descending the greatest.
function sortKey(resource, name, descending) {
  if (name === '_id') return resource.id;
  const places = placesOf(resource, name);
  if (places.length === 0) return null;
  return places.reduce((a, b) => (descending === compare(a, b) > 0 ? a : b));
}

// sort: the value of _sort, or undefined for the default order.
export function inOrder(resources, sort) {
  const words =
    sort && !isDefault(resources[0]?.resourceType, sort)
      ? sort.split(',').map((word) => ({ name: word.replace(/^-/, ''), descending: word.startsWith('-') }))
      : undefined;
  const keysOf = (resource) =>
    words ? words.map(({ name, descending }) => sortKey(resource, name, descending)) : [clinicalPlace(resource)];
  const directions = words ? words.map(({ descending }) => descending) : [true];
  return resources
    .map((resource) => ({ resource, keys: keysOf(resource) }))
    .sort((a, b) => {
      for (const [i, descending] of directions.entries()) {
        const order = compareKeys(a.keys[i], b.keys[i], descending);
        if (order !== 0) return order;
      }
      return compare(a.resource.id, b.resource.id);
    })
    .map(({ resource }) => resource);
}
