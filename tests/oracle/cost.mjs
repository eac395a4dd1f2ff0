// The rows that a database may read for a search of a type with rows (docs/storage.md, "Searches of rows"). The rows of
// one clause, the driver, are read in the order of the answer until the page is full, or all of them if they are a
// range of keys. For each of these candidates, a row is read for each other clause, until one does not hold. The plain
// evaluator computes the number of candidates.

import { indexOf } from './data.mjs';
import { parseDateSearch } from './dates.mjs';
import { alternatives, cutAtBar, unescaped } from './escapes.mjs';
import { PARAMS } from './params.mjs';
import { parseQuery } from './query.mjs';
import { keyOf } from './references.mjs';
import { search } from './search.mjs';
import { fold } from './strings.mjs';

const DAY = 86_400_000_000n;
const SHAPING = /^_(count|total|summary|elements|pretty|format|cursor|sort|include|revinclude)$/;
/// The parameters over an element of type `code`.
const CODES = new Set(['gender', 'status']);
/// The parameters of types in patients' records by which a search needs no patient.
const IDENTIFYING = { CareTeam: ['role'], RelatedPerson: ['name'] };
/// The longest beginning of a word that has its own rows, in characters.
const BEGINNING = 3;

const paramOf = (type, name) => {
  const param = PARAMS[type][name];
  return param.kind === 'chain' ? PARAMS[param.type][param.to] : param;
};
/// Returns the facts of a parameter, or of the target if it is a chain.
function factsOf(resource, name, index) {
  const param = PARAMS[resource.resourceType][name];
  if (param.kind !== 'chain') return param.facts(resource);
  const targets = PARAMS[resource.resourceType][param.via]
    .facts(resource)
    .map((found) => index.byKey.get(keyOf(found)));
  return targets.filter(Boolean).flatMap((target) => PARAMS[param.type][param.to].facts(target));
}

/// Returns the breadth of a clause, which is lower for fewer resources: [class, negative length of the text]. Returns
/// undefined if the clause cannot be the driver.
function breadth(type, criteria) {
  const [{ name, modifier }] = criteria;
  const values = criteria.flatMap(({ value }) => alternatives(value));
  const { kind } = name === '_id' ? { kind: 'id' } : paramOf(type, name);
  const isSystem = values.some((value) => cutAtBar(value)[1] === '');
  const letters = Math.min(...values.map((value) => unescaped(value).length));
  switch (kind) {
    case 'id':
      return [0, 0];
    case 'string':
      if (modifier === 'contains') return [9, 0];
      return [modifier === 'exact' || values.some(isLong) ? 3 : 5, -letters];
    case 'date': {
      const length = lengthOf(values);
      if (length <= DAY) return [2, 0];
      return [length <= 366n * DAY ? 6 : 8, 0];
    }
    case 'token':
      if (CODES.has(name)) return isSystem ? undefined : [7, 0];
      if (isSystem) return [7, 0];
      return name.endsWith('identifier') ? [1, 0] : [4, 0];
    default:
      return [4, 0];
  }
}

const isLong = (value) => [...fold(unescaped(value))].length > BEGINNING;

/// Returns the length of the intersection of the values of one date, in microseconds.
function lengthOf(values) {
  let [from, until] = [-(10n ** 18n), 10n ** 18n];
  for (const { comparator, range } of values.map(parseDateSearch)) {
    if (['eq', 'ge', 'ap'].includes(comparator)) from = range.from > from ? range.from : from;
    if (comparator === 'eq' || comparator === 'ap') until = range.until < until ? range.until : until;
    if (comparator === 'gt' || comparator === 'sa') from = range.until > from ? range.until : from;
    if (comparator === 'lt' || comparator === 'eb') until = range.from < until ? range.from : until;
    if (comparator === 'le') until = range.until < until ? range.until : until;
  }
  return until - from;
}

/// Returns the clauses of a query: the criteria of the same date together, and each other criterion alone.
function clausesOf(type, params) {
  const clauses = [];
  for (const param of params.filter(({ name }) => !SHAPING.test(name))) {
    const isDate = PARAMS[type][param.name]?.kind === 'date';
    const same = isDate && clauses.find(([{ name }]) => name === param.name);
    if (same) same.push(param);
    else clauses.push([param]);
  }
  return clauses;
}

/// Returns the number of rows that a clause reads if it reads a range of keys. For strings, these are one for each word
/// at which the value begins. Returns undefined if the rows are in the order of the answer.
function rangeOf(type, criteria, resources, grant) {
  const [{ name, modifier }] = criteria;
  const index = indexOf(resources);
  const pool = index.byType.get(type);
  const { kind } = name === '_id' ? { kind: 'id' } : paramOf(type, name);
  if (kind === 'date') {
    const matches = search(resources, grant, queryOf(type, [criteria])).ids.length;
    const imprecise = ({ from, until }) => until - from > DAY;
    return matches + pool.filter((resource) => factsOf(resource, name, index).some(imprecise)).length;
  }
  const values = criteria.flatMap(({ value }) => alternatives(value)).map(unescaped);
  if (kind !== 'string' || modifier === 'exact') return undefined;
  if (modifier !== 'contains' && !values.some(isLong)) return undefined;
  const starts = modifier === 'contains' ? [''] : values.map(fold);
  return tailsOf(type, name, index).filter((tail) => starts.some((start) => tail.startsWith(start))).length;
}

const remembered = new WeakMap();

/// Returns the tails of the texts of a parameter: the text from each of its words on.
function tailsOf(type, name, index) {
  if (!remembered.has(index)) remembered.set(index, new Map());
  const known = remembered.get(index);
  const key = `${type} ${name}`;
  if (!known.has(key)) {
    const tails = (text) => [...text.matchAll(/(?<=^|[^\p{L}\p{N}])/gu)].map(({ index: at }) => text.slice(at));
    const facts = index.byType.get(type).flatMap((resource) => factsOf(resource, name, index));
    known.set(key, facts.map(fold).flatMap(tails));
  }
  return known.get(key);
}

/// Removes the systems of codes. A search for a code with a system reads all rows of the code, and skips the others.
function withoutSystem({ name, modifier, value }) {
  const code = (text) => (cutAtBar(text)[1] === '' ? text : cutAtBar(text).at(-1));
  const isCoded = !modifier && alternatives(value).some((text) => cutAtBar(text).length === 2);
  return { name, modifier, value: isCoded ? alternatives(value).map(code).join(',') : value };
}

function queryOf(type, clauses) {
  const encode = ({ name, modifier, value }) => `${name}${modifier ? `:${modifier}` : ''}=${encodeURIComponent(value)}`;
  return `${type}?${clauses.flat().map(encode).join('&')}`;
}

// page: the matches of the page; included: the number of included resources; previous: the last match of the previous
// page; grant, base: as for search. -> {rows: the most rows that may be read, isSingle: whether the search has one
// clause whose rows are in the order of the answer}
export function rowsRead(resources, grant, query, { page, included = 0, previous, base }) {
  const { type, params } = parseQuery(query);
  const clauses = clausesOf(type, params);
  const find = (some) => search(resources, grant, queryOf(type, some), { base }).ids;
  const may = ([{ name }]) =>
    name !== '_lastUpdated' && (name === '_id' || (IDENTIFYING[type]?.includes(name) ?? true));
  const ranked = clauses
    .filter(may)
    .map((clause) => ({ clause, rank: breadth(type, clause) }))
    .filter(({ rank }) => rank)
    .sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1]);
  const driver = ranked[0]?.clause;
  const others = clauses.filter((clause) => clause !== driver);
  const candidates = driver ? find([driver.map(withoutSystem)]) : search(resources, grant, type, { base }).ids;
  const isOrdered = !driver || rangeOf(type, driver, resources, grant) === undefined;
  const isGathered = driver && PARAMS[type][driver[0].name]?.kind === 'date';
  const isShaped = params.some(({ name }) => ['_sort', '_total', '_summary'].includes(name));
  // The candidates after the previous page, up to the first match of the next page.
  const matches = find(clauses);
  const next = matches[(previous ? matches.indexOf(previous) + 1 : 0) + page.length];
  const first = previous ? candidates.indexOf(previous) + 1 : 0;
  const checked =
    isGathered || isShaped ? candidates.length : (next ? candidates.indexOf(next) + 1 : candidates.length) - first;
  const ranges = (clause) => rangeOf(type, clause, resources, grant);
  // The rows of a range are read a second time in order. For dates, only as many as the page has are read again.
  const read = isOrdered ? checked : ranges(driver) + (isGathered ? page.length + 1 : ranges(driver));
  const found = page.length + 1;
  let rows = read;
  for (const clause of others) {
    const isTime = PARAMS[type][clause[0].name]?.kind === 'date';
    const once = isTime ? undefined : ranges(clause);
    // A date that holds takes two rows.
    rows += once ?? checked * clause.length + (isTime ? found : 0);
  }
  // Each value is an item of a list, and the beginning of a range. A time is six ranges.
  const values = clauses.flat().flatMap(({ value }) => alternatives(value)).length;
  const statements = 1 + params.filter(({ name }) => ['_include', '_total'].includes(name)).length;
  const isIncluding = params.some(({ name }) => name === '_include');
  // The text of a match, and, for a type in patients' records, also its owner.
  const texts = type in IDENTIFYING ? 2 * found : found;
  return {
    rows: statements * (rows + 6 * values) + texts + (isIncluding ? 2 * page.length + 3 * included : 0) + 20,
    isSingle: clauses.length <= 1 && isOrdered && !isShaped && candidates.length === matches.length,
  };
}
