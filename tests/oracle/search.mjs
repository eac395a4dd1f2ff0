// The evaluator: the matches of a search in their order, and the includes. Queries are assumed to be valid. The
// evaluator refuses nothing (400, 401): a resource that the grant does not open is not found.

import { allowed, isBesideOf, isMember, ownersOnce, recordsOf } from './access.mjs';
import { indexOf } from './data.mjs';
import { alternatives, unescaped } from './escapes.mjs';
import { includes } from './includes.mjs';
import { matcher } from './match.mjs';
import { inOrder } from './order.mjs';
import { PARAMS } from './params.mjs';
import { parseQuery } from './query.mjs';
import { addressOf, DEFAULT_BASE, keyOf, parseReferenceSearch } from './references.mjs';

const SHAPE_ONLY = new Set([
  '_contained',
  '_containedType',
  '_count',
  '_cursor',
  '_elements',
  '_format',
  '_pretty',
  '_summary',
  '_total',
  '_totalMethod',
]);

// options.base: the FHIR base; options.now: the microsecond of the request.
// -> {ids: every match as Type/id, in order; includedOf(page): the included resources of some matches, sorted}
export function search(resources, grant, query, { base = DEFAULT_BASE, now } = {}) {
  const index = indexOf(resources);
  const mayRead = (resource, container) => allowed(grant, resource, 'search', index, container);
  // A search in the compartment of a patient.
  const [, patient, search = query] = /^Patient\/([\w.-]+)\/(.*)$/.exec(query) ?? [];
  const { type, params } = parseQuery(search);
  const given = (name) => params.filter((param) => param.name === name);
  const criteria = params.filter(
    ({ name }) => !SHAPE_ONLY.has(name) && !['_sort', '_include', '_revinclude'].includes(name),
  );

  const ownersOf = (resource) => ownersOnce(resource, index);
  const isBeside = (resource, other) => {
    if (ownersOnce(other, index) === 'everyone') return true;
    // A Group is in the record of each of its members here.
    const records = recordsOf(other, index);
    const has = (of) => (other.resourceType === 'Group' ? isBesideOf(other, of, index) : records.has(of));
    return [...recordsOf(resource, index)].some(has);
  };
  const context = { base, now, index, mayRead, ownersOf, isBeside };
  const matchers = criteria.map((criterion) => matcher(type, criterion, context));
  const found = candidates(index, type, criteria, base).filter(
    (resource) =>
      (patient === undefined || isMember(resource, patient, index, base)) &&
      matchers.every((matches) => matches(resource)) &&
      mayRead(resource),
  );
  const ids = inOrder(found, given('_sort').at(-1)?.value).map(addressOf);

  const rules = params.filter(({ name }) => ['_include', '_revinclude'].includes(name));
  return { ids, includedOf: includes(rules, context) };
}

// Whether the grant may read the resource by its id.
export function read(resources, grant, key) {
  const index = indexOf(resources);
  const resource = index.byKey.get(key);
  return resource !== undefined && allowed(grant, resource, 'read', index);
}

// The resources that could match. This only saves time: each of them is still checked with every criterion.
function candidates(index, type, criteria, base) {
  const patient = criteria.find(({ name, modifier }) => name === 'patient' && !modifier);
  if (!patient || PARAMS[type].patient.isOwner) return index.byType.get(type);
  const keys = alternatives(patient.value)
    .flatMap((value) => parseReferenceSearch(unescaped(value), ['Patient'], base))
    .map(keyOf);
  return [...new Set(keys.flatMap((key) => index.byPatient.get(`${type} ${key}`) ?? []))];
}
