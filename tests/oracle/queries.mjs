// Generates searches over all types and parameters of a CapabilityStatement, with values from the data. The same seed
// gives the same searches.

import { escaped } from './escapes.mjs';
import { PARAMS } from './params.mjs';
import { isTarget, keyOf } from './references.mjs';
import { format, generator, pick } from './rows.mjs';

/// The modifiers for parameters of each kind.
const MODIFIERS = {
  token: ['missing', 'not', 'text', 'of-type'],
  string: ['missing', 'contains', 'exact'],
  date: ['missing'],
  reference: ['missing', 'identifier', 'type', 'below'],
  uri: ['missing', 'below', 'above'],
  number: ['missing'],
  quantity: ['missing'],
};
const PREFIXES = ['', '', '', 'eq', 'ne', 'gt', 'lt', 'ge', 'le', 'sa', 'eb', 'ap'];
const ABSENT = 'no-such-value';

/// Returns the parameters that the server declares and the evaluator knows, for types in the data: [type, name].
function offered(statement, index) {
  return statement.rest[0].resource
    .filter(({ type }) => index.byType.get(type)?.length > 0)
    .flatMap(({ type, searchParam = [] }) => searchParam.map(({ name }) => [type, name]))
    .filter(([type, name]) => PARAMS[type][name] && PARAMS[type][name].kind !== 'special');
}

/// Yields {query, anchor, features} without end. The anchor is a parameter that names a patient, for a server that
/// requires one. The features are those that a server may not offer, such as `token:not` or `chain`.
export function* queries(index, statement, { seed = 1, base } = {}) {
  const random = generator(`queries ${seed}`);
  const all = offered(statement, index);
  const named = Map.groupBy(all, ([type]) => type);
  const references = all.filter(([type, name]) => PARAMS[type][name].kind === 'reference');
  const draw = { index, random, base, named, references, features: new Set(), depth: 0 };
  for (;;) {
    for (const [type, name] of shuffled(all, random)) {
      // Skip half of the searches by a parameter without values, because they find nothing.
      if (random() < 0.5 && factsOf(candidate(type, name, draw), name).length === 0) continue;
      draw.features = new Set();
      const [resource, first] = (random() < 0.05 && referred(draw)) || plain(type, name, draw);
      const { resourceType } = resource;
      const clauses = [first];
      while (random() < 0.3) clauses.push(clause(resource, pick(named.get(resourceType), random)[1], draw));
      while (random() < 0.12) clauses.push(include(resource, draw));
      const query = `${resourceType}?${clauses.join('&')}`;
      yield { query, anchor: anchorOf(resource, draw), features: [...draw.features] };
    }
  }
}

/// Returns a resource of the type, and a clause with the parameter.
function plain(type, name, draw) {
  const resource = candidate(type, name, draw);
  return [resource, clause(resource, name, draw)];
}

/// Returns a resource of the type, most often one with a value for the parameter.
function candidate(type, name, { index, random }) {
  const pool = index.byType.get(type);
  let found = pick(pool, random);
  for (let tries = 0; tries < 8 && factsOf(found, name).length === 0; tries++) found = pick(pool, random);
  return found;
}

const factsOf = (resource, name) => {
  const param = PARAMS[resource.resourceType][name];
  return param?.facts?.(resource) ?? [];
};

function anchorOf(resource, { random }) {
  const patients = factsOf(resource, 'patient').filter(({ type }) => type === 'Patient');
  const patient = pick(patients, random);
  return patient && random() < 0.9 ? `patient=${patient.id}` : `_id=${resource.id}`;
}

const shuffled = (list, random) =>
  list
    .map((item) => [random(), item])
    .sort((a, b) => a[0] - b[0])
    .map(([, item]) => item);

/// Percent-encodes a text, except for characters that are legal in a query.
const encode = (text) => encodeURIComponent(text).replace(/%2C/g, ',').replace(/%3A/g, ':').replace(/%2F/g, '/');

// --- Clauses ---

function clause(resource, name, draw) {
  const { random } = draw;
  const joined = draw.depth < 3 && random() < 0.06 && chain(resource, draw);
  if (joined) return joined;
  const [key, value] = criterion(resource, name, draw);
  return `${key}=${encode(value)}`;
}

/// Returns a parameter with a modifier, and a value.
function criterion(resource, name, draw) {
  const { random, features } = draw;
  const { kind } = PARAMS[resource.resourceType][name];
  if (kind === 'chain') return chainOfContract(resource, name, draw);
  const modifier = random() < 0.4 ? pick(MODIFIERS[kind] ?? [undefined], random) : undefined;
  if (modifier === 'missing') {
    features.add(`${kind}:missing`);
    return [`${name}:missing`, pick(['true', 'false'], random)];
  }
  const made = modifier && MODIFIED[modifier]?.(resource, name, draw);
  if (made) {
    features.add(`${kind}:${modifier}`);
    return made;
  }
  const plain = ['not', 'contains', 'exact'].includes(modifier) ? modifier : undefined;
  if (plain) features.add(`${kind}:${plain}`);
  return [plain ? `${name}:${plain}` : name, valuesOf(resource, name, draw)];
}

/// Returns one or more values, separated by commas.
function valuesOf(resource, name, draw) {
  const { index, random } = draw;
  const one = (of) => textOf(PARAMS[of.resourceType][name], factsOf(of, name), of, draw);
  const values = [one(resource)];
  while (random() < 0.2) values.push(one(pick(index.byType.get(resource.resourceType), random)));
  if (random() < 0.05) values.push(one({ resourceType: resource.resourceType, id: ABSENT }));
  return values.join(',');
}

function chainOfContract(resource, name, draw) {
  const { via, type, to } = PARAMS[resource.resourceType][name];
  const target = factsOf(resource, via)
    .map((found) => draw.index.byKey.get(keyOf(found)))
    .find(Boolean);
  return [name, valuesOf(target ?? pick(draw.index.byType.get(type), draw.random) ?? resource, to, draw)];
}

/// Returns the targets of a resource by these parameters, for types in the searches: [name, target].
function targetsOf(resource, names, { index, named, container = resource }) {
  const inside = (name) => {
    const fragments = PARAMS[resource.resourceType][name].fragments(resource);
    return (container.contained ?? []).filter(({ id }) => fragments.includes(`#${id}`));
  };
  return names.flatMap((name) =>
    factsOf(resource, name)
      .map((found) => found.id && index.byKey.get(keyOf(found)))
      .concat(inside(name))
      .filter((target) => target && named.has(target.resourceType))
      .map((target) => [name, target]),
  );
}

/// Returns the names of the reference parameters of a type.
const namesOf = (type, { references }) => references.filter(([of]) => of === type).map(([, name]) => name);

/// Returns a clause about a resource, one step further in a chain.
function behind(resource, draw) {
  const [, name] = pick(draw.named.get(resource.resourceType), draw.random);
  return clause(resource, name, { ...draw, depth: draw.depth + 1 });
}

/// Returns a chain, `a:T.b` or `a.b`, along a reference of the resource.
function chain(resource, draw) {
  const { random, features } = draw;
  const [name, target] = pick(targetsOf(resource, namesOf(resource.resourceType, draw), draw), random) ?? [];
  if (!target) return undefined;
  features.add('chain');
  const { container = resource } = draw;
  const next = { ...draw, container: container.contained?.includes(target) ? container : undefined };
  return `${name}${random() < 0.7 ? `:${target.resourceType}` : ''}.${behind(target, next)}`;
}

/// Returns a resource to which another refers, and a clause `_has:T:reference:b` about it.
function referred(draw) {
  const { random, features } = draw;
  const [type, name] = pick(draw.references, random);
  const resource = candidate(type, name, draw);
  const inner = draw.depth < 2 && random() < 0.2 ? referred({ ...draw, depth: draw.depth + 1 }) : undefined;
  const [other, rest] = inner ?? [resource, behind(resource, draw)];
  const [reference, target] = pick(targetsOf(other, namesOf(other.resourceType, draw), draw), random) ?? [];
  if (!target || other.contained?.includes(target)) return undefined;
  features.add('_has');
  return [target, `_has:${other.resourceType}:${reference}:${rest}`];
}

// --- Includes ---

/// Returns an include. Its source type is most often the type of the resource, and otherwise a random type.
function include(resource, draw) {
  const { random } = draw;
  const type = random() < 0.7 ? resource.resourceType : pick([...draw.named.keys()], random);
  const isReverse = random() < 0.4;
  const iterates = type !== resource.resourceType || random() < 0.3;
  const name = `${isReverse ? '_revinclude' : '_include'}${iterates ? ':iterate' : ''}`;
  draw.features.add(name);
  if (!isReverse && random() < 0.15) return `${name}=*`;
  const of = isReverse ? pick(referringTo(type, draw), random) : pick(namesOf(type, draw), random);
  if (!of) return `${name}=${type}:*`;
  const [source, parameter] = isReverse ? of : [type, of];
  const { targets } = PARAMS[source][parameter];
  const to = isReverse ? type : pick(targets?.includes('*') ? [...draw.named.keys()] : targets, random);
  return `${name}=${source}:${random() < 0.1 ? '*' : parameter}${to && random() < 0.3 ? `:${to}` : ''}`;
}

/// Returns the parameters by which resources may refer to a type: [type, name].
const referringTo = (type, { references }) =>
  references.filter(([of, name]) => isTarget(PARAMS[of][name].targets ?? [], type));

// --- Values ---

/// Values for modifiers that need special values, or undefined if the resource has none.
const MODIFIED = {
  text(resource, name, { random }) {
    const texts = PARAMS[resource.resourceType][name]
      .elements(resource)
      .flatMap(({ value }) => [
        value?.text,
        value?.display,
        value?.type?.text,
        ...(value?.coding ?? []).map((coding) => coding?.display),
      ]);
    const text = pick(texts.filter(Boolean), random);
    return text && [`${name}:text`, escaped(stringText(text, random))];
  },
  'of-type'(resource, name, { random }) {
    const found = pick(
      PARAMS[resource.resourceType][name].elements(resource).filter(({ value }) => value?.type?.coding && value.value),
      random,
    );
    const { system = '', code = '' } = found?.value.type.coding[0] ?? {};
    return found && [`${name}:of-type`, [system, code, found.value.value].map(escaped).join('|')];
  },
  identifier(resource, name, { random }) {
    const { identifier } = pick(PARAMS[resource.resourceType][name].elements(resource), random)?.value ?? {};
    return identifier?.value && [`${name}:identifier`, tokenText({ ...identifier, code: identifier.value }, random)];
  },
  type(resource, name, { random }) {
    const found = pick(factsOf(resource, name), random);
    return found?.id && [`${name}:${found.type}`, pick([found.id, keyOf(found)], random)];
  },
  below: (resource, name, draw) => cutAddress(resource, name, 'below', draw),
  above: (resource, name, draw) => cutAddress(resource, name, 'above', draw),
};

function cutAddress(resource, name, modifier, { random }) {
  const { address } = pick(factsOf(resource, name), random) ?? {};
  if (!address || address.startsWith('urn:')) return undefined;
  if (modifier === 'above') return [`${name}:above`, escaped(`${address}${pick(['', '/more', 'more'], random)}`)];
  const ends = [...address.matchAll(/[/?#|.]/g)].map(({ index }) => index).filter((at) => at > 8);
  const end = pick([address.length, address.length - 1, ...ends, ...ends.map((at) => at + 1)], random);
  return [`${name}:below`, escaped(address.slice(0, end)).replace('\\|', '|')];
}

/// Returns a search value for a parameter, from the facts of a resource.
function textOf({ kind, targets, components, isOfBooleans }, facts, resource, draw) {
  const { random } = draw;
  const fact = pick(facts, random);
  switch (kind) {
    case 'id':
      return escaped(resource.id);
    case 'token':
      return !fact && isOfBooleans ? pick(['true', 'false'], random) : tokenText(fact, random);
    case 'string':
      return escaped(stringText(fact ?? ABSENT, random));
    case 'date':
      return dateText(fact, draw);
    case 'reference':
      return fact?.address ? addressText(fact, random) : referenceText(fact, targets, draw);
    case 'uri':
      return addressText(fact ?? { address: `http://${ABSENT}` }, random);
    case 'number':
      return numberText(fact, draw);
    case 'quantity':
      return numberText(fact?.interval, draw) + unitText(fact, random);
    case 'composite': {
      // Most often, all components are from one instance.
      const of = (at) => (random() < 0.8 ? fact : pick(facts, random))?.[at] ?? [];
      return components.map((component, at) => textOf(component, of(at), resource, draw)).join('$');
    }
    default:
      throw new Error(`cannot make a value of the kind ${kind}`);
  }
}

function tokenText(token, random) {
  if (!token) return ABSENT;
  if (token.contact) return escaped(pick([token.contact, token.contact.toUpperCase()], random));
  const [system, code] = [escaped(token.system ?? ''), escaped(token.code ?? '')];
  if (token.isBoolean) return pick([code, system ? `${system}|${code}` : code], random);
  if (!code) return system ? `${system}|` : ABSENT;
  if (!system) return code;
  return pick([code, `${system}|${code}`, `${system}|${code}`, `|${code}`, `${system}|`, swapped(code), code], random);
}

const swapped = (text) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());

function stringText(text, random) {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const word = pick(words, random) ?? text;
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '');
  return (
    pick([text, word, word.slice(0, 3), plain.toUpperCase(), words.slice(-2).join(' '), word.slice(1)], random) || text
  );
}

const SECOND = 1_000_000n;
const DAY = 86_400n * SECOND;

function dateText(range, { random, features }) {
  const ends = range ? [range.from, range.until].filter((end) => typeof end === 'bigint') : [];
  const instant = pick(ends, random) ?? 1_577_836_800n * SECOND;
  const shift = pick([0n, 0n, -1n, 1n], random) * pick([SECOND, DAY, 30n * DAY], random);
  const prefix = pick(PREFIXES, random);
  if (prefix === 'ap') features.add('date ap');
  return prefix + format(instant + shift, pick(['year', 'month', 'day', 'day', 'second', 'fraction', 'zone'], random));
}

/// Returns a reference. Without a value, returns an unknown id, or, rarely, a type that is no target, which is refused.
function referenceText(found, targets, { random, base }) {
  if (!found) return targets?.includes('*') || random() < 0.98 ? ABSENT : `Binary/${ABSENT}`;
  const { type, id } = found;
  const forms = [`${type}/${id}`, `${type}/${id}`, id];
  if (base) forms.push(`${base}/${type}/${id}`);
  return escaped(pick(forms, random));
}

function addressText({ address }, random) {
  const forms = [address, address, address.split('|')[0], address.split('#')[0], swapped(address), `${address}x`];
  return escaped(pick(forms, random)).replace('\\|', '|');
}

/// Returns a number near an end of the interval, with more or fewer digits.
function numberText(interval, { random, features }) {
  const { mantissa, scale } = pick([interval?.low, interval?.high].filter(Boolean), random)?.at ?? {
    mantissa: 5n,
    scale: 0,
  };
  const digits = Math.max(0, scale + pick([0, 0, 0, -1, 1, 2], random));
  const raised = digits >= scale ? mantissa * 10n ** BigInt(digits - scale) : mantissa / 10n ** BigInt(scale - digits);
  const prefix = pick(PREFIXES, random);
  if (prefix === 'ap') features.add('number ap');
  return prefix + decimalText(raised + pick([0n, 0n, 0n, 1n, -1n], random), digits, random);
}

function decimalText(mantissa, scale, random) {
  if (random() < 0.05) return `${mantissa}e${-scale}`;
  const text = String(mantissa < 0n ? -mantissa : mantissa).padStart(scale + 1, '0');
  const at = text.length - scale;
  return `${mantissa < 0n ? '-' : ''}${text.slice(0, at)}${scale > 0 ? `.${text.slice(at)}` : ''}`;
}

function unitText(quantity, random) {
  const { system, code, unit } = quantity ?? {};
  const forms = [''];
  if (system && code) forms.push(`|${escaped(system)}|${escaped(code)}`, `|${escaped(system)}|${escaped(code)}`);
  if (system) forms.push(`|${escaped(system)}|`);
  if (code) forms.push(`||${escaped(code)}`);
  if (unit) forms.push(`||${escaped(unit)}`);
  return pick(forms, random);
}
