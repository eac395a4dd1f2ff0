// Records in words, without a browser: dates of every precision, ages, numbers with their digits, flags, names of requests.

import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { build } from 'esbuild';

let date, measure, text, json, copy, compare, query;
before(async () => {
  const outdir = mkdtempSync(join(tmpdir(), 'edgechart-words-'));
  const names = ['fhir/date', 'fhir/measure', 'fhir/text', 'fhir/json', 'source/copy', 'search/compare', 'search/query'];
  await build({ entryPoints: names.map((name) => `www/src/${name}.ts`), outdir, outbase: 'www/src', bundle: true, format: 'esm', outExtension: { '.js': '.mjs' }, logLevel: 'error' });
  [date, measure, text, json, copy, compare, query] = await Promise.all(names.map((name) => import(join(outdir, `${name}.mjs`))));
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
  assert.equal(measure.flag({ valueQuantity: { value: 9, code: '%' }, referenceRange: range }), 'high');
  assert.equal(measure.flag({ valueQuantity: { value: 3, code: '%' }, referenceRange: range }), 'low');
  assert.equal(measure.flag({ valueQuantity: { value: 75, code: 'mmol/mol' }, referenceRange: range }), undefined);
  assert.equal(measure.flag({ valueQuantity: { value: 5 }, interpretation: said('HH') }), 'critical-high');
  assert.equal(measure.flag({ valueString: 'cloudy' }), undefined);
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
