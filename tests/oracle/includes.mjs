// The includes of a page, round by round: the targets of its references, and the resources that refer to it. Depends
// only on the data, and not on where a server stores them.

import { isBesideOf, ownersOnce } from './access.mjs';
import { add, once } from './data.mjs';
import { includeOf, PARAMS } from './params.mjs';
import { addressOf, keyOf } from './references.mjs';

// The limits of an answer: the number of consecutive references to follow, and of included resources of a page.
const ROUNDS = 4;
const RESOURCES = 500;

// rules: [{name: '_include', modifier: 'iterate', value}, ...]. -> a function from the addresses of a page to the
// sorted addresses of its includes.
export function includes(rules, context) {
  const follow = rules.map((rule) => ({ from: follower(rule, context), iterates: rule.modifier === 'iterate' }));
  const { index, mayRead } = context;
  return (page) => {
    const known = new Set(page);
    const included = [];
    let newest = [...page];
    for (let round = 0; round < ROUNDS && newest.length > 0; round++) {
      const active = follow.filter(({ iterates }) => round === 0 || iterates);
      const found = newest.flatMap((key) => active.flatMap(({ from }) => from(index.byKey.get(key))));
      newest = [...new Set(found)].filter((key) => !known.has(key) && mayRead(index.byKey.get(key))).sort();
      newest = newest.slice(0, RESOURCES - included.length);
      for (const key of newest) known.add(key);
      included.push(...newest);
    }
    return included.sort();
  };
}

// Returns a function from a resource to the addresses that one rule adds.
function follower({ name: parameter, modifier, value }, context) {
  if (modifier && modifier !== 'iterate') throw new Error(`${parameter}:${modifier} is not supported`);
  const isReverse = parameter === '_revinclude';
  if (value === '*' && isReverse) throw new Error('_revinclude=* is not supported');
  const [source, name = '*', to] = value === '*' ? [undefined] : value.split(':');
  if (source && !PARAMS[source]) throw new Error(`unknown type ${source}`);
  const named = (of) => {
    if (name === '*') return Object.keys(PARAMS[of]).filter((one) => includeOf(of, one) && !PARAMS[of][one].isOfGuides);
    if (!includeOf(of, name)) throw new Error(`unknown ${parameter} ${of}:${name}`);
    return [name];
  };
  if (isReverse) return backward(source, named(source), to, context);
  if (source) named(source);
  return forward(source, named, to, context);
}

function forward(source, named, to, { index, base }) {
  return (resource) => {
    const { resourceType } = resource;
    if (source && source !== resourceType) return [];
    return named(resourceType)
      .flatMap((name) => PARAMS[resourceType][name].facts(resource, base))
      .filter((found) => found.id && (!to || found.type === to))
      .map(keyOf)
      .filter((key) => index.byKey.has(key));
  };
}

function backward(source, names, to, { index, base }) {
  return (resource) => {
    if (to && to !== resource.resourceType) return [];
    return (referring(source, names, index, base).get(addressOf(resource)) ?? [])
      .filter(([other, name]) => isBeside(other, name, resource, index))
      .map(([other]) => addressOf(other));
  };
}

// 'Type/id' -> [resource, name of the parameter] of the resources of a type that refer to it by one of the parameters.
const referring = (source, names, index, base) =>
  once(index, `${source} ${names} ${base}`, () => {
    const found = new Map();
    for (const other of index.byType.get(source) ?? [])
      for (const name of names)
        for (const reference of PARAMS[source][name].facts(other, base))
          if (reference.id) add(found, keyOf(reference), [other, name]);
    return found;
  });

// Whether a reverse include considers a resource that refers to another: always if it is in the directory, or else if
// it is in the same record. A Provenance belongs to the owners of its targets.
function isBeside(other, name, resource, index) {
  if (ownersOnce(other, index) === 'everyone') return true;
  const owner = ownersOnce(resource, index);
  if (owner === 'everyone') return false;
  if (other.resourceType === 'Provenance' && name === 'target') return true;
  const [patient, ...more] = owner;
  return patient !== undefined && more.length === 0 && isBesideOf(other, patient, index);
}
