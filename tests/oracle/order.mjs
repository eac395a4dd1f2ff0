// The order of matches (decision 8): newest first by the type's own clinical date, undated last, then id ascending.

import { rangeOf } from './dates.mjs';
import { DATES } from './further-types.mjs';
import { assertedDate, PARAMS } from './params.mjs';
import { values } from './walk.mjs';

const element =
  (...paths) =>
  (resource) =>
    paths
      .flatMap((path) => values(resource, path))
      .map(rangeOf)
      .filter(Boolean);

// The elements in the order in which they are read: the first that carries a date decides.
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

// The place of the clinical date, or null: its start, or the last microsecond of a range that has an end alone.
export function clinicalPlace(resource) {
  for (const rangesOf of CLINICAL_DATE[resource.resourceType] ?? LAST_UPDATED) {
    const ranges = rangesOf(resource);
    if (ranges.length > 0) return placeOf(ranges[0]);
  }
  return null;
}

const placeOf = (range) => (range.from === -Infinity ? range.until - 1n : range.from);

// ids are ASCII, so that JavaScript's order of text is the order of code points.
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

// Compares keys of which null is last in both directions.
function compareKeys(a, b, descending) {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return descending ? compare(b, a) : compare(a, b);
}

// The parameter that reads the element that the default order reads first, for the types that have one.
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

// Newest first by the clinical date is the default order, its second choices included.
function isDefault(type, sort) {
  const name = CLINICAL_DATE[type] ? CLINICAL_NAME[type] : '_lastUpdated';
  return [`-${name}`, `-${name},_id`].includes(sort);
}

// One word of _sort. Of several dates, ascending takes the earliest place and descending the latest.
function sortKey(resource, name, descending) {
  if (name === '_id') return resource.id;
  const param = PARAMS[resource.resourceType][name];
  if (param?.kind !== 'date') throw new Error(`${resource.resourceType} cannot be sorted by ${name}`);
  const places = param.facts(resource).map(placeOf);
  if (places.length === 0) return null;
  return places.reduce((a, b) => (descending === a > b ? a : b));
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
