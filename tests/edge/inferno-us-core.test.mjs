// The variants of searches that the US Core test kit sends, with values of the resources that it found, judged by its
// own rules. spec.test.mjs tests the answers to every row of US Core, and discovery.test.mjs tests their declaration.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { EVERYTHING, found, stage } from '../../tools/server/stage.mjs';
import { indexOf, loadResources } from '../oracle/data.mjs';
import { values } from '../oracle/walk.mjs';

const resources = loadResources(['sample']);
const PATIENTS = indexOf(resources)
  .byType.get('Patient')
  .map(({ id }) => id);
const CATEGORIES = {
  CarePlan: ['assess-plan'],
  Condition: ['encounter-diagnosis', 'problem-list-item', 'health-concern'],
  DiagnosticReport: ['LAB', 'LP29684-5', 'LP29708-2', 'LP7839-6'],
  Observation: ['laboratory', 'vital-signs', 'social-history', 'survey', 'sdoh', 'exam', 'imaging'],
};
/// The first searches of the kit, for each type.
const FIRST = `
  AllergyIntolerance CarePlan CareTeam Condition Coverage Device DiagnosticReport DocumentReference Encounter Goal
  Immunization MedicationDispense MedicationRequest Observation Procedure QuestionnaireResponse RelatedPerson
  ServiceRequest`
  .trim()
  .split(/\s+/)
  .flatMap((type) => (CATEGORIES[type] ?? ['']).map((category) => [type, category && `&category=${category}`]));
/// The date parameters whose comparators the kit sends, with their elements.
const DATES = {
  CarePlan: { date: ['period'] },
  Condition: {
    'onset-date': ['onsetDateTime', 'onsetPeriod'],
    'recorded-date': ['recordedDate'],
    'abatement-date': ['abatementDateTime', 'abatementPeriod'],
  },
  DiagnosticReport: { date: ['effectiveDateTime', 'effectivePeriod'] },
  DocumentReference: { date: ['date'] },
  Encounter: { date: ['period'] },
  Goal: { 'target-date': ['target.dueDate'] },
  Immunization: { date: ['occurrenceDateTime'] },
  MedicationRequest: { authoredon: ['authoredOn'] },
  Observation: { date: ['effectiveDateTime', 'effectivePeriod'] },
  Procedure: { date: ['performedDateTime', 'performedPeriod'] },
  QuestionnaireResponse: { authored: ['authored'] },
  ServiceRequest: { authored: ['authoredOn'] },
};
/// The token parameters of codings, with their elements.
const TOKENS = {
  category: 'category',
  code: 'code',
  type: 'type',
  'clinical-status': 'clinicalStatus',
  description: 'description',
  class: 'class',
};
/// The codes of value sets that the kit joins by commas.
const VALUES = {
  CarePlan: { status: 'draft,active,on-hold,revoked,completed,entered-in-error,unknown' },
  CareTeam: { status: 'proposed,active,suspended,inactive,entered-in-error' },
  Device: { status: 'active,inactive,entered-in-error,unknown' },
  DiagnosticReport: {
    status: 'registered,partial,preliminary,final,amended,corrected,appended,cancelled,entered-in-error,unknown',
  },
  DocumentReference: { status: 'current,superseded,entered-in-error' },
  MedicationDispense: {
    status: 'preparation,in-progress,cancelled,on-hold,completed,entered-in-error,stopped,declined,unknown',
  },
  MedicationRequest: {
    status: 'active,on-hold,cancelled,completed,entered-in-error,stopped,draft,unknown',
    intent: 'proposal,plan,order,original-order,reflex-order,filler-order,instance-order,option',
  },
  Observation: { status: 'registered,preliminary,final,amended,corrected,cancelled,entered-in-error,unknown' },
  Procedure: { status: 'preparation,in-progress,not-done,on-hold,stopped,completed,entered-in-error,unknown' },
  ServiceRequest: { status: 'draft,active,on-hold,revoked,completed,entered-in-error,unknown' },
};

const server = await stage({ data: ['sample'] });
after(() => server.close());
const tokens = Object.fromEntries(
  PATIENTS.map((patient) => [patient, server.token(EVERYTHING.replaceAll('system/', 'patient/'), { patient })]),
);

/// Follows all pages of a search, like the kit. Resolves to {ids, included, hits}.
async function all(patient, query, init = {}) {
  const seen = { ids: [], included: [], hits: [] };
  for (let [next, page] = [query, 1]; next; page += 1) {
    assert.ok(page <= 20, `${query}: more pages than the kit follows`);
    const { status, body, text } = await server.ask(next, {
      token: tokens[patient],
      ...(page === 1 && init),
      headers: { accept: 'application/fhir+json', ...(page === 1 && init.headers) },
    });
    assert.equal(status, 200, `${query}: ${text}`);
    assert.deepEqual([body.resourceType, body.type], ['Bundle', 'searchset']);
    const { ids, included } = found(body);
    seen.ids.push(...ids);
    seen.included.push(...included);
    seen.hits.push(
      ...(body.entry ?? []).filter(({ search }) => search.mode === 'match').map(({ resource }) => resource),
    );
    next = body.link.find(({ relation }) => relation === 'next')?.url;
  }
  return seen;
}

/// Each first search of each patient that finds something.
const firsts = [];
for (const patient of PATIENTS) {
  for (const [type, more] of FIRST) {
    const query = `${type}?patient=${patient}${more}`;
    const { ids, hits } = await all(patient, query);
    if (ids.length > 0) firsts.push({ patient, type, more, query, ids, hits });
  }
}

test('a first search finds the same by POST, and by a reference', async () => {
  const types = new Set();
  for (const { patient, type, more, query, ids } of firsts) {
    const body = query.slice(type.length + 1);
    const posted = await all(patient, `${type}/_search`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.deepEqual(posted.ids, ids, query);
    assert.deepEqual((await all(patient, `${type}?patient=Patient/${patient}${more}`)).ids, ids, query);
    types.add(type);
  }
  for (const [type] of FIRST) assert.ok(types.has(type), `${type} is tried`);
});

test('a code is found by its system too, encoded or not', async () => {
  for (const { patient, type, hits } of firsts) {
    for (const [name, element] of Object.entries(TOKENS)) {
      const resource = hits.find((hit) => codingsOf(hit, element).length > 0);
      if (!resource || !declares(type, name)) continue;
      const [{ system, code }] = codingsOf(resource, element);
      for (const bar of ['|', '%7C']) {
        const { ids } = await all(
          patient,
          `${type}?patient=${patient}&${name}=${encodeURIComponent(system)}${bar}${encodeURIComponent(code)}`,
        );
        assert.ok(ids.includes(`${type}/${resource.id}`), `${resource.id} by ${name}=${system}${bar}${code}`);
      }
    }
  }
});

test('the values and comparators that the kit makes of a date find it, and nothing else', async () => {
  const tried = new Set();
  for (const { patient, type, hits } of firsts) {
    for (const [name, elements] of Object.entries(DATES[type] ?? {})) {
      const targets = (resource) => elements.flatMap((element) => values(resource, element));
      const resource = hits.find((hit) => targets(hit).length > 0);
      if (!resource) continue;
      for (const value of valuesOf(targets(resource)[0])) {
        const result = await all(patient, `${type}?patient=${patient}&${name}=${encodeURIComponent(value)}`);
        assert.ok(result.ids.includes(`${type}/${resource.id}`), `${resource.id} by ${name}=${value}`);
        // The kit does not support Timing.
        for (const hit of result.hits.filter((hit) => !hit.effectiveTiming)) {
          assert.ok(
            targets(hit).some((target) => matches(value, target)),
            `${hit.id} is no match of ${name}=${value}`,
          );
        }
        tried.add(`${type} ${name} ${value.slice(0, 2)}`);
      }
    }
  }
  for (const [type, names] of Object.entries(DATES)) {
    for (const name of Object.keys(names)) assert.ok(tried.has(`${type} ${name} ge`), `${type} ${name} is tried`);
  }
});

test('all codes of a value set, joined by commas, find the same as each code by itself', async () => {
  for (const { patient, type, more, query, ids, hits } of firsts) {
    for (const [name, list] of Object.entries(VALUES[type] ?? {})) {
      const known = hits.filter((hit) => list.split(',').includes(hit[name])).map((hit) => `${type}/${hit.id}`);
      assert.deepEqual((await all(patient, `${query}&${name}=${list}`)).ids, known, `${query}&${name}=…`);
      assert.deepEqual(
        (await all(patient, `${type}?${name}=${encodeURIComponent(list)}&patient=${patient}${more}`)).ids,
        known,
      );
      assert.ok(known.length <= ids.length);
    }
  }
});

test('medications that are resources come with their requests and dispenses', async () => {
  for (const type of ['MedicationRequest', 'MedicationDispense']) {
    let seen = 0;
    for (const patient of PATIENTS) {
      const { hits, included } = await all(patient, `${type}?patient=${patient}&_include=${type}:medication`);
      const referred = new Set(
        hits
          .map((hit) => hit.medicationReference?.reference)
          .filter((reference) => reference && !reference.startsWith('#')),
      );
      assert.deepEqual([...included].sort(), [...referred].sort(), `${type} of ${patient}`);
      seen += included.length;
    }
    assert.ok(seen > 0, type);
  }
});

test('provenance comes with every first search of some patient', async () => {
  const without = new Set(FIRST.map(([type]) => type));
  for (const { patient, type, query, ids } of firsts) {
    const { ids: same, included } = await all(patient, `${query}&_revinclude=Provenance:target`);
    assert.deepEqual(same, ids, query);
    if (included.some((id) => id.startsWith('Provenance/'))) without.delete(type);
  }
  assert.deepEqual([...without], []);
});

test('every resource can be read, and every reference leads to one', async () => {
  const token = server.token(EVERYTHING);
  const ids = new Set(resources.map(({ resource }) => `${resource.resourceType}/${resource.id}`));
  const referred = resources.flatMap(({ text }) =>
    [...text.matchAll(/"reference":\s*"([A-Z]\w+\/[\w.-]+)"/g)].map(([, reference]) => reference),
  );
  const targets = [...new Set([...ids, ...referred])];
  for (let at = 0; at < targets.length; at += 20) {
    await Promise.all(
      targets.slice(at, at + 20).map(async (target) => {
        const { status, body } = await server.ask(target, { token });
        assert.equal(status, 200, target);
        assert.equal(`${body.resourceType}/${body.id}`, target);
      }),
    );
  }
});

const declares = (type, name) =>
  ({
    category: ['CarePlan', 'Condition', 'DiagnosticReport', 'DocumentReference', 'Observation', 'ServiceRequest'],
    code: ['Condition', 'DiagnosticReport', 'Observation', 'Procedure', 'ServiceRequest'],
    type: ['Device', 'DocumentReference', 'Encounter', 'MedicationDispense'],
    'clinical-status': ['AllergyIntolerance', 'Condition'],
    description: ['Goal'],
    class: ['Encounter'],
  })[name].includes(type);

function codingsOf(resource, element) {
  return values(resource, element)
    .flatMap((value) => value.coding ?? (value.code ? [value] : []))
    .filter(({ system, code }) => system && code);
}

const DAY = 86_400_000;
const inFull = (time) => new Date(time).toISOString().replace(/\.\d+Z$/, '+00:00');

/// Returns the kit's search values for a date: the value itself if it has a time, and each comparator one day away.
function valuesOf(target) {
  const { start, end, exact } = typeof target === 'string' ? spanOf(target) : periodOf(target);
  const [from, to] = [start ?? end, end ?? start];
  const around = [
    `gt${inFull(from - DAY)}`,
    `ge${inFull(from - DAY)}`,
    `lt${inFull(to + DAY)}`,
    `le${inFull(to + DAY)}`,
  ];
  return exact ? [target, ...around] : around;
}

function periodOf({ start, end }) {
  return { start: start && spanOf(start).start, end: end && spanOf(end).end };
}

/// Returns the first and the last second of a date, in UTC if it has no zone.
function spanOf(text) {
  if (text.includes('T')) return { start: Date.parse(text), end: Date.parse(text), exact: true };
  const [year, month, day] = text.split('-').map(Number);
  const start = Date.UTC(year, (month ?? 1) - 1, day ?? 1);
  const next = day ? start + DAY : month ? Date.UTC(year, month, 1) : Date.UTC(year + 1, 0, 1);
  return { start, end: next - 1_000, exact: false };
}

/// Returns whether the kit accepts a resource with that date as a match.
function matches(value, target) {
  const [, prefix, text] = /^(gt|ge|lt|le)?(.*)$/.exec(value);
  const sought = spanOf(text);
  const isDate = typeof target === 'string' && !target.includes('T');
  const { start = -Infinity, end = Infinity } = typeof target === 'string' ? spanOf(target) : periodOf(target);
  const slack = sought.exact && isDate ? DAY : 0;
  const within = sought.start <= start && end <= sought.end;
  const later = end + slack > sought.end;
  const earlier = start - slack < sought.start;
  return { gt: later, ge: later || within, lt: earlier, le: earlier || within }[prefix] ?? within;
}

test('the comparison of dates follows the rules of the kit', () => {
  for (const [value, target, expected] of [
    ['gt2024-01-01', '2024-01-01', false],
    ['ge2024-01-01', '2024-01-01', true],
    ['lt2024-01-02', '2024-01-01', true],
    ['2024', '2024-05', true],
    ['2024-05', '2024', false],
    ['gt2024-01-01T12:00:00+00:00', '2024-01-01', true],
    ['gt2030', { start: '2020-01-01' }, true],
    ['lt2010', { start: '2020-01-01' }, false],
    ['2020', { start: '2020-01-01' }, false],
  ]) {
    assert.equal(matches(value, target), expected, `${value} ${JSON.stringify(target)}`);
  }
});
