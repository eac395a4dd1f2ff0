// References (docs/decisions/search.md#addresses-of-references). A reference is {type, id}. A version
// (Patient/1/_history/2) counts as its resource. A reference that is contained, conditional, a urn, only by identifier,
// or to another server, leads nowhere.

export const DEFAULT_BASE = 'http://localhost:8787/fhir/r4';

const RELATIVE = /^([A-Z][A-Za-z]*)\/([A-Za-z0-9.-]{1,64})(?:\/_history\/[A-Za-z0-9.-]{1,64})?$/;

function withoutBase(text, base) {
  return text.startsWith(`${base}/`) ? text.slice(base.length + 1) : text;
}

// The text of Reference.reference, or of a typed search value.
export function readReference(text, base = DEFAULT_BASE) {
  const match = typeof text === 'string' ? RELATIVE.exec(withoutBase(text, base)) : null;
  return match ? { type: match[1], id: match[2] } : null;
}

// The targets of a parameter for any type are ['*'].
export const isTarget = (targets, type) => targets.includes(type) || targets.includes('*');

// A searched value. A bare id stands for a reference to each target type.
export function parseReferenceSearch(value, targets, base = DEFAULT_BASE) {
  if (/^[A-Za-z0-9.-]{1,64}$/.test(value)) return targets.map((type) => ({ type, id: value }));
  const reference = readReference(value, base);
  return reference && isTarget(targets, reference.type) ? [reference] : [];
}

export function sameReference(wanted, found) {
  return (wanted.type === found.type || wanted.type === '*') && wanted.id === found.id;
}

// 'Type/id' of a reference, and of a resource (whose `type` is a different element).
export const keyOf = ({ type, id }) => `${type}/${id}`;
export const addressOf = ({ resourceType, id }) => `${resourceType}/${id}`;
