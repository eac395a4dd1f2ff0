// The rows of spec.tsv, and concrete queries for them with values from the data. The same seed gives the same queries.

import fs from 'node:fs';
import { indexOf } from './data.mjs';
import { escaped } from './escapes.mjs';
import { includeOf, PARAMS } from './params.mjs';
import { addressOf, keyOf } from './references.mjs';

const SPEC = new URL('../spec.tsv', import.meta.url);

export function readRows() {
  const [header, ...lines] = fs
    .readFileSync(SPEC, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  return lines.map((cells) => Object.fromEntries(header.map((name, i) => [name, cells[i] ?? ''])));
}

// Values that the contract names; some of them (cancelled, completed, recurrance) occur in no R4 data.
const NAMED = {
  'ServiceRequest status': ['draft', 'active', 'completed', 'cancelled'],
  'CarePlan status': ['active', 'draft', 'completed'],
  'Condition category': ['problem-list-item', 'encounter-diagnosis', 'health-concern'],
  'Condition clinical-status': ['active', 'recurrance', 'remission'],
  'Procedure status': ['completed'],
  'DiagnosticReport status': ['completed'],
  'DiagnosticReport category': ['LP29708-2', 'LP7839-6', 'LP29684-5'],
  'DocumentReference status': ['superseded'],
  'DocumentReference type': ['11488-4', '18842-5', '34117-2', '28570-0', '11506-3', '18748-4', '11502-2', '11526-1'],
  'Observation category': ['exam', 'survey'],
  'Observation status': ['final', 'preliminary'],
  'MedicationRequest status': ['active'],
  'MedicationRequest intent': ['order', 'plan'],
  'MedicationDispense status': ['completed'],
  'CareTeam status': ['active'],
  'Immunization status': ['completed', 'not-done'],
  'AllergyIntolerance clinical-status': ['active', 'inactive', 'resolved'],
};
const ABSENT = 'no-such-value';

// Yields the concrete queries of a row: `perPatient` queries for each of `patients` patients (or for the whole data, if
// the row names no patient). With `base`, some references are absolute.
export function* instantiate(row, resources, { patients = 4, perPatient = 4, seed = 1, base } = {}) {
  const index = indexOf(resources);
  const random = generator(`${seed} ${row.id}`);
  const names = [...row.query.matchAll(/\{([\w.-]+)\+?\}/g)]
    .map((match) => match[1])
    .filter((name) => name !== 'cmp' && name !== 'patient');
  const complete = (resource) =>
    names.every((name) => factsOf(resource, name, index).length > 0) && includesSomething(resource, row.query, index);
  const given = new Set();
  let turn = Math.floor(random() * 60);

  for (const { patient, pool } of groups(row, index, complete, patients, random)) {
    const best = pool.filter(complete);
    for (let k = 0; k < perPatient; k++, turn++) {
      const resource = pick(best.length > 0 ? best : pool, random);
      const draw = { row, index, random, turn, base, patient, pool, resource, dates: 0 };
      const query = row.query.includes('?') ? fillQuery(row.query, draw) : `${row.type}/${resource?.id ?? ABSENT}`;
      if (!given.has(query)) yield query;
      given.add(query);
    }
  }
}

// The patients for the queries, each with their resources of the row's type: patients with values for all parameters of
// the row, and one without.
function groups({ type, query }, index, complete, count, random) {
  const ofType = index.byType.get(type);
  if (!query.includes('{patient}')) return Array.from({ length: count }, () => ({ pool: ofType }));
  const all = shuffled(
    index.byType.get('Patient').map((patient) => patient.id),
    random,
  ).map((patient) => ({
    patient,
    pool: index.byPatient.get(`${type} Patient/${patient}`) ?? [],
  }));
  const full = all.filter(({ pool }) => pool.some(complete));
  const rest = all.filter(({ pool }) => !pool.some(complete)).sort((a, b) => (b.pool.length > 0) - (a.pool.length > 0));
  const chosen = full.slice(0, Math.max(count - 1, 1));
  return [...chosen, ...rest.slice(0, Math.max(count - chosen.length, 0))];
}

// Whether the resource leads to an included resource, if the row has includes.
function includesSomething(resource, query, index) {
  const includes = [...query.matchAll(/_include=(\w+):(\w+)/g)];
  const brings = ([, type, name]) =>
    includeOf(type, name)
      .facts(resource)
      .some((found) => index.byKey.has(keyOf(found)));
  if (includes.length > 0 && !includes.some(brings)) return false;
  return !query.includes('_revinclude=') || index.provenanceByTarget.has(addressOf(resource));
}

// --- Templates ---

function fillQuery(template, draw) {
  const [type, params] = template.split('?');
  return `${type}?${params
    .split('&')
    .map((param) => fillParam(param, draw))
    .join('&')}`;
}

function fillParam(param, draw) {
  const at = param.indexOf('=');
  const text = param
    .slice(at + 1)
    .replace(/(\{cmp\})?\{([\w.-]+)(\+?)\}/g, (_, cmp, name, many) => fill(name, { cmp, many }, draw));
  // The characters , : and / are legal in a query, and stay readable.
  const encoded = encodeURIComponent(text).replace(/%2C/g, ',').replace(/%3A/g, ':').replace(/%2F/g, '/');
  return `${param.slice(0, at)}=${encoded}`;
}

function fill(name, { cmp, many }, draw) {
  const { row, resource, index, patient, turn, random } = draw;
  if (name === 'patient') return escaped(referenceText({ type: 'Patient', id: patient }, draw));
  const param = parameterBehind(row.type, name);
  const named = NAMED[`${row.type} ${name}`];
  const facts = resource ? factsOf(resource, name, index) : [];
  switch (param.kind) {
    case 'id':
      return escaped(resource?.id ?? ABSENT);
    case 'date':
      return dateText(pick(facts, random), Boolean(cmp), draw);
    case 'token':
      if (many) return tokenList(name, facts, named, draw);
      if (named && turn % 5 === 4) return escaped(pick(named, random));
      return tokenText(pick(facts, random), draw);
    case 'string':
      return escaped(stringText(pick(facts, random) ?? ABSENT, draw));
    case 'reference': {
      const fact = pick(facts, random) ?? { type: param.targets[0], id: ABSENT };
      return escaped(fact.address ?? referenceText(fact, draw));
    }
    default:
      throw new Error(`cannot fill ${name}`);
  }
}

function parameterBehind(type, name) {
  const param = PARAMS[type][name];
  if (!param) throw new Error(`${type} has no parameter ${name}`);
  return param.kind === 'chain' ? PARAMS[param.type][param.to] : param;
}

// The values of a resource for a parameter, or, for a chain, the values of its targets.
function factsOf(resource, name, index) {
  const param = PARAMS[resource.resourceType][name];
  if (param.kind === 'id') return [resource.id];
  if (param.kind !== 'chain') return param.facts(resource);
  return PARAMS[resource.resourceType][param.via]
    .facts(resource)
    .map((found) => index.byKey.get(keyOf(found)))
    .filter(Boolean)
    .flatMap((target) => PARAMS[param.type][param.to].facts(target));
}

// --- Values ---

function referenceText({ type, id }, { turn, base }) {
  const forms = [`${type}/${id}`, id];
  if (base) forms.push(`${base}/${type}/${id}`);
  return forms[Math.floor(turn / 2) % forms.length];
}

function tokenText(token, { row, turn, random }) {
  if (!token) return ABSENT;
  const system = escaped(token.system ?? '');
  const code = token.code === undefined ? '' : escaped(token.code);
  if (code === '') return system ? `${system}|` : ABSENT;
  if (row.source === 'usc' && random() < 0.2) {
    return pick(
      [`|${code}`, system ? `${system}|` : code, `${system}|${code.toUpperCase()}`, code.toLowerCase()],
      random,
    ); // the other forms
  }
  return (turn + Math.floor(turn / 4)) % 2 === 0 ? code : `${system}|${code}`;
}

// A list of values. Most lists contain a value that does not occur, and some are the values that the contract names.
function tokenList(name, facts, named, draw) {
  const { pool, index, random, turn } = draw;
  if (named && turn % 4 === 3) return named.map(escaped).join(',');
  const others = pool.length > 0 ? factsOf(pick(pool, random), name, index) : [];
  const list = [
    tokenText(pick(facts, random), draw),
    tokenText(pick(others, random), { ...draw, turn: turn + 1 }),
    ABSENT,
  ];
  const length = 1 + (turn % 3);
  return length === 1 ? list[0] : length === 2 ? [ABSENT, list[0]].join(',') : list.join(',');
}

function stringText(text, { turn, random }) {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const word = pick(words, random) ?? text;
  const forms = [
    text, // as written
    word,
    word.slice(0, 3), // the beginning of a word
    text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase(), // without accents, in capitals
    words.slice(-2).join(' '), // two words that may or may not follow one another
    word.slice(1), // the inside of a word: most often matches nothing
  ];
  return forms[turn % forms.length] || text;
}

const SECOND = 1_000_000n;
const DAY = 86_400n * SECOND;
const SHIFTS = [0n, -1n, 1n]; // at, before, after
const PRECISIONS = ['day', 'second', 'day', 'second', 'month', 'second', 'year', 'day', 'fraction', 'zone'];
const FOUR = ['ge', 'le', 'gt', 'lt'];
const ALL = [...FOUR, '', ...FOUR, 'eq', 'ne', 'sa', 'eb'];

function dateText(range, compared, draw) {
  const { row, turn, random } = draw;
  const ends = range ? [range.from, range.until].filter((end) => typeof end === 'bigint') : [];
  let instant = pick(ends, random) ?? 1_577_836_800n * SECOND; // 2020-01-01, where there is no value
  const precision = PRECISIONS[Math.floor(turn / 3) % PRECISIONS.length];
  if (!compared) return format(instant, precision === 'month' || precision === 'year' ? 'day' : precision); // = eq
  const comparators = row.source === 'usc' ? ALL : FOUR;
  let comparator = comparators[turn % comparators.length];
  let shift = SHIFTS[Math.floor(random() * 3)];
  const again = draw.dates++ > 0;
  if (row.query.includes(`}&${nameOfRepeated(row.query)}`) && turn % 2 === 0) {
    comparator = again ? pick(['lt', 'le'], random) : pick(['ge', 'gt'], random); // from .. to, around a real value
    shift = again ? 1n : comparator === 'ge' ? 0n : -1n;
    if (ends.length > 0) instant = again ? ends.at(-1) : ends[0];
  } else if (again) {
    comparator = pick(comparators, random);
  }
  const step = precision === 'second' || precision === 'fraction' ? pick([SECOND, DAY], random) : DAY;
  return comparator + format(instant + shift * step, precision);
}

// The parameter that the row has twice, as 'authored={cmp}', or else a text that does not occur.
function nameOfRepeated(query) {
  const names = [...query.matchAll(/[?&]([\w.-]+=\{cmp\})/g)].map((match) => match[1]);
  return names.find((name, i) => names.indexOf(name) !== i) ?? '\n';
}

export function format(micros, precision) {
  const milliseconds = Number((micros - (((micros % 1000n) + 1000n) % 1000n)) / 1000n);
  const text = new Date(milliseconds).toISOString(); // 2020-01-01T00:00:00.000Z
  switch (precision) {
    case 'year':
      return text.slice(0, 4);
    case 'month':
      return text.slice(0, 7);
    case 'day':
      return text.slice(0, 10);
    case 'second':
      return `${text.slice(0, 19)}Z`;
    case 'fraction':
      return text;
    default:
      return `${new Date(milliseconds - 5 * 3_600_000).toISOString().slice(0, 19)}-05:00`; // the same second elsewhere
  }
}

// --- Seeded randomness ---

export function generator(seed) {
  let state = 2166136261;
  for (const letter of seed) state = Math.imul(state ^ letter.codePointAt(0), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const pick = (list, random) => list[Math.floor(random() * list.length)];

function shuffled(list, random) {
  return list
    .map((item) => [random(), item])
    .sort((a, b) => a[0] - b[0])
    .map(([, item]) => item);
}
