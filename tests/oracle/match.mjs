// Whether a resource matches one parameter of a query. A comma is OR; a repeated parameter is AND, in the caller.

import { dateMatches, parseDateSearch } from './dates.mjs';
import { alternatives, cut, unescaped } from './escapes.mjs';
import { PARAMS, SERVED } from './params.mjs';
import { numberMatches, parseNumberSearch, parseQuantitySearch, quantityMatches } from './quantities.mjs';
import { addressOf, DEFAULT_BASE, keyOf, parseReferenceSearch, readReference, sameReference } from './references.mjs';
import { stringMatches } from './strings.mjs';
import { isBoolean, isOfType, parseTokenSearch, textsOf, tokenMatches, tokenOfIdentifier } from './tokens.mjs';
import { uriMatches } from './uris.mjs';

// A parameter, which is parsed once -> a function that says whether a resource of the type matches.
// context: {base, now, index, mayRead(resource, container?), isBeside(resource, other), ownersOf(resource)}. The
// functions are for chains and _has. isBeside says whether two resources are in one patient's record.
export function matcher(type, { name, modifier, value }, context = {}) {
  if (name === '_has') return referred(modifier, value, context);
  const [, first, rest] = /^([^.]*)\.(.*)$/s.exec(modifier === undefined ? name : `${name}:${modifier}`) ?? [];
  if (rest !== undefined) return chained(type, first, rest, value, context);
  const param = paramOf(type, name);
  if (modifier === 'missing') return (resource) => param.present(resource) !== (value === 'true');
  const any = alternatives(value).map((alternative) => matcherOfOne(name, param, modifier, alternative, context));
  const isNegated = modifier === 'not'; // of all values together
  return (resource) => !param.exceptFor?.(resource) && any.some((matchesOne) => matchesOne(resource)) !== isNegated;
}

export const matches = (resource, criterion, context) => matcher(resource.resourceType, criterion, context)(resource);

function paramOf(type, name) {
  const param = PARAMS[type][name];
  if (!param) throw new Error(`${type} has no parameter ${name}`);
  return param;
}

// 'name:modifier' -> {name, modifier}
function criterionOf(text, value) {
  const [name, ...rest] = text.split(':');
  return { name, modifier: rest.length > 0 ? rest.join(':') : undefined, value };
}

// --- Values ---

function matcherOfOne(name, param, modifier, value, context) {
  const base = context.base ?? DEFAULT_BASE;
  if (param.kind === 'id') return (resource) => !containers.has(resource) && resource.id === unescaped(value);
  // Modifiers that compare something other than the facts.
  const hasElement = (isWanted) => (resource) => param.elements(resource).some(isWanted);
  if (modifier === 'of-type') return hasElement((element) => isOfType(value, element));
  if (modifier === 'text') {
    return hasElement((element) => textsOf(element).some((text) => stringMatches(undefined, unescaped(value), text)));
  }
  if (modifier === 'identifier') {
    const wanted = parseTokenSearch(value);
    return hasElement(({ value: { identifier } }) => identifier && tokenMatches(wanted, tokenOfIdentifier(identifier)));
  }
  const isWanted = comparison(name, param, modifier, value, context);
  if (param.isOwner && context.ownersOf) {
    return (resource) => {
      const [id, ...others] = context.ownersOf(containerOf(resource));
      return others.length === 0 && isWanted({ type: 'Patient', id });
    };
  }
  return (resource) => param.facts(resource, base).some(isWanted);
}

// A value -> a function that says whether a fact matches.
function comparison(name, param, modifier, value, context) {
  const { kind, targets, components, alsoFinds } = param;
  switch (kind) {
    case 'date': {
      const search = parseDateSearch(value.replace(' ', '+'), context.now); // a plus that was not encoded
      return (range) => dateMatches(search, range);
    }
    case 'token': {
      const search = parseTokenSearch(value);
      if (param.isOfBooleans && !isBoolean(search)) throw new Error(`${name} is true or false`);
      const searches = [search];
      const other = alsoFinds?.[search.code?.toLowerCase()]; // recurrance also finds recurrence
      if (other) searches.push({ ...search, code: other });
      return (token) => searches.some((wanted) => tokenMatches(wanted, token));
    }
    case 'string': {
      const wanted = unescaped(value);
      return (text) => stringMatches(modifier, wanted, text);
    }
    case 'reference': {
      const wanted = unescaped(value);
      const types = PARAMS[modifier] ? [modifier] : (targets ?? ['*']);
      const references = parseReferenceSearch(wanted, types, context.base);
      const named = readReference(wanted, context.base);
      if (named && references.length === 0 && !param.isOfAddresses)
        throw new Error(`${name} leads to no ${named.type}`);
      return (found) =>
        'address' in found ? uriMatches(modifier, wanted, found) : references.some((one) => sameReference(one, found));
    }
    case 'uri': {
      const wanted = unescaped(value);
      return (found) => uriMatches(modifier, wanted, found, name);
    }
    case 'number': {
      const search = parseNumberSearch(value);
      return (interval) => numberMatches(search, interval);
    }
    case 'quantity': {
      const search = parseQuantitySearch(value);
      return (quantity) => quantityMatches(search, quantity);
    }
    case 'composite': {
      // All components must match in the same instance.
      const parts = cut(value, '$').map((part, at) => comparison(name, components[at], undefined, part, context));
      return (instance) => parts.every((isWanted, at) => instance[at].some(isWanted));
    }
    default:
      throw new Error(`unknown kind ${kind}`);
  }
}

// --- Chains ---

// Only target types with the next parameter count. A target counts if the grant opens it.
function chained(type, via, rest, value, context) {
  const [name, only] = via.split(':');
  const { targets } = paramOf(type, name);
  const types = only ? [only] : targets.includes('*') ? [...SERVED] : targets;
  const [next] = rest.split(/[.:]/);
  const inner = new Map(
    types
      .filter((target) => SERVED.has(target) && (next === '_has' || PARAMS[target][next]))
      .map((target) => [target, matcher(target, criterionOf(rest, value), context)]),
  );
  return (resource) =>
    [...outside(resource, name, context), ...inside(resource, name, context)].some((target) =>
      inner.get(target.resourceType)?.(target),
    );
}

const outside = (resource, name, context) =>
  referencesOf(resource, name, context)
    .map((found) => context.index.byKey.get(keyOf(found)))
    .filter((target) => target && isSeen(containerOf(resource), target, context));

// The containers of contained resources, which are opened with the container if their type is, and have no id.
const containers = new WeakMap();
const containerOf = (resource) => containers.get(resource) ?? resource;

// The targets of fragment references: contained resources of the container, or the container.
function inside(resource, name, { mayRead }) {
  const container = containerOf(resource);
  const { contained = [] } = container;
  if (contained.length === 0) return [];
  const wanted = paramOf(resource.resourceType, name).fragments(resource);
  const found = contained.filter(({ id }) => id && wanted.includes(`#${id}`));
  for (const target of found) containers.set(target, container);
  return [...found, ...(wanted.includes('#') ? [container] : [])].filter((target) => mayRead(target, container));
}

// The targets of a resource's references. If no element names its patient, the target is its only owner.
function referencesOf(resource, name, { base, ownersOf }) {
  const { isOwner, facts } = paramOf(resource.resourceType, name);
  if (!isOwner) return facts(resource, base ?? DEFAULT_BASE);
  const owners = [...ownersOf(containerOf(resource))];
  return owners.length === 1 ? owners.map((id) => ({ type: 'Patient', id })) : [];
}

// Whether a grant opens the other resource, and it is in the same record, or one of both is outside of all records.
const isSeen = (resource, other, { mayRead, ownersOf, isBeside }) =>
  mayRead(other) && (ownersOf(other) === 'everyone' || ownersOf(resource) === 'everyone' || isBeside(resource, other));

// _has:Type:reference:rest: whether an opened resource of the type refers to this one and matches the rest. Contained
// resources do not count as referring resources.
function referred(modifier, value, context) {
  const [, type, name, rest] = /^(\w+):([\w-]+):(.+)$/s.exec(modifier);
  const matchesRest = matcher(type, criterionOf(rest, value), context);
  let referring; // 'Type/id' -> the resources that match the rest and refer to it
  const find = () => {
    const pairs = context.index.byType
      .get(type)
      .filter(matchesRest)
      .flatMap((other) => referencesOf(other, name, context).map((found) => [keyOf(found), other]));
    return Map.groupBy(pairs, ([address]) => address);
  };
  return (resource) => {
    const container = containers.get(resource);
    if (container) {
      const isReferring = container.resourceType === type && matchesRest(container);
      return isReferring && inside(container, name, context).includes(resource);
    }
    referring ??= find();
    return referring.get(addressOf(resource))?.some(([, other]) => isSeen(resource, other, context)) ?? false;
  };
}
