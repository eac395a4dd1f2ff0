// Searches among all resources of a type: patients, practitioners, their roles, organizations and locations. Every
// parameter alone, every combination that US Core names, and every two parameters of a type find the same as the plain
// evaluator. The rows that they read are within the budget of tests/oracle/cost.mjs.

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { population } from '../../tools/populate.mjs';
import { servedTypes } from '../../tools/server/served.mjs';
import { BASE, budget, cost, EVERYTHING, found, isOfRows, shared, stage } from '../../tools/server/stage.mjs';
import { rowsRead } from '../oracle/cost.mjs';
import { indexOf, loadResources } from '../oracle/data.mjs';
import { PARAMS } from '../oracle/params.mjs';
import { generator, instantiate, pick, readRows } from '../oracle/rows.mjs';
import { search } from '../oracle/search.mjs';
import { temporaryFolder } from '../server/folder.mjs';
import { inFlight } from '../server/in-flight.mjs';

const TYPES = ['Patient', 'Practitioner', 'PractitionerRole', 'Organization', 'Location', 'RelatedPerson'];
const DATA_5 = shared('5-synthea-2020-normalised-derived');
const DATA_2 = shared('2-synthea-2024-uscore-ndjson');
const absent = [...(DATA_5 ? [] : ['data/5']), ...(DATA_2 ? [] : ['data/2'])];
/// The number of random searches for every parameter, and for every two parameters.
const DRAWS = Number(process.env.DRAWS ?? 3);
const SERVED = servedTypes();
/// Returns the parameters of a type that the server offers and the evaluator knows: [name, param].
const paramsOf = (type) => Object.entries(PARAMS[type]).filter(([name]) => SERVED[type].parameters.includes(name));
/// Sets of resources by name: {name, types, server, token, user, resources}.
const sets = {};
const folder = temporaryFolder();

async function addSet(name, files, types = TYPES) {
  const resources = loadResources(files).filter(({ resource }) => types.includes(resource.resourceType));
  // No search may use an isolate's chart without checking its version.
  const server = await stage({ data: files, vars: { FRESH_SECONDS: '0' }, bare: true });
  server.enrol({ everyone: 'all' });
  sets[name] = {
    name,
    types,
    server,
    resources,
    token: server.token(EVERYTHING),
    user: server.token('user/Patient.rs', { user: 'everyone' }),
  };
}

/// Writes the resources of these types in a population of `patients` patients, and the endpoints of roles, to a file. A
/// whole population is too large for one string.
function people(file, patients) {
  const starts = [...TYPES, 'Endpoint'].map((type) => `{"resourceType":"${type}",`);
  const own = [];
  for (const line of population(patients)) {
    if (starts.some((start) => line.startsWith(start))) own.push(line);
  }
  writeFileSync(file, own.join(''));
  return file;
}

/// Returns the files of directory types in the public data.
const directory = (path, suffix) =>
  TYPES.map((type) => join(path, `${type}${suffix}`)).filter((file) => existsSync(file));

before(async () => {
  for (const patients of [100, 1000]) {
    await addSet(`${patients} patients`, [people(join(folder, `${patients}.ndjson`), patients)]);
  }
  if (DATA_5) await addSet('data/5', [DATA_5]);
  // The roles in these data refer by identifier, which the evaluator does not follow.
  if (DATA_2) {
    await addSet('data/2', directory(DATA_2, '.1000-patients.ndjson.gz'), ['Patient', 'Organization', 'Location']);
  }
});
after(async () => {
  for (const { server } of Object.values(sets)) await server.close();
});

const encode = (name, value) => `${name}=${encodeURIComponent(value)}`;

/// Returns a clause with a value of the resource for the parameter, in a random form.
function asked(resource, name, index, random) {
  const param = PARAMS[resource.resourceType][name];
  const behind = param.kind === 'chain' ? PARAMS[param.type][param.to] : param;
  const sources =
    param.kind !== 'chain'
      ? [resource]
      : PARAMS[resource.resourceType][param.via]
          .facts(resource)
          .map(({ type, id }) => index.byKey.get(`${type}/${id}`))
          .filter(Boolean);
  const fact = pick(
    sources.flatMap((source) => behind.facts(source)),
    random,
  );
  if (fact === undefined) return undefined;
  switch (behind.kind) {
    case 'string': {
      const words = fact.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
      const word = pick(words, random) ?? fact;
      const form = Math.floor(random() * 6);
      if (form === 5) return encode(`${name}:exact`, fact.replace(/[\\,|$]/g, '\\$&'));
      return encode(name, form < 2 ? word : word.slice(0, [1, 2, 4][form - 2]));
    }
    case 'token':
      return encode(name, pick([fact.code, `${fact.system}|${fact.code}`, `${fact.system}|`], random));
    case 'date': {
      const day = new Date(Number(fact.from / 1000n)).toISOString().slice(0, 10);
      const decade = `${Number(day.slice(0, 4)) - 10}${day.slice(4)}`;
      const form = pick(['D', 'M', 'Y', 'geY', 'geD', 'leD', 'ltY', 'gtM', 'geX', 'saX'], random);
      return encode(
        name,
        form.replace('D', day).replace('M', day.slice(0, 7)).replace('Y', day.slice(0, 4)).replace('X', decade),
      );
    }
    case 'reference':
      return encode(name, `${fact.type}/${fact.id}`);
    default:
      return undefined;
  }
}

/// Yields searches by every parameter and by every two parameters of each type: [label, query].
function* drawn({ resources, types }, draws) {
  const index = indexOf(resources);
  const random = generator('every two parameters');
  for (const type of types) {
    const pool = index.byType.get(type) ?? [];
    const names = paramsOf(type)
      .map(([name]) => name)
      .filter((name) => !['_id', 'patient'].includes(name))
      .sort();
    const alone = names.filter((name) => type !== 'RelatedPerson' || name === 'name').map((name) => [name]);
    const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other]));
    for (const chosen of [...alone.filter(([name]) => type !== 'Patient' || name !== '_lastUpdated'), ...pairs]) {
      for (let draw = 0, tries = 0; draw < draws && tries < 20 * draws; tries++) {
        const resource = pick(pool, random);
        if (!resource) break;
        const all = chosen.map((name) => asked(resource, name, index, random));
        if (all.includes(undefined)) continue;
        draw += 1;
        yield [`${type}?${chosen.join('&')}`, `${type}?${all.join('&')}`];
      }
    }
  }
}

/// Yields searches by each combination that US Core and the contract name: [label, query].
function* combinations({ resources, types }) {
  for (const row of readRows().filter(({ type, query }) => types.includes(type) && query.includes('?'))) {
    const label = row.query.replace(/=?(\{cmp\})?\{[\w.-]+\+?\}/g, '').replace(/=[^&]*:/g, '=');
    for (const query of instantiate(row, resources, { base: BASE, patients: 4, perPatient: 6 })) yield [label, query];
  }
}

/// Compares the first page with the plain evaluator's. Resolves to {rows, entries, matches, most, isSingle}.
async function measured({ server, resources, token }, query) {
  const answer = await server.ask(query, { token });
  assert.equal(answer.status, 200, `${query}: ${answer.text}`);
  const page = found(answer.body);
  const grant = { scopes: EVERYTHING };
  const expected = search(resources, grant, query, { base: BASE }).ids;
  assert.deepEqual(page.ids, expected.slice(0, Number(/_count=(\d+)/.exec(query)?.[1] ?? 50)), query);
  const { rows, trips } = cost(answer);
  const entries = page.ids.length + page.included.length;
  const allowed = budget(entries, query);
  assert.ok(trips <= allowed.trips, `${query}: ${trips} trips`);
  if (!isOfRows(query)) return { rows, entries, matches: expected.length, most: allowed.rows, isSingle: false };
  const shape = { page: page.ids, included: page.included.length, base: BASE };
  const read = rowsRead(resources, grant, query, shape);
  const most = read.isSingle ? Math.min(read.rows, allowed.rows) : read.rows;
  return { rows, entries, matches: expected.length, most, isSingle: read.isSingle };
}

/// Keeps the most expensive search of each label, by the rows above its budget.
class Table {
  rows = new Map();

  add(label, query, { rows, entries, most }) {
    const over = rows - most;
    if (over > (this.rows.get(label)?.over ?? -Infinity)) this.rows.set(label, { over, rows, entries, query });
  }

  print(t, name) {
    for (const [label, { over, rows, entries, query }] of this.rows) {
      const column = (value, width) => String(value).padStart(width);
      const counts = `${column(rows, 5)} rows, ${column(entries, 3)} entries, ${column(-over, 4)} left`;
      t.diagnostic(`${column(name, 13)} ${counts}: ${label}   ${decodeURIComponent(query)}`);
    }
  }
}

for (const name of ['data/5', '100 patients', '1000 patients', 'data/2']) {
  test(`${name}: every combination of US Core and every two parameters read the candidates of one clause`, {
    skip: absent.includes(name) ? `${name} is not here` : false,
  }, async (t) => {
    const set = sets[name];
    const table = new Table();
    let queries = 0;
    await inFlight([...combinations(set), ...drawn(set, DRAWS)], async ([label, query]) => {
      table.add(label, query, await measured(set, query));
      queries += 1;
    });
    table.print(t, name);
    for (const [label, { over, rows, entries, query }] of table.rows) {
      assert.ok(over <= 0, `${label}: ${rows} rows for ${entries} entries, ${over} too many: ${query}`);
    }
    t.diagnostic(`${queries} queries`);
  });
}

test('a directory tells what lacks an element, and what does not have a value', async () => {
  const { server, resources, token } = sets['100 patients'];
  const queries = ['Practitioner', 'Organization', 'Location'].flatMap((type) => {
    const known = paramsOf(type).filter(([, { present }]) => present);
    const missing = known.flatMap(([name]) => [`${name}:missing=true`, `${name}:missing=false`]);
    const ofType = resources.map(({ resource }) => resource).filter(({ resourceType }) => resourceType === type);
    const not = known
      .filter(([, { kind }]) => kind === 'token')
      .flatMap(([name, { facts }]) =>
        ofType
          .flatMap((resource) => facts(resource))
          .slice(0, 1)
          .map((fact) => [name, fact]),
      )
      .map(([name, { system, code }]) => encode(`${name}:not`, `${system}|${code}`));
    return [...missing, ...not].map((clause) => `${type}?${clause}`);
  });
  assert.ok(queries.length > 20);
  await inFlight(queries, async (query) => {
    const answer = await server.ask(query, { token });
    assert.equal(answer.status, 200, `${query}: ${answer.text}`);
    const { ids } = search(resources, { scopes: EVERYTHING }, query, { base: BASE });
    assert.deepEqual(found(answer.body).ids, ids.slice(0, 50), query);
  });
});

test('chains and _has within the directory cost a trip for each step, and the rows of what it finds', async (t) => {
  const file = people(join(folder, 'r4.ndjson'), 100);
  const resources = loadResources([file]);
  const grant = { scopes: EVERYTHING };
  const idsOf = (query) => search(resources, grant, query, { base: BASE }).ids;
  const server = await stage({ data: [file], index: 'r4', vars: { FRESH_SECONDS: '0' }, bare: true });
  try {
    const token = server.token(EVERYTHING);
    // The query of each step, and the rows that the step reads for each match: a key, and, if a reference leads on from
    // the match, also its text, and the id in a list.
    for (const [query, ...steps] of [
      ['PractitionerRole?organization.name=harbor', ['Organization?name=harbor', 1]],
      [
        'PractitionerRole?organization:Organization.address-city=boston&_count=10',
        ['Organization?address-city=boston', 1],
      ],
      ['Location?organization.address-city=boston', ['Organization?address-city=boston', 1]],
      ['Organization?_has:Location:organization:address-city=boston', ['Location?address-city=boston', 3]],
      [
        'Practitioner?_has:PractitionerRole:practitioner:organization.name=harbor',
        ['Organization?name=harbor', 1],
        ['PractitionerRole?organization.name=harbor', 3],
      ],
    ]) {
      const answer = await server.ask(query, { token });
      assert.equal(answer.status, 200, `${query}: ${answer.text}`);
      const { ids } = found(answer.body);
      assert.deepEqual(ids, idsOf(query).slice(0, Number(/_count=(\d+)/.exec(query)?.[1] ?? 50)), query);
      assert.ok(ids.length > 0, query);
      const { rows, trips } = cost(answer);
      const looked = steps.reduce((sum, [step, each]) => sum + each * idsOf(step).length, 0);
      t.diagnostic(`${rows} rows for ${ids.length} entries and ${looked} on the way, in ${trips} trips: ${query}`);
      assert.equal(trips, steps.length + 1, query);
      assert.ok(rows <= 3 * ids.length + 20 + looked, `${query}: ${rows} rows`);
    }
  } finally {
    await server.close();
  }
});

test('1,000 patients cost no more rows than 100 for one parameter in the order of the answer', async (t) => {
  const [few, many] = [sets['100 patients'], sets['1000 patients']];
  let [queries, worst] = [0, 0];
  await inFlight([...combinations(few), ...drawn(few, DRAWS)], async ([, query]) => {
    const [less, more] = [await measured(few, `${query}&_count=5`), await measured(many, `${query}&_count=5`)];
    if (!less.isSingle || less.entries !== more.entries) return;
    queries += 1;
    // The first row of a next page, its text, and, for a type that belongs to patients, its owner.
    const ofNext = query.startsWith('RelatedPerson?') ? 3 : 2;
    const next = less.matches <= 5 && more.matches > 5 ? ofNext : 0;
    worst = Math.max(worst, more.rows - less.rows - next);
    if (more.rows > less.rows) {
      const matches = `${less.matches} and ${more.matches} matches`;
      t.diagnostic(`${less.rows} and ${more.rows} rows for ${more.entries} entries, of ${matches}: ${query}`);
    }
  });
  t.diagnostic(`${queries} queries with as many entries: ${worst} rows more at most`);
  assert.ok(queries > 100);
  assert.ok(worst <= 0, `${worst} rows more`);
});
