// The interface of the browser module: its values, its reports and what it throws. cases.test.mjs tests the answers.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { Chart, explain, fold, initSync, Scopes, verify } from '../../www/pkg/edgechart.js';

initSync({ module: readFileSync('www/pkg/edgechart_bg.wasm') });

const BASE = 'http://here/fhir/r4';
const lines = (...resources) => resources.map((resource) => JSON.stringify(resource)).join('\n');
const of = (patient) => ({ subject: { reference: `Patient/${patient}` } });
const category = (code) => ({ category: [{ coding: [{ code }] }] });
const DATA = `${lines(
  { resourceType: 'Patient', id: 'a', name: [{ family: 'Okafor' }] },
  { resourceType: 'Patient', id: 'b' },
  { resourceType: 'Observation', id: 'lab', ...of('a'), ...category('laboratory') },
  { resourceType: 'Observation', id: 'vit', ...of('a'), ...category('vital-signs') },
  { resourceType: 'Foo', id: 'c' },
  { resourceType: 'Observation', id: 'ob', ...of('b'), performer: [{ reference: 'urn:uuid:1' }] },
)}\noops\n{"resourceType":"Observation","id":"digits","subject":{"reference":"Patient/b"},"valueQuantity":{"value":1.0}}\n`;

const records = (grant) => {
  const chart = new Chart(BASE, grant);
  chart.load(DATA);
  return chart;
};
const ids = (chart, query) => (JSON.parse(chart.search(query)).entry ?? []).map(({ resource }) => resource.id).sort();
/// Returns the code of the outcome that is thrown.
function thrown(act, label) {
  try {
    act();
  } catch ({ issue: [{ code, details }] }) {
    assert.ok(details.text, label);
    return code;
  }
  return assert.fail(`nothing is thrown: ${label}`);
}

test('records without a patient are counted, and patients without a resource are named', () => {
  const chart = new Chart(BASE);
  chart.load(
    lines(
      { resourceType: 'Patient', id: 'a' },
      { resourceType: 'Condition', id: 'of-a', ...of('a') },
      { resourceType: 'Condition', id: 'of-x', ...of('x') },
      { resourceType: 'AllergyIntolerance', id: 'of-x', patient: { reference: 'Patient/x' } },
      { resourceType: 'Condition', id: 'c', subject: { display: 'Ada' } },
      { resourceType: 'Organization', id: 'o' },
    ),
  );
  assert.deepEqual(chart.addresses(), ['Condition/c']);
  assert.equal(chart.addresses('x').length, 2);
  const texts = chart.texts('x').trimEnd().split('\n');
  assert.deepEqual(
    texts.map((text) => JSON.parse(text).id),
    ['of-x', 'of-x'],
  );
  assert.deepEqual(chart.absentPatients().sort(), ['x AllergyIntolerance/of-x', 'x Condition/of-x']);
  assert.deepEqual(ids(chart, 'AllergyIntolerance?patient=x'), ['of-x']);
  chart.load(lines({ resourceType: 'Patient', id: 'x' }));
  assert.deepEqual(chart.absentPatients(), []);
});

test('a load reports what it took and what not', () => {
  const chart = new Chart(BASE);
  const { resources, unserved, unresolved, refused } = chart.load(DATA);
  assert.deepEqual([resources, unserved, unresolved], [6, { Foo: 1 }, 1]);
  assert.equal(refused[0].where, 'line 7');
  assert.match(refused[0].why, /^it is not JSON/);
  assert.deepEqual(chart.counts(), { Observation: 4, Patient: 2 });
});

test('a chart answers with text, digit for digit', () => {
  const chart = records();
  for (const base of ['', `${BASE}/`]) {
    assert.deepEqual(ids(chart, `${base}Observation?patient=a&category=laboratory`), ['lab']);
  }
  assert.match(chart.read('Observation', 'digits'), /"value":1\.0/);
  assert.match(chart.search('Patient?_id=a', '2026-01-02T03:04:05Z'), /"lastUpdated":"2026-01-02T03:04:05\.000Z"/);
  assert.equal(
    thrown(() => chart.search('Patient?_id=a', 'soon')),
    'value',
  );
});

test('pages are followed by links of the same records', () => {
  const chart = records(null);
  const { url } = JSON.parse(chart.search('Observation?patient=a&_count=1')).link[1];
  assert.ok(url.startsWith(`${BASE}/Observation?`), url);
  assert.equal(ids(chart, url).length, 1);
  assert.equal(
    thrown(() => new Chart(BASE).search(url)),
    'value',
  );
});

test('a grant narrows what is found', () => {
  const chart = records({ scopes: 'patient/Observation.rs?category=laboratory', patient: 'a' });
  assert.deepEqual(ids(chart, 'Observation'), ['lab']);
  assert.equal(
    thrown(() => chart.search('Observation?patient=b')),
    'forbidden',
  );
  assert.equal(
    thrown(() => chart.read('Observation', 'vit')),
    'not-found',
  );
  assert.equal(
    thrown(() => chart.read('Patient', 'a')),
    'forbidden',
  );
  for (const [patients, found] of [
    [['b'], ['ob']],
    ['all', ['lab', 'ob', 'vit']],
    [[], []],
  ]) {
    chart.authorize({ scopes: 'user/*.read', patients });
    assert.deepEqual(ids(chart, 'Observation?_id=lab,vit,ob'), found);
  }
  // A load does not change the patients that the user may see.
  chart.authorize({ scopes: 'user/*.read', patients: ['b'] });
  chart.load(DATA);
  assert.deepEqual(ids(chart, 'Observation?_id=lab,vit,ob'), ['ob']);
  chart.authorize({ scopes: 'user/*.read' });
  assert.equal(
    thrown(() => chart.search('Observation?_id=ob')),
    'forbidden',
  );
});

test('a bad grant is thrown and changes nothing', () => {
  const chart = records({ scopes: 'patient/*.read', patient: 'a' });
  for (const bad of [
    {},
    { scopes: 1 },
    { scopes: 'patient/Foo.read' },
    { scopes: '', patient: 'a b' },
    { scopes: '', patients: 'some' },
    { scopes: '', patients: [1] },
    { scopes: '', patients: {} },
    [],
    'patient/*.read',
    7,
  ]) {
    assert.equal(
      thrown(() => chart.authorize(bad)),
      'value',
      JSON.stringify(bad),
    );
    assert.equal(
      thrown(() => new Chart(BASE, bad)),
      'value',
      JSON.stringify(bad),
    );
  }
  assert.equal(ids(chart, 'Observation').length, 2);
});

test('what is no question is thrown', () => {
  const chart = records();
  const ofTypes = ['', '?', '/', 'Foo', 'Foo?a=b', 'Observation/', 'Observation/a/b', 'Patient/$x'];
  for (const bad of [...ofTypes, 'http://elsewhere/Patient?_id=a', 'é', 'Patient?%', '\0']) {
    assert.ok(thrown(() => chart.search(bad), bad));
  }
  const named = ['Patient nobody', 'Patient ', ' a', 'Foo a', 'Patient a/b', 'Patient ?_id=a', 'Pa? a'];
  for (const [type, id] of [...named.map((name) => name.split(' ')), ['Patient', 'a b']]) {
    assert.ok(thrown(() => chart.read(type, id), `${type} ${id}`));
  }
});

test('scopes are lines and a matrix', () => {
  const scopes = new Scopes('openid patient/*.read patient/Foo.read', 'a');
  const [first, , refused] = scopes.lines();
  assert.deepEqual(first, { scope: 'openid', says: 'Know who you are, by signing you in' });
  assert.equal(typeof refused.refused, 'string');
  for (const [language, says] of [
    ['es-MX', 'Saber quién es usted, al iniciar su sesión'],
    ['fr', first.says],
  ]) {
    assert.equal(new Scopes('openid', undefined, language).lines()[0].says, says, language);
  }
  const row = (of, type) => of.matrix().find((one) => one.type === type);
  assert.deepEqual(row(scopes, 'Observation').search, { open: true, by: ['patient/*.read'] });
  assert.equal(row(scopes, 'MedicationDispense').read.open, false);
  assert.match(row(scopes, 'MedicationDispense').read.why, /is not in patient\/\*\.read/);
  const part = new Scopes('patient/Goal.r?lifecycle-status=active', 'a');
  assert.deepEqual(row(part, 'Goal').read.narrowed, ['lifecycle-status is active']);
  assert.equal(new Scopes('').matrix().length, 146);
});

test('an explanation says what was added', () => {
  const grant = { scopes: 'patient/*.read', patient: 'a' };
  const said = explain('Observation?code=k', grant);
  assert.deepEqual(said.criteria, [
    { param: 'patient', kind: 'reference', says: 'belongs to Patient/a', added: true },
    { param: 'code', kind: 'token', says: 'code is k' },
  ]);
  assert.equal(said.refused, undefined);
  assert.equal(explain('Coverage?patient=a', grant, 'http://x/').refused.issue[0].code, 'forbidden');
  assert.equal(
    thrown(() => explain('Observation', {})),
    'value',
  );
  assert.equal(explain('Patient/a').criteria[0].says, '_id is a');
  const { refused } = explain('Observation?performer=b', { ...grant, index: 'us-core' });
  assert.equal(refused.issue[0].code, 'not-supported');
});

test('a token is checked line by line', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256', use: 'sig' }] };
  const claims = { iss: 'http://here', aud: BASE, sub: 's', client_id: 'c', jti: 'j', scope: 'openid' };
  const [from, until] = [1_800_000_000, 1_800_000_300];
  const token = await new SignJWT({ ...claims, iat: from, exp: until })
    .setProtectedHeader({ alg: 'ES256', kid: 'k', typ: 'at+jwt' })
    .sign(privateKey);
  const expected = { issuer: 'http://here', audience: BASE, type: 'access' };
  const faults = (now) => verify(token, jwks, now, expected).filter(({ ok }) => !ok);
  assert.deepEqual(faults(from + 1.5), []);
  for (const now of [Number.NaN, Number.POSITIVE_INFINITY, -1e300]) assert.ok(faults(now).length > 0, String(now));
  // A circular object is not a key set.
  const circle = {};
  circle.keys = [circle];
  assert.equal(
    thrown(() => verify(token, circle, 0, expected)),
    'value',
  );
  for (const odd of [undefined, { type: 'refresh' }])
    assert.equal(
      thrown(() => verify(token, jwks, 0, odd)),
      'value',
    );
});

test('a text is folded as searches compare it', () => {
  assert.equal(fold('Zoë O’Brien-NUÑEZ'), "zoe o'brien nunez");
});
