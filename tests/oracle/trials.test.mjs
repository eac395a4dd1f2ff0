// Random tests of permissions. For every grant and every question, the answer has the matching resources that the
// grant allows, no others, and each once. Memory, SQLite and shelves give the same bytes. The audit names exactly the
// patients whose records are in the answer. Closed resources have no effect: the answer has the same bytes as from a
// store without them. An export has the requested resources that its grant opens to the system.
//
// tests/trials.rs and tests/export_trials.rs ask the stores. `make trials TRIALS=100000 SEED=2` tries more.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../server/folder.mjs';
import { allowed, isMember, ownerOf, parseScope, patientsOf } from './access.mjs';
import { indexOf, load } from './data.mjs';
import { matches } from './match.mjs';
import { PARAMS } from './params.mjs';
import { parseQuery } from './query.mjs';
import { addressOf } from './references.mjs';
import { search } from './search.mjs';
import { drawing, exportsOfTwo, grantOf, hospital, question, token } from './trials.mjs';

const { TRIALS = '2600', SEED = '1' } = process.env;
const BASE = 'http://edge.test/fhir/r4';
const NOW = 1_800_000_000_000_000n;
/// The number of questions for each population. A population is expensive, and a question is cheap.
const EACH = 40;
const POPULATIONS = Math.ceil(Number(TRIALS) / EACH);
/// The types that come with the records that refer to them.
const REFERRED = ['Practitioner', 'PractitionerRole', 'Location', 'Medication'];

/// Runs a Rust test that answers each population of a file, and returns its answers.
function answersOf(file, name, populations) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, file), populations.map((one) => `${JSON.stringify(one)}\n`).join(''));
  execFileSync('build/tests/integration', ['--ignored', '--exact', '--nocapture', name], {
    env: { ...process.env, TRIALS_FOLDER: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return readFileSync(join(folder, 'answers.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const loaded = (data) =>
  load(
    structuredClone(data).map((resource) => ({ resource, text: '' })),
    BASE,
  );
const isRecord = (asked) => /\/[$*]/.test(asked);
const isRead = (asked) => asked.includes('/') && !asked.includes('?') && !isRecord(asked);
const isEqual = (one, other) => one.length === other.length && one.every((item, at) => item === other[at]);
const union = (lists) => [...new Set(lists.flat())].sort();

/// Returns all references in a resource.
function referencesIn(resource) {
  const found = new Set();
  JSON.stringify(resource, (name, value) => {
    if (name === 'reference') found.add(value);
    return value;
  });
  return found;
}

// --- Expected answers ---

/// Returns the question with the implied patient. If a grant has a patient and the question names none, that patient is
/// implied. For Observations, the whole compartment counts, which includes those that name the patient elsewhere.
function implied(asked, { patient, scopes }) {
  const { type } = parseQuery(asked);
  const isMeant = patient && /(^| )patient\//.test(scopes) && !/^Patient\/|patient=|_id=/.test(asked);
  if (!isMeant || (type !== '' && !PARAMS[type].patient)) return asked;
  if (/^Observation(\?|$)/.test(asked)) return `Patient/${patient}/${asked}`;
  return `${asked}${asked.includes('?') ? '&' : '?'}patient=${patient}`;
}

/// Returns the expected answer to a question: {ids, includedOf(page)}.
function expected(resources, grant, asked) {
  const index = indexOf(resources);
  const opened = resources.map(({ resource }) => resource).filter((one) => allowed(grant, one, 'search', index));
  if (isRead(asked)) {
    const isOpen = ({ resource }) => addressOf(resource) === asked && allowed(grant, resource, 'read', index);
    return { ids: resources.some(isOpen) ? [asked] : [], includedOf: () => [] };
  }
  const [, patient, all, types] = /^Patient\/(\w+)\/(\$everything|\*)(?:.*_type=([^&]+))?/.exec(asked) ?? [];
  if (all) return all === '*' ? members(patient, opened, grant, index) : record(patient, opened, types, index);
  const query = implied(asked, grant);
  // A type without the parameter `patient` refuses it.
  const { type } = parseQuery(query);
  const isWithout = /[?&]patient=/.test(query) && type !== '' && !PARAMS[type].patient;
  if (isWithout) return { ids: [], includedOf: () => [] };
  const find = (of) => search(resources, grant, of, { base: BASE, now: NOW });
  const several = /_type=([^&]+)&/.exec(asked)?.[1].split(',');
  if (several) {
    const of = (type) => implied(`${type}${asked.replace(/_type=[^&]+&/, '')}`, grant);
    const ids = several.flatMap((type) => find(of(type)).ids);
    return { ids, includedOf: () => [], isWithoutOrder: true };
  }
  return find(query);
}

/// Returns the record of a patient, and the resources of the directory that it refers to, in two steps.
function record(patient, opened, types, index) {
  const isWanted = ({ resourceType }) => !types || types.split(',').includes(resourceType);
  const isOwn = (resource) => isEqual([...ownerOf(resource, index)], [patient]);
  const own = opened.filter(
    (resource) => isWanted(resource) && ownerOf(resource, index) !== 'everyone' && isOwn(resource),
  );
  let newest = own;
  const reached = [];
  for (let step = 0; step < 2; step++) {
    const cited = new Set(newest.flatMap((resource) => [...referencesIn(resource)]));
    const isCited = (one) => REFERRED.includes(one.resourceType) && isWanted(one) && cited.has(addressOf(one));
    newest = opened.filter(isCited);
    reached.push(...newest.map(addressOf));
  }
  return { ids: own.map(addressOf), reached, isWithoutOrder: true };
}

/// Returns a search of all types in the compartment: all of its members except for Patients. For a patient other than
/// its own, a grant opens only the types with a scope that reaches other patients.
function members(patient, opened, grant, index) {
  const scopes = grant.scopes.split(' ').map(parseScope).filter(Boolean);
  const isOfOthers = (type) =>
    scopes.some(({ level, search, types }) => level !== 'patient' && search && types.includes(type));
  const isFound = (resource) =>
    resource.resourceType !== 'Patient' &&
    (grant.patient === patient || isOfOthers(resource.resourceType)) &&
    isMember(resource, patient, index, BASE);
  return { ids: opened.filter(isFound).map(addressOf), reached: [], isWithoutOrder: true };
}

/// Returns whether a question may be refused although the grant opens some results: it needs the scopes of further
/// types, or names another patient than the token.
function mayBeRefused(asked, patient) {
  const names = asked
    .split(/[?&]/)
    .slice(1)
    .map((parameter) => parameter.split('=')[0]);
  const of = /^Patient\/(\w+)\/[^?]*\?/.exec(asked)?.[1];
  return names.some((name) => /^_has|^_type$|^member$|\./.test(name)) || (of !== undefined && of !== patient);
}

/// Returns a description of the fault of an answer, or undefined.
function wrong(resources, asked, { pages, openToAll }, whose) {
  const index = indexOf(resources);
  const { ids, includedOf, reached, isWithoutOrder } = expected(resources, grantOf(whose), asked);
  const found = pages.flatMap((page) => page.ids);
  const [{ status }] = pages;
  if (status !== 200) {
    const isRefusable = isRecord(asked)
      ? asked.includes('$') && status === 400
      : !openToAll || mayBeRefused(asked, whose.patient);
    return ids.length > 0 && !isRefusable ? `${status}, and not ${ids}` : undefined;
  }
  const order = (list) => (isWithoutOrder ? list.toSorted() : list);
  const isCount = asked.includes('_summary=count');
  if (!isCount && !isEqual(order(found), order(ids))) return `${found}, and not ${ids}`;
  if (reached && !isEqual(union(pages.map((page) => page.included)), union(reached))) return `not with ${reached}`;
  for (const { ids: page, included, named, total } of pages) {
    if (total !== null && total !== ids.length) return `a total of ${total}, and not ${ids.length}`;
    if (!reached && !isEqual(included.toSorted(), includedOf(page))) return `with ${included}, not ${includedOf(page)}`;
    const concerned = union([...page, ...included].map((key) => [...patientsOf(index.byKey.get(key), index)]));
    if (!isEqual(named.toSorted(), concerned)) return `the audit names ${named}, and not ${concerned}`;
  }
  return undefined;
}

test('whatever is granted and asked, nothing leaks, nothing is lost, and the stores agree', (t) => {
  const draw = drawing(SEED);
  const one = () => {
    const whose = { ...token(draw), purpose: draw.chance(0.2) ? 'transfer' : undefined };
    // Sometimes ask for the user's own resource, which random questions rarely hit.
    const isOwn = whose.fhirUser && draw.chance(0.1);
    return { ...whose, question: isOwn ? whose.fhirUser : question(draw) };
  };
  const populations = Array.from({ length: POPULATIONS }, () => {
    const data = hospital(draw);
    const resources = loaded(data);
    const index = indexOf(resources);
    const asked = Array.from({ length: EACH }, one).map((trial) => {
      const grant = grantOf(trial);
      // The answer for a record depends on whether the grant may read the Patient.
      const actions = isRead(trial.question) ? ['read'] : isRecord(trial.question) ? ['read', 'search'] : ['search'];
      const isOpen = (each) => actions.some((action) => allowed(grant, each, action, index));
      const opened = resources.map(({ resource }) => resource).filter(isOpen);
      return { ...trial, opened: opened.map(addressOf) };
    });
    return { data, resources, asked };
  });
  const written = populations.map(({ data, asked }) => ({ data, asked }));
  const answers = answersOf('trials.ndjson', 'trials::stores_agree_about_trials_and_nothing_hidden_shows', written);
  let [answered, held] = [0, 0];
  for (const [at, { data, resources, asked }] of populations.entries()) {
    for (const [number, { opened, question, ...whose }] of asked.entries()) {
      const answer = answers[at][number];
      const said = wrong(resources, question, answer, whose);
      assert.ok(!said, `${question} under ${JSON.stringify(whose)}: ${said}\n${said && JSON.stringify(data)}`);
      if (answer.pages[0].status === 200) answered += 1;
      held += answer.pages.reduce((sum, { ids, included }) => sum + ids.length + included.length, 0);
    }
  }
  t.diagnostic(`${POPULATIONS * EACH} trials; ${answered} were answered, with ${held} resources`);
  assert.ok(answered > TRIALS / 4 && held > TRIALS / 4, 'the trials ask too little');
});

// --- Expected exports ---

function exportedBy(resources, { scopes, level, members, filters, types, groups }) {
  const index = indexOf(resources);
  // In an export, only system scopes count. User and patient scopes open nothing.
  const grant = { scopes: scopes.filter((scope) => scope.startsWith('system/')).join(' '), groups };
  const isFound = (resource, filter) => parseQuery(filter).params.every((criterion) => matches(resource, criterion));
  const isOpen = (resource) => {
    const own = filters.filter((filter) => filter.startsWith(`${resource.resourceType}?`));
    const isWanted = own.length === 0 || own.some((filter) => isFound(resource, filter));
    return types.includes(resource.resourceType) && allowed(grant, resource, 'read', index) && isWanted;
  };
  const opened = resources.map(({ resource }) => resource).filter(isOpen);
  if (level === 'System') return union(opened.map(addressOf));
  const isReferred = ({ resourceType }) => REFERRED.includes(resourceType);
  const isIn = (resource) => [...patientsOf(resource, index)].some((patient) => members?.includes(patient) ?? true);
  const found = new Set(opened.filter((resource) => !isReferred(resource) && isIn(resource)));
  for (let size = -1; size < found.size; ) {
    size = found.size;
    const cited = new Set([...found].flatMap((resource) => [...referencesIn(resource)]));
    for (const one of opened) if (isReferred(one) && cited.has(addressOf(one))) found.add(one);
  }
  return union([...found].map(addressOf));
}

test('EX08 an export has what its grant opens and nothing else, each resource once', () => {
  const draw = drawing(`exports ${SEED}`);
  const populations = Array.from({ length: Math.ceil(POPULATIONS / 2.5) }, () => ({
    data: hospital(draw),
    asked: Array.from({ length: EACH / 2 }, () => exportsOfTwo(draw)).flat(),
  }));
  const answers = answersOf('exports.ndjson', 'export_trials::exports_are_carried_out', populations);
  let held = 0;
  for (const [at, { data, asked }] of populations.entries()) {
    const resources = loaded(data);
    for (const [number, one] of asked.entries()) {
      assert.deepEqual(answers[at][number].toSorted(), exportedBy(resources, one), JSON.stringify({ ...one, data }));
      held += answers[at][number].length;
    }
  }
  assert.ok(held > (populations.length * EACH) / 2, `the trials export too little: ${held}`);
});
