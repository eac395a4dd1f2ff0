// Records in words, without a browser: dates of every precision, ages, numbers with their digits, flags, names of requests.

import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { build } from 'esbuild';

let date, measure, names, units, text, standing, routes, json, copy, compare, query;
before(async () => {
  const outdir = mkdtempSync(join(tmpdir(), 'edgechart-words-'));
  const modules = ['fhir/date', 'fhir/measure', 'fhir/names', 'fhir/units', 'fhir/text', 'fhir/standing', 'routes', 'fhir/json', 'source/copy', 'search/compare', 'search/query'];
  await build({ entryPoints: modules.map((name) => `www/src/${name}.ts`), outdir, outbase: 'www/src', bundle: true, format: 'esm', outExtension: { '.js': '.mjs' }, logLevel: 'error' });
  [date, measure, names, units, text, standing, routes, json, copy, compare, query] = await Promise.all(modules.map((name) => import(join(outdir, `${name}.mjs`))));
});

const spaced = (words) => words?.replaceAll('\u00a0', ' ');

test('a date is as exact as it was written, in the zone that it was written in', () => {
  for (const [written, shown] of [['2019', '2019'], ['2019-05', 'May 2019'], ['2019-05-14', '14 May 2019'], ['2019-05-14T23:40:00-05:00', '14 May 2019, 23:40'], ['2019-05-14T07:40:00.123Z', '14 May 2019, 07:40'], ['2019-05-14T07:40', '14 May 2019, 07:40'], ['not a date', 'not a date'], [undefined, '']]) {
    assert.equal(spaced(date.clockDate(written)), shown);
  }
});

test('partial dates sort by where they begin, and what has none comes last', () => {
  const sorted = date.newest(['2019', undefined, '2019-05-02', '2020-01-01T00:00:00+14:00', '2019-05', '2031-01-01', 'nonsense'].map((on) => ({ on })), ({ on }) => on).map(({ on }) => on);
  assert.deepEqual(sorted, ['2031-01-01', '2020-01-01T00:00:00+14:00', '2019-05-02', '2019-05', '2019', undefined, 'nonsense']);
});

test('an age is in years, of the young in months or days, and about so where the birth date is only a year', () => {
  const on = new Date('2026-11-21T12:00:00Z');
  for (const [born, old] of [['1964-08-19', '62 y'], ['1964-11-22', '61 y'], ['2026-05-27', '5 mo'], ['2024-11-21', '2 y'], ['2024-11-22', '23 mo'], ['2023-11-20', '3 y'], ['2026-11-19', '2 d'], ['1980', 'about 46 y'], ['2030-01-01', undefined], [undefined, undefined]]) {
    assert.equal(spaced(date.age(born, on)), old, born);
  }
});

test('numbers keep the digits that they were sent with, in words and in JSON', () => {
  const sent = '{"valueQuantity":{"value":7.0,"unit":"%"},"other":[{"value":0.10},{"value":5}],"value":"7.0"}';
  const parsed = json.parsed(sent);
  assert.equal(text.quantity(parsed.valueQuantity), '7.0%');
  assert.deepEqual(Object.keys(parsed.valueQuantity), ['value', 'unit'], 'nothing is added that a loop would meet');
  assert.equal(json.printed(parsed).replace(/\s/g, ''), sent);
  assert.equal(json.parsed('{'), undefined);
});

test('a quantity says its comparator and its unit, and nothing where there is none', () => {
  assert.equal(spaced(text.quantity({ value: 60, comparator: '<', unit: 'mL/min' })), '< 60 mL/min');
  assert.equal(spaced(text.quantity({ value: 97, unit: '%' })), '97%');
  assert.equal(text.quantity({ value: 3 }), '3');
  assert.equal(text.quantity(undefined), undefined);
});

test('a flag is what the laboratory said; only where it said nothing the range decides, and never across units', () => {
  const range = [{ low: { value: 4, code: '%' }, high: { value: 5.6, code: '%' } }];
  const said = (code) => [{ coding: [{ code }] }];
  assert.equal(measure.flag({ valueQuantity: { value: 9, code: '%' }, interpretation: said('N'), referenceRange: range }), undefined);
  assert.equal(measure.flag({ valueQuantity: { value: 8, code: '%' }, referenceRange: range }), 'high');
  assert.equal(measure.flag({ valueQuantity: { value: 3, code: '%' }, referenceRange: range }), 'low');
  assert.equal(measure.flag({ valueQuantity: { value: 75, code: 'mmol/mol' }, referenceRange: range }), undefined);
  assert.equal(measure.flag({ valueQuantity: { value: 5 }, interpretation: said('HH') }), 'critical-high');
  assert.equal(measure.flag({ valueString: 'cloudy' }), undefined);
});

test('far outside its range is told from slightly outside: by the laboratory’s word, or by the distance', () => {
  const said = (code) => [{ coding: [{ code }] }];
  const flag = (value, low, high, code) => measure.flag({ valueQuantity: { value }, referenceRange: [{ ...(low === undefined ? {} : { low: { value: low } }), ...(high === undefined ? {} : { high: { value: high } }) }], ...(code ? { interpretation: said(code) } : {}) });
  for (const [value, low, high, code, expected] of [
    [5.7, 4, 5.6, undefined, 'high'], [8.4, 4, 5.6, undefined, 'high'], [8.5, 4, 5.6, undefined, 'far-high'], [8.5, 4, 5.6, 'H', 'far-high'], [8.5, 4, 5.6, 'HH', 'critical-high'],
    [8.5, 4, 5.6, 'N', undefined], [5.7, 4, 5.6, 'HU', 'far-high'], [53, 60, undefined, 'L', 'low'], [39, 60, undefined, 'L', 'far-low'], [39, 60, undefined, 'LL', 'critical-low'],
    [164, 136, 145, undefined, 'far-high'], [2.3, 3.5, 5.1, undefined, 'far-low'], [1, undefined, 0, undefined, 'high'], [9, undefined, undefined, 'H', 'high'],
  ]) assert.equal(flag(value, low, high, code), expected, `${value} in ${low}–${high}, ${code}`);
  assert.deepEqual([measure.FLAGS.high, measure.FLAGS['far-high'], measure.FLAGS['critical-high']].map(({ sign, says }) => `${sign} ${says}`), ['▲ High', '▲▲ Far above', '▲▲ Critically high']);
});

test('units are printed as people write them', () => {
  for (const [unit, printed] of [
    ['mm[Hg]', 'mmHg'], ['mmHg', 'mmHg'], ['beats/minute', 'beats/min'], ['{beats}/min', 'beats/min'], ['/min', '/min'], ['Cel', '°C'], ['[degF]', '°F'], ['kg/m2', 'kg/m²'], ['g/cm2', 'g/cm²'],
    ['10*3/uL', '×10³/µL'], ['10*6/uL', '×10⁶/µL'], ['10*12/L', '×10¹²/L'], ['ug/dL', 'µg/dL'], ['umol/L', 'µmol/L'], ['u[IU]/mL', 'µIU/mL'], ['m[IU]/L', 'mIU/L'], ['[iU]/L', 'IU/L'], ['U/L', 'U/L'],
    ['mL/min/{1.73_m2}', 'mL/min/1.73 m²'], ['mL/min/1.73m2', 'mL/min/1.73 m²'], ['{score}', ''], ['{#}', ''], ['mg/g{creat}', 'mg/g'], ['{puff}', 'puff'], ['mEq/L', 'mEq/L'], ['%', '%'], ['unspecified', 'unspecified'],
  ]) assert.equal(spaced(units.printedUnit(unit)), printed, unit);
  assert.deepEqual([[1, 'tablet'], [90, 'tablet'], [2, '{tbl}'], [1, 'd'], [30, 'd'], [2, 'patch']].map(([count, unit]) => units.printedUnit(unit, count)), ['tablet', 'tablets', 'tablets', 'day', 'days', 'patches']);
  assert.equal(spaced(text.quantity({ value: 126, code: 'mm[Hg]' })), '126 mmHg');
});

test('names of LOINC are cut before what is for laboratories', () => {
  for (const [name, main, rest] of [
    ['Blood pressure panel with all children optional', 'Blood pressure', ''], ['Creatinine [Mass/volume] in Serum or Plasma', 'Creatinine', 'Serum or Plasma'], ['Hemoglobin A1c/Hemoglobin.total in Blood', 'Hemoglobin A1c', 'Blood'],
    ['Body mass index (BMI) [Percentile] Per age and sex', 'Body mass index (BMI) percentile', 'Per age and sex'], ['Glucose [Mass/volume] in Serum or Plasma --1 hour post 50 g glucose PO', 'Glucose, 1 hour post 50 g glucose PO', 'Serum or Plasma'],
    ['Total score [MoCA]', 'Total score [MoCA]', ''], ['Heart rate', 'Heart rate', ''], ['Cholesterol in HDL [Mass/volume] in Serum or Plasma', 'Cholesterol in HDL', 'Serum or Plasma'],
  ]) assert.deepEqual(names.shortName(name), { main, rest });
});

test('an address in place of a name is said in words where it is a UUID', () => {
  const id = '5f3c2a1b-0d4e-4f6a-8b7c-9d0e1f2a3b4c';
  assert.equal(text.reference({ reference: `Practitioner/${id}` }), 'Practitioner without a name');
  assert.equal(text.reference({ reference: `https://x.example/fhir/CareTeam/${id}` }), 'Care Team without a name');
  assert.equal(text.reference({ reference: `urn:uuid:${id}` }), 'Record without a name');
  assert.equal(text.reference({ reference: `Practitioner/${id}`, display: 'Dr. Lindholm' }), 'Dr. Lindholm');
  assert.equal(text.reference({ reference: 'Practitioner/grace-lindholm' }), 'Practitioner/grace-lindholm');
});

test('a prescription is current where it is taken now: no draft, no plan, nothing on hold; a plan that is reported is', () => {
  for (const [request, expected] of [
    [{ status: 'active', intent: 'order' }, 'current'], [{ status: 'active', intent: 'plan', reportedBoolean: true }, 'current'], [{ status: 'active', intent: 'plan', reportedReference: {} }, 'current'],
    [{ status: 'active', intent: 'plan' }, 'planned'], [{ status: 'active', intent: 'plan', reportedBoolean: false }, 'planned'], [{ status: 'active', intent: 'proposal' }, 'planned'], [{ status: 'draft', intent: 'order' }, 'planned'],
    [{ status: 'draft', intent: 'plan', reportedBoolean: true }, 'planned'], [{ status: 'on-hold', intent: 'order' }, 'held'], [{ status: 'active', intent: 'order', doNotPerform: true }, 'avoid'],
    [{ status: 'unknown', intent: 'order' }, 'current'], [{ intent: 'order' }, 'current'], ...['completed', 'stopped', 'cancelled', 'entered-in-error'].map((status) => [{ status, intent: 'order' }, 'past']),
  ]) assert.equal(standing.standingOf(request), expected, JSON.stringify(request));
});

test('an address says whose records it shows; one of an earlier version is completed', () => {
  const at = (hash, pathname = '/') => { const { name, parts, source } = routes.here({ pathname, hash }); return [source, name, ...parts]; };
  assert.deepEqual(at('#/session/chart/a%2Fb/trend/4548-4'), ['session', 'chart', 'a/b', 'trend', '4548-4']);
  assert.deepEqual(at('#/sample/patients'), ['sample', 'patients']);
  assert.deepEqual(at('#/session'), [undefined, 'session']);
  assert.deepEqual(at('', '/callback.html'), [undefined, 'callback']);
  assert.equal(routes.chartAt('sample', 'a/b', 'trend', 'x y'), '/#/sample/chart/a%2Fb/trend/x%20y');
  const completed = (hash, signedIn) => routes.completed(routes.here({ pathname: '/', hash }), signedIn);
  assert.deepEqual(['#/chart/a/timeline', '#/chart/', '#/chart', '#/patients', '#/sample/chart/', '#/session/chart', '#/session/chart/a', '#/search'].map((hash) => completed(hash, false)),
    ['/sample/chart/a/timeline', '/sample/patients', '/sample/patients', '/sample/patients', '/sample/patients', '/session/patients', undefined, undefined]);
  assert.equal(completed('#/chart/a', true), '/session/chart/a');
});

test('a blood pressure is read as one, and a missing half is seen', () => {
  const half = (code, value) => ({ code: { coding: [{ code }] }, ...(value ? { valueQuantity: { value, unit: 'mmHg' } } : { dataAbsentReason: { text: 'Unknown' } }) });
  assert.equal(spaced(measure.reading({ component: [half('8480-6', 148), half('8462-4', 92)] })), '148/92 mmHg');
  assert.equal(spaced(measure.reading({ component: [half('8480-6', 90), half('8462-4')] })), '90/— mmHg');
  assert.equal(measure.reading({ component: [half('8480-6'), half('8462-4')] }), 'Not available: unknown');
});

test('values in different units never share a line', () => {
  const o = (id, value, unit, on) => ({ resourceType: 'Observation', id, code: { coding: [{ code: 'w' }], text: 'Weight' }, valueQuantity: { value, unit }, effectiveDateTime: on });
  const series = measure.seriesOf([o('b', 80, 'kg', '2021'), o('a', 180, 'lb', '2020'), o('c', 81, 'kg', '2019'), { ...o('d', 999, 'kg', '2022'), status: 'entered-in-error' }]);
  assert.deepEqual(series.map(({ unit, points }) => [unit, points.map(({ value }) => value)]), [['kg', [81, 80]], ['lb', [180]]]);
});

test('a copied curl is safe for a shell and says the query exactly', () => {
  const command = copy.curl("https://x.example/fhir/r4/Patient?name=O'Brien&code=http://loinc.org|4548-4&date=2020-01-01T00:00:00+01:00");
  assert.match(command, /--data-urlencode 'name=O'\\''Brien'/);
  assert.match(command, /--data-urlencode 'code=http:\/\/loinc\.org\|4548-4'/);
  assert.match(command, /--data-urlencode 'date=2020-01-01T00:00:00\+01:00'/);
  assert.match(command, /\$TOKEN/);
});

test('a query is taken apart and written again as it was', () => {
  for (const one of ['Observation?patient=a&code=x|y,z&date=ge2020', 'Patient', 'Patient?_id=', 'A?x=y=z']) {
    const { type, list } = query.parametersOf(one);
    assert.equal(query.written(type, list), one);
  }
});

test('a difference is by id; the order of what is included says nothing', () => {
  const bundle = (matches, includes = []) => ({ resourceType: 'Bundle', entry: [...matches.map((id) => ({ resource: { resourceType: 'X', id }, search: { mode: 'match' } })), ...includes.map((id) => ({ resource: { resourceType: 'Y', id }, search: { mode: 'include' } }))] });
  assert.equal(compare.difference(bundle(['a', 'b'], ['1', '2']), bundle(['a', 'b'], ['2', '1'])).same, true);
  assert.equal(compare.difference(bundle(['a', 'b']), bundle(['b', 'a'])).same, false);
  assert.deepEqual(compare.difference(bundle(['a']), bundle(['b'])), { same: false, ordered: false, both: 0, onlyEdge: ['X/a'], onlyLocal: ['X/b'] });
  assert.equal(compare.median([3, 1, 2]), 2);
  assert.equal(compare.median([4, 1, 2, 3]), 2.5);
});

test('two answers are compared as what they are: lists, counts, refusals', () => {
  const list = (...ids) => ({ status: 200, body: { resourceType: 'Bundle', entry: ids.map((id) => ({ resource: { resourceType: 'X', id }, search: { mode: 'match' } })) } });
  const count = (total) => ({ status: 200, body: { resourceType: 'Bundle', total } });
  const refused = (status, why) => ({ status, body: { resourceType: 'OperationOutcome', issue: [{ details: { text: why } }] } });
  const says = (query, a, b) => { const { same, says: words } = compare.verdict(query, a, b); return [same, words]; };
  assert.deepEqual(says('X?a=b', list('1', '2'), list('1', '2')), [true, 'The same 2 resources, in the same order.']);
  assert.deepEqual(says('X?a=b', list('1', '2'), list('2', '1')), [false, '2 in both, not in the same order.']);
  assert.deepEqual(says('X?a=b', list(), list()), [true, 'Both find nothing.']);
  assert.deepEqual(says('X?_summary=count', count(23), count(23)), [true, 'Both count 23. Resources were not asked for.']);
  assert.deepEqual(says('X?a=b&_summary=count', count(23), count(22)), [false, 'The edge counts 23, this browser 22.']);
  assert.deepEqual(says('X', refused(400, 'x'), refused(400, 'x')), [true, 'Both refuse with 400, for the same reason.']);
  assert.deepEqual(says('X', refused(400, 'x'), refused(400, 'y')), [false, 'Both refuse with 400, and say why in other words.']);
  assert.deepEqual(says('X', refused(401, 'x'), list('1')), [false, 'Only this browser answers: the edge refuses with 401, since no token that it takes opens this.']);
  assert.deepEqual(says('X', { status: 0, body: undefined }, list('1')), [false, 'Only this browser answers: the edge could not be reached.']);
  assert.deepEqual(says('X', list('1'), refused(400, 'x')), [false, 'Only the edge answers: this browser refuses with 400.']);
});
