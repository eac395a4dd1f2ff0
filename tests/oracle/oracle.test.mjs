// Tests of the oracle itself; every expectation is computed by hand. Run them by `node --test tests/oracle/`.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import zlib from 'node:zlib';
import { allowed, ownerOf, parseScope, WILDCARD } from './access.mjs';
import { indexOf, loadResources } from './data.mjs';
import { dateMatches, parseDate, parseDateSearch, rangeOf } from './dates.mjs';
import { alternatives, escaped, unescaped } from './escapes.mjs';
import { clinicalPlace, inOrder } from './order.mjs';
import { PARAMS, SERVED } from './params.mjs';
import { DEFAULT_BASE, parseReferenceSearch, readReference } from './references.mjs';
import { instantiate, readRows } from './rows.mjs';
import { read, search } from './search.mjs';
import { fold, stringMatches } from './strings.mjs';
import { parseTokenSearch, tokenMatches, tokenOfIdentifier } from './tokens.mjs';
import { uriMatches } from './uris.mjs';

const wrap = (list) => list.map((resource) => ({ resource, text: JSON.stringify(resource) }));
const ref = (reference) => ({ reference });
const concept = (...codings) => ({
  coding: codings.map(([system, code]) => ({ ...(system && { system }), ...(code && { code }) })),
});
const SYSTEM = { scopes: [...SERVED].map((type) => `system/${type}.read`).join(' ') };
const idsOf = (resources, query, grant = SYSTEM) => search(resources, grant, query).ids.map((key) => key.split('/')[1]);

// --- Dates ---

const ALL = ['eq', 'ne', 'gt', 'lt', 'ge', 'le', 'sa', 'eb'];
const INSIDE = 'eq ge le'; // the target lies within the search's range
const AROUND = 'ne gt lt ge le'; // the target reaches over both ends
const AFTER = 'ne gt ge sa';
const BEFORE = 'ne lt le eb';

const DATES = [
  // target, search, the comparators that match
  ['2024-03-10', '2024-03-10', INSIDE],
  ['2024-03-10T10:00:00Z', '2024-03-10', INSIDE],
  ['2024-03-10', '2024-03-10T10:00:00Z', AROUND],
  ['2024', '2024-03', AROUND],
  ['2024-03', '2024', INSIDE],
  ['2015', '2015-01', 'ne gt ge'], // the same start: not lt, and too long for eq
  ['2015', '2015-12', 'ne lt le'],
  ['2024-12-31T23:59:59Z', '2024', INSIDE],
  ['2025-01-01T00:00:00Z', '2024', AFTER],
  ['2024-03-11', '2024-03-10', AFTER],
  ['2024-03-09', '2024-03-10', BEFORE],
  ['2024-02-29', '2024-02', INSIDE],
  ['2024-03-10T10:30:45Z', '2024-03-10T10:30Z', INSIDE], // minutes without seconds
  ['2024-03-10T10:31:00Z', '2024-03-10T10:30', AFTER],
  ['2024-03-10T10:30:45.715Z', '2024-03-10T10:30:45Z', INSIDE], // a second is a range of a second
  ['2024-03-10T10:30:45Z', '2024-03-10T10:30:45.715Z', AROUND],
  ['2024-03-10T10:30:45.5Z', '2024-03-10T10:30:45.55Z', AROUND], // a fraction is a range of its own precision
  ['2024-03-10T10:30:45.55Z', '2024-03-10T10:30:45.5Z', INSIDE],
  ['2024-03-10T10:30:45.6Z', '2024-03-10T10:30:45.5Z', AFTER],
  ['2024-03-10T10:30:45.1234567Z', '2024-03-10T10:30:45.1234569Z', INSIDE], // cut to microseconds
  ['2022-03-30T04:08:59.084+05:30', '2022-03-29', INSIDE], // 22:38:59 UTC on the day before
  ['2022-03-29T23:00:00-05:00', '2022-03-30', INSIDE],
  ['2022-03-30T01:00:00', '2022-03-30T01:00:00Z', INSIDE], // no zone means UTC
  ['2022-03-30T01:00:00Z', '2022-03-30T03:00:00+02:00', INSIDE],
  ['2016-12-31T23:59:60Z', '2017-01-01', INSIDE], // a leap second belongs to the next minute
  ['2017-01-01T00:00:00Z', '2016-12-31T23:59:60Z', INSIDE],
  [{ start: '2024-03-01', end: '2024-03-31' }, '2024-03-10', AROUND],
  [{ start: '2024-03-01', end: '2024-03-31' }, '2024-03', INSIDE],
  [{ start: '2024-03-10', end: '2024-03-12' }, '2024-03-10', 'ne gt ge'],
  [{ start: '2024-03-08', end: '2024-03-10' }, '2024-03-10', 'ne lt le'],
  [{ start: '2024-03-10' }, '2024-03-10', 'ne gt ge'], // open at the end
  [{ start: '2024-03-11' }, '2024-03-10', AFTER],
  [{ start: '2024-03-09' }, '2024-03-10', AROUND],
  [{ end: '2024-03-10' }, '2024-03-10', 'ne lt le'], // open at the start
  [{ end: '2024-03-09' }, '2024-03-10', BEFORE],
  [{ end: '2024-03-11' }, '2024-03-10', AROUND],
  [{ event: ['2024-03-12', '2024-03-08'] }, '2024-03-10', AROUND], // a Timing counts by its outer limits
  [{ event: ['2024-03-10T08:00:00Z', '2024-03-10T20:00:00Z'] }, '2024-03-10', INSIDE],
  [{ repeat: { boundsPeriod: { end: '2024-03-09' } } }, '2024-03-10', BEFORE],
  [
    { event: ['2024-03-12'], repeat: { boundsPeriod: { start: '2024-03-10', end: '2024-03-11' } } },
    '2024-03-10',
    'ne gt ge',
  ],
];

test('dates: every comparator on every pair of precisions', () => {
  for (const [target, value, expected] of DATES) {
    const found = ALL.filter((comparator) => dateMatches(parseDateSearch(comparator + value), rangeOf(target)));
    assert.deepEqual(found.sort(), expected.split(' ').sort(), `${JSON.stringify(target)} against ${value}`);
    assert.equal(
      dateMatches(parseDateSearch(value), rangeOf(target)),
      expected.split(' ').includes('eq'),
      'no prefix is eq',
    );
  }
});

test('dates: ap reaches a tenth of the time to the present on both sides', () => {
  const { from } = parseDate('2024-06-20');
  const finds = (target, value) => dateMatches(parseDateSearch(value, from), rangeOf(target));
  // A hundred days lie between now and either end.
  assert.deepEqual(
    ['2024-02-29', '2024-03-01', '2024-03-21', '2024-03-22'].map((day) => finds(day, 'ap2024-03-11')),
    [false, true, true, false],
  );
  assert.deepEqual(
    ['2024-09-17', '2024-09-18', '2024-10-08', '2024-10-09'].map((day) => finds(day, 'ap2024-09-28')),
    [false, true, true, false],
  );
  assert.deepEqual(
    ['2023', '2024', '2025'].map((year) => finds(year, 'ap2024')),
    [false, true, false],
  );
});

test('dates: ranges in microseconds', () => {
  assert.deepEqual(parseDate('1970-01-01'), { from: 0n, until: 86_400_000_000n });
  assert.deepEqual(parseDate('1970'), { from: 0n, until: 365n * 86_400_000_000n });
  // 761 = 365 + 365 + 31 days; 1972 is a leap year.
  assert.deepEqual(parseDate('1972-02'), { from: 761n * 86_400_000_000n, until: 790n * 86_400_000_000n });
  assert.deepEqual(parseDate('1970-01-01T00:01'), { from: 60_000_000n, until: 120_000_000n });
  assert.deepEqual(parseDate('1970-01-01T00:00:01.5Z'), { from: 1_500_000n, until: 1_600_000n });
  assert.deepEqual(parseDate('1970-01-01T00:00:00.000001Z'), { from: 1n, until: 2n });
  assert.deepEqual(parseDate('1970-01-01T01:00:00+01:00'), { from: 0n, until: 1_000_000n });
  assert.deepEqual(parseDate('1969-12-31T23:59:59Z'), { from: -1_000_000n, until: 0n });
  assert.deepEqual(parseDate('0001-01-01').from, -62_135_596_800_000_000n);
  assert.equal(parseDate('9999-12-31').until, 253_402_300_800_000_000n);
});

test('dates: other texts and elements are no dates', () => {
  for (const text of [
    '2024-13',
    '2024-02-30',
    '24-1-1',
    'now',
    '',
    '2024-03-10T',
    '2024-03-10T25:00:00Z',
    '2024-03-10T10:60:00Z',
    'about 2013',
  ]) {
    assert.equal(parseDate(text), null, text);
  }
  for (const element of [{}, { extension: [] }, { repeat: { frequency: 1 } }, { event: [] }, null, undefined, 5]) {
    assert.equal(rangeOf(element), null);
  }
});

test('dates: a comma is OR, a repeated parameter is AND', () => {
  const data = wrap(
    ['2020-01-01', '2021-01-01', '2022-01-01'].map((effectiveDateTime, i) => ({
      resourceType: 'Observation',
      id: `o${i}`,
      subject: ref('Patient/a'),
      effectiveDateTime,
    })),
  );
  assert.deepEqual(idsOf(data, 'Observation?patient=a&date=2020,ge2022'), ['o2', 'o0']);
  assert.deepEqual(idsOf(data, 'Observation?patient=a&date=ge2020-06&date=lt2021-06'), ['o1']);
  assert.deepEqual(idsOf(data, 'Observation?patient=a&date=ge2022&date=lt2021'), []);
});

// --- Tokens ---

test('tokens: the four forms', () => {
  const has = (search, token) => tokenMatches(parseTokenSearch(search), token);
  const coded = { system: 'http://loinc.org', code: '8302-2' };
  const bare = { system: undefined, code: '8302-2' };
  assert.ok(has('8302-2', coded) && has('8302-2', bare));
  assert.ok(has('http://loinc.org|8302-2', coded) && !has('http://loinc.org|8302-2', bare));
  assert.ok(!has('|8302-2', coded) && has('|8302-2', bare));
  assert.ok(has('http://loinc.org|', coded) && !has('http://loinc.org|', bare));
  assert.ok(!has('http://LOINC.org|8302-2', coded), 'systems compare exactly');
  assert.ok(has('http://loinc.org|', { system: 'http://loinc.org' }), 'a coding without code has its system');
  assert.ok(!has('x', { system: 'http://loinc.org' }));
});

test('tokens: ASCII case of codes, not of identifiers', () => {
  const has = (search, token) => tokenMatches(parseTokenSearch(search), token);
  assert.ok(has('FINAL', { code: 'final' }) && has('lp29684-5', { code: 'LP29684-5' }));
  assert.ok(!has('É', { code: 'é' }), 'only ASCII letters');
  const mrn = tokenOfIdentifier({ system: 'urn:mrn', value: 'Ab1' });
  assert.ok(has('Ab1', mrn) && has('urn:mrn|Ab1', mrn) && !has('ab1', mrn) && !has('|Ab1', mrn));
  assert.ok(has('|Ab1', tokenOfIdentifier({ value: 'Ab1' })));
});

test('tokens: code-typed elements carry the system of their binding', () => {
  const data = wrap([
    { resourceType: 'Observation', id: 'o', subject: ref('Patient/a'), status: 'final' },
    { resourceType: 'MedicationRequest', id: 'm', subject: ref('Patient/a'), status: 'active', intent: 'order' },
    { resourceType: 'Patient', id: 'a', gender: 'female', name: [{ family: 'X' }] },
  ]);
  assert.deepEqual(idsOf(data, 'Observation?patient=a&status=http://hl7.org/fhir/observation-status|final'), ['o']);
  assert.deepEqual(idsOf(data, 'Observation?patient=a&status=http://hl7.org/fhir/observation-status%7C'), ['o']);
  assert.deepEqual(idsOf(data, 'Observation?patient=a&status=|final'), []);
  assert.deepEqual(idsOf(data, 'Observation?patient=a&status=http://hl7.org/fhir/event-status|final'), []);
  assert.deepEqual(
    idsOf(
      data,
      'MedicationRequest?patient=a&intent=plan,http://hl7.org/fhir/CodeSystem/medicationrequest-intent|order',
    ),
    ['m'],
  );
  assert.deepEqual(idsOf(data, 'Patient?gender=http://hl7.org/fhir/administrative-gender|Female&name=x'), ['a']);
});

test('tokens: several codings and categories, text only, escapes', () => {
  const data = wrap([
    {
      resourceType: 'Observation',
      id: 'two',
      subject: ref('Patient/a'),
      category: [concept(['s', 'x']), concept(['s', 'y'], ['t', 'z'])],
    },
    {
      resourceType: 'Observation',
      id: 'text',
      subject: ref('Patient/a'),
      category: [{ text: 'z' }],
      code: { text: 'glucose' },
    },
    { resourceType: 'Observation', id: 'odd', subject: ref('Patient/a'), code: concept(['s', 'a,b|c$d\\e']) },
  ]);
  assert.deepEqual(idsOf(data, 'Observation?patient=a&category=z'), ['two']);
  assert.deepEqual(idsOf(data, 'Observation?patient=a&category=s|z'), [], 'system and code of the same coding');
  assert.deepEqual(idsOf(data, 'Observation?patient=a&category=x&category=y'), ['two']);
  assert.deepEqual(idsOf(data, 'Observation?patient=a&code=glucose'), []);
  assert.deepEqual(idsOf(data, 'Observation?patient=a&code=a%5C,b%5C%7Cc%5C$d%5C%5Ce'), ['odd']);
  assert.deepEqual(idsOf(data, 'Observation?patient=a&code=s%7Ca%5C,b%5C%7Cc%5C$d%5C%5Ce,q'), ['odd']);
});

test('escapes: a backslash keeps a separator as a character', () => {
  assert.deepEqual(alternatives('a\\,b,c'), ['a\\,b', 'c']);
  assert.deepEqual(alternatives('a\\\\,b'), ['a\\\\', 'b']); // an escaped backslash, then a comma
  assert.equal(unescaped('a\\,b\\|c\\$d\\\\e\\n'), 'a,b|c$d\\e\\n');
  assert.equal(unescaped('\\'), '\\');
  assert.equal(unescaped(escaped('a,b|c$d\\')), 'a,b|c$d\\');
  assert.deepEqual(parseTokenSearch('a\\|b|c'), { system: 'a|b', code: 'c' });
});

test('clinical-status: recurrance, missing, entered in error', () => {
  const CLINICAL = 'http://terminology.hl7.org/CodeSystem/condition-clinical';
  const condition = (id, code) => ({
    resourceType: 'Condition',
    id,
    subject: ref('Patient/a'),
    ...(code && { clinicalStatus: concept([CLINICAL, code]) }),
  });
  const allergy = (id, verification) => ({
    resourceType: 'AllergyIntolerance',
    id,
    patient: ref('Patient/a'),
    clinicalStatus: concept(['s', 'active']),
    ...(verification && { verificationStatus: concept(['v', verification]) }),
  });
  const data = wrap([
    condition('c1', 'active'),
    condition('c2', 'recurrence'),
    condition('c3', 'resolved'),
    condition('c4'),
    allergy('a1', 'confirmed'),
    allergy('a2', 'entered-in-error'),
    allergy('a3'),
  ]);
  const statuses = ['active', 'recurrance', 'remission'].map((code) => `${CLINICAL}|${code}`).join(',');
  assert.deepEqual(idsOf(data, `Condition?patient=a&clinical-status=${statuses}`), ['c1', 'c2']);
  assert.deepEqual(idsOf(data, 'Condition?patient=a&clinical-status=recurrance'), ['c2']);
  assert.deepEqual(idsOf(data, 'Condition?patient=a&clinical-status=recurrence'), ['c2']);
  assert.deepEqual(idsOf(data, 'Condition?patient=a'), ['c1', 'c2', 'c3', 'c4']);
  assert.deepEqual(idsOf(data, 'AllergyIntolerance?patient=a&clinical-status=active'), ['a1', 'a3']);
  assert.deepEqual(idsOf(data, 'AllergyIntolerance?patient=a'), ['a1', 'a2', 'a3']);
});

// --- Strings ---

test('strings: folding', () => {
  assert.equal(fold('Páez ÑANDÚ'), 'paez nandu');
  assert.equal(fold('Agustín529'), 'agustin529');
  assert.equal(fold('A\u0301'), 'a');
});

test('strings: a word of the element begins with the value', () => {
  const begins = (value, element) => stringMatches(undefined, value, element);
  assert.ok(begins('paez', 'Páez') && begins('PÁEZ', 'Paez'));
  assert.ok(begins('keefe', "O'Keefe54") && begins("o'k", "O'Keefe54") && !begins('okeefe', "O'Keefe54"));
  assert.ok(begins('smith', 'Jones-Smith') && begins('jones-sm', 'Jones-Smith') && !begins('mith', 'Jones-Smith'));
  assert.ok(
    begins('berg', 'van den Berg') && begins('den be', 'van den Berg') && !begins('van berg', 'van den Berg'),
    'words must follow one another',
  );
  assert.ok(!begins('54', "O'Keefe54"), 'no word begins between a letter and a digit');
  assert.ok(begins('10', '(10) Main St') && begins('(1', '(10) Main St'));
  assert.ok(!begins('%', 'Main') && !begins('_', 'Main') && begins('50%', '50% off'));
  assert.ok(begins('an', 'banana an'), 'a later word counts where an earlier inside does not');
});

test('strings: :contains anywhere, :exact as written', () => {
  assert.ok(stringMatches('contains', 'EEF', "O'Keefe") && !stringMatches('contains', 'okeefe', "O'Keefe"));
  assert.ok(
    stringMatches('exact', 'Páez', 'Páez') &&
      !stringMatches('exact', 'Paez', 'Páez') &&
      !stringMatches('exact', 'Pá', 'Páez'),
  );
});

test('strings: name and address search all their parts', () => {
  const data = wrap([
    {
      resourceType: 'Practitioner',
      id: 'p',
      name: [
        {
          family: 'Díaz',
          given: [null, 'Eva', 'Mia'],
          prefix: ['Dr.'],
          suffix: ['MD'],
          text: 'Doctor Zed',
          use: 'official',
        },
      ],
    },
    {
      resourceType: 'Organization',
      id: 'o',
      name: 'Acme Labs',
      alias: ['Zenith'],
      address: [
        {
          line: ['1 Elm St', 'Suite 5'],
          city: 'Springfield',
          state: 'IL',
          postalCode: '62701',
          country: 'US',
          use: 'work',
        },
      ],
    },
    { resourceType: 'Location', id: 'l', name: 'Ward', address: { city: 'Bedford', state: 'MA', postalCode: '01730' } },
  ]);
  for (const value of ['diaz', 'eva', 'mia', 'dr.', 'md', 'zed', 'doctor zed']) {
    assert.deepEqual(idsOf(data, `Practitioner?name=${encodeURIComponent(value)}`), ['p'], value);
  }
  for (const value of ['official', 'eva%20mia', 'iaz']) {
    assert.deepEqual(idsOf(data, `Practitioner?name=${value}`), [], value);
  }
  assert.deepEqual(idsOf(data, 'Practitioner?name:contains=ia'), ['p']);
  for (const value of ['elm', 'suite', 'spring', 'il', '627', 'us']) {
    assert.deepEqual(idsOf(data, `Organization?address=${value}`), ['o'], value);
  }
  assert.deepEqual(idsOf(data, 'Organization?address=work'), []);
  assert.deepEqual(idsOf(data, 'Organization?name=zen'), ['o']);
  assert.deepEqual(idsOf(data, 'Location?address-city=bed&address-state=ma&address-postalcode=017'), ['l']);
  assert.deepEqual(idsOf(data, 'Location?address-city=ma'), []);
});

// --- References ---

test('references: a stored reference names a type and an id', () => {
  assert.deepEqual(readReference('Patient/1'), { type: 'Patient', id: '1' });
  assert.deepEqual(readReference('Patient/1/_history/2'), { type: 'Patient', id: '1' });
  assert.deepEqual(readReference(`${DEFAULT_BASE}/Patient/1`), { type: 'Patient', id: '1' });
  for (const text of [
    '#p',
    'urn:uuid:0',
    'Practitioner?identifier=x',
    'https://evil/Patient/1',
    'Patient/1 2',
    'Patient/',
    undefined,
  ]) {
    assert.equal(readReference(text), null, text);
  }
});

test('references: a searched value is a typed reference or an id', () => {
  const patient = { type: 'Patient', id: 'a' };
  for (const value of ['a', 'Patient/a', `${DEFAULT_BASE}/Patient/a`]) {
    assert.deepEqual(parseReferenceSearch(value, ['Patient']), [patient], value);
  }
  for (const value of ['https://evil/Patient/a', 'Group/a', 'http://localhost:8787/fhir/r4x/Patient/a']) {
    assert.deepEqual(parseReferenceSearch(value, ['Patient']), [], value);
  }
  const canonicalMatches = (value, address) => uriMatches(undefined, value, { address, isCanonical: true });
  assert.ok(canonicalMatches('http://q', 'http://q|1') && canonicalMatches('http://q|1', 'http://q|1'));
  assert.ok(
    !canonicalMatches('http://q|2', 'http://q|1') &&
      !canonicalMatches('http://q|1', 'http://q') &&
      !canonicalMatches('http://', 'http://q'),
  );
});

test('references: subjects other than patients, encounters, lists', () => {
  const data = wrap([
    { resourceType: 'Condition', id: 'c1', subject: ref('Patient/a'), encounter: ref('Encounter/e1') },
    { resourceType: 'Condition', id: 'c2', subject: ref('Patient/b'), encounter: ref('Encounter/e2') },
    { resourceType: 'Condition', id: 'c3', subject: ref('Group/a') },
    { resourceType: 'Condition', id: 'c4', subject: ref('https://evil/fhir/Patient/a') },
    { resourceType: 'Condition', id: 'c5', subject: ref('Patient/a/_history/3') },
  ]);
  assert.deepEqual(idsOf(data, 'Condition?patient=a'), ['c1', 'c5']);
  assert.deepEqual(idsOf(data, 'Condition?patient=Patient/b,a'), ['c1', 'c2', 'c5']);
  assert.deepEqual(idsOf(data, 'Condition?patient=a&patient=b'), []); // PC06
  assert.deepEqual(idsOf(data, 'Condition?patient=a&encounter=e2'), []); // PC15
  assert.deepEqual(idsOf(data, 'Condition?patient=a&encounter=Encounter/e1'), ['c1']);
  assert.deepEqual(idsOf(data, 'Condition?_id=c3,c1,C2'), ['c1', 'c3'], 'ids compare exactly');
});

test('elements that carry no date, and asserted-date', () => {
  const asserted = (valueDateTime) => ({
    extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/condition-assertedDate', valueDateTime }],
  });
  const data = wrap([
    { resourceType: 'Immunization', id: 'i', patient: ref('Patient/a'), occurrenceString: '1946-08-29T19:33:18-04:00' },
    { resourceType: 'Condition', id: 'c1', subject: ref('Patient/a'), onsetString: '2013', ...asserted('2014-05-06') },
    {
      resourceType: 'Condition',
      id: 'c2',
      subject: ref('Patient/a'),
      onsetPeriod: { start: '2013' },
      abatementDateTime: '2015',
    },
  ]);
  assert.deepEqual(idsOf(data, 'Immunization?patient=a&date=lt2020'), []);
  assert.deepEqual(idsOf(data, 'Immunization?patient=a&date=ne2020'), []);
  assert.deepEqual(idsOf(data, 'Condition?patient=a&onset-date=ge2012'), ['c2']);
  assert.deepEqual(idsOf(data, 'Condition?patient=a&asserted-date=2014-05'), ['c1']);
  assert.deepEqual(
    idsOf(data, 'Condition?patient=a&abatement-date=le2015-02'),
    ['c2'],
    'lt: the year begins before February',
  );
  assert.deepEqual(
    idsOf(data, 'Condition?patient=a&abatement-date=le2015-01'),
    [],
    'neither lt (same start) nor eq (the year is longer)',
  );
  assert.deepEqual(idsOf(data, 'Condition?patient=a&abatement-date=eb2015-02'), []);
});

// --- :missing and :not ---

test(':missing asks for elements, :not for values', () => {
  const condition = (id, more) => ({ resourceType: 'Condition', id, subject: ref('Patient/a'), ...more });
  const allergy = (id, clinical, verification) => ({
    resourceType: 'AllergyIntolerance',
    id,
    patient: ref('Patient/a'),
    ...(clinical && { clinicalStatus: { coding: [{ code: clinical }] } }),
    ...(verification && { verificationStatus: { coding: [{ code: verification }] } }),
  });
  const data = wrap([
    condition('c1', { category: [{ coding: [{ code: 'A' }, { code: 'B' }] }] }),
    condition('c2', { category: [{ text: 'A' }], encounter: { display: 'somewhere' } }),
    condition('c3', { category: [{ extension: [{ url: 'http://x', valueCode: 'A' }] }] }),
    condition('c4', {}),
    allergy('i1', 'active'),
    allergy('i2', 'active', 'entered-in-error'),
    allergy('i3', undefined, 'entered-in-error'),
    allergy('i4'),
    { resourceType: 'Practitioner', id: 'p', name: [{ use: 'official' }] },
  ]);
  assert.deepEqual(idsOf(data, 'Condition?patient=a&category:missing=true'), ['c3', 'c4']);
  assert.deepEqual(idsOf(data, 'Condition?patient=a&category:missing=false'), ['c1', 'c2']);
  assert.deepEqual(idsOf(data, 'Condition?patient=a&encounter:missing=false'), ['c2']);
  assert.deepEqual(idsOf(data, 'Condition?patient=a&category:not=A'), ['c2', 'c3', 'c4']);
  assert.deepEqual(idsOf(data, 'Condition?patient=a&category:not=x,b'), ['c2', 'c3', 'c4']);
  assert.deepEqual(idsOf(data, 'AllergyIntolerance?patient=a&clinical-status:missing=false'), ['i1', 'i2']);
  assert.deepEqual(idsOf(data, 'AllergyIntolerance?patient=a&clinical-status:not=resolved'), ['i1', 'i4']);
  assert.deepEqual(idsOf(data, 'Practitioner?name:missing=true'), []);
  assert.deepEqual(idsOf(data, 'Practitioner?identifier:missing=true'), ['p']);
});

// --- Order ---

test('order: newest first, undated last, then id', () => {
  const observation = (id, more) => ({ resourceType: 'Observation', id, subject: ref('Patient/a'), ...more });
  const list = [
    observation('b-same', { effectiveDateTime: '2021-01-01T00:00:00Z' }),
    observation('a-same', { effectiveDateTime: '2021-01-01' }), // the same start, at another precision
    observation('B-same', { effectiveDateTime: '2021-01-01T02:00:00+02:00' }), // the same instant; B sorts before a
    observation('issued', { issued: '2022-01-01T00:00:00Z' }),
    // effectivePeriod hides issued.
    observation('open-start', { effectivePeriod: { end: '2023-01-01' }, issued: '2020-01-01T00:00:00Z' }),
    observation('period', { effectivePeriod: { start: '2020-06-01' } }),
    observation('timing', { effectiveTiming: { event: ['2019-05-01', '2019-04-01'] } }),
    observation('none', {}),
  ];
  assert.deepEqual(
    inOrder(list).map((r) => r.id),
    ['open-start', 'issued', 'B-same', 'a-same', 'b-same', 'period', 'timing', 'none'],
  );
});

test('order: the clinical date of each type', () => {
  const start = (resourceType, more) => clinicalPlace({ resourceType, id: 'x', ...more });
  const at = (text) => parseDate(text).from;
  const asserted = {
    extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/condition-assertedDate', valueDateTime: '2002' }],
  };
  assert.equal(start('Condition', { onsetDateTime: '2001', ...asserted, recordedDate: '2003' }), at('2001'));
  assert.equal(start('Condition', { onsetString: '2001', ...asserted, recordedDate: '2003' }), at('2002'));
  assert.equal(start('Condition', { recordedDate: '2003' }), at('2003'));
  assert.equal(start('AllergyIntolerance', { recordedDate: '2003' }), at('2003'));
  assert.equal(start('DiagnosticReport', { issued: '2003-01-01T00:00:00Z' }), at('2003'));
  assert.equal(start('Procedure', { performedPeriod: { start: '2004', end: '2005' } }), at('2004'));
  assert.equal(start('Immunization', { occurrenceString: '2004' }), null);
  assert.equal(start('MedicationRequest', { authoredOn: '2004' }), at('2004'));
  assert.equal(start('ServiceRequest', { authoredOn: '2004', occurrenceDateTime: '2009' }), at('2004'));
  assert.equal(start('MedicationDispense', { whenPrepared: '2004', whenHandedOver: '2005' }), at('2005'));
  assert.equal(start('MedicationDispense', { whenPrepared: '2004' }), at('2004'));
  assert.equal(
    start('DocumentReference', { date: '2004-01-01T00:00:00Z', context: { period: { start: '2003' } } }),
    at('2004'),
  );
  assert.equal(start('DocumentReference', { context: { period: { start: '2003' } } }), at('2003'));
  for (const type of ['Encounter', 'CarePlan', 'CareTeam', 'Coverage']) {
    assert.equal(start(type, { period: { start: '2003' }, meta: { lastUpdated: '2009' } }), at('2003'), type);
  }
  assert.equal(start('Goal', { startDate: '2003', statusDate: '2004' }), at('2003'));
  assert.equal(start('Goal', { startCodeableConcept: {}, statusDate: '2004' }), at('2004'));
  assert.equal(start('Provenance', { recorded: '2004-01-01T00:00:00Z' }), at('2004'));
  assert.equal(start('QuestionnaireResponse', { authored: '2004' }), at('2004'));
  assert.equal(start('Patient', { birthDate: '1950', meta: { lastUpdated: '2004-01-01T00:00:00Z' } }), at('2004'));
});

test('order: _sort', () => {
  const observation = (id, effectiveDateTime, lastUpdated) => ({
    resourceType: 'Observation',
    id,
    ...(effectiveDateTime && { effectiveDateTime }),
    ...(lastUpdated && { meta: { lastUpdated } }),
  });
  const list = [
    observation('c', '2021', '2024-01-02T00:00:00Z'),
    observation('a', '2022', '2024-01-01T00:00:00Z'),
    observation('b', '2021', '2024-01-01T00:00:00Z'),
    observation('d'),
  ];
  const by = (sort) =>
    inOrder(list, sort)
      .map((r) => r.id)
      .join('');
  assert.equal(by('date'), 'bcad');
  assert.equal(by('-date'), 'abcd', 'missing last in both directions');
  const issued = { resourceType: 'Observation', id: 'e', issued: '2021-06-01T00:00:00Z' };
  assert.equal(
    inOrder([...list, issued], '-date')
      .map((r) => r.id)
      .join(''),
    'abcde',
    'the default order has a second date, which is no value of the parameter',
  );
  assert.equal(
    inOrder([...list, issued], 'date')
      .map((r) => r.id)
      .join(''),
    'bcade',
  );
  const dated = ['2020', '2021'].map((year, at) => ({
    resourceType: 'Goal',
    id: `g${at}`,
    startDate: year,
    meta: { lastUpdated: `${2030 - at}-01-01T00:00:00Z` },
  }));
  assert.equal(
    inOrder(dated, '-_lastUpdated')
      .map((r) => r.id)
      .join(''),
    'g0g1',
    'a type with a date of its own',
  );
  assert.equal(by('_id'), 'abcd');
  assert.equal(by('-_id'), 'dcba');
  assert.equal(by('_lastUpdated'), 'abcd');
  assert.equal(by('-_lastUpdated'), 'cabd');
  assert.equal(by('_lastUpdated,-_id'), 'bacd');
  assert.equal(by('date,_lastUpdated'), 'bcad');
  const goal = (id, ...due) => ({ resourceType: 'Goal', id, target: due.map((dueDate) => ({ dueDate })) });
  const goals = [goal('x', '2020', '2030'), goal('y', '2025')];
  assert.equal(
    inOrder(goals, 'target-date')
      .map((r) => r.id)
      .join(''),
    'xy',
    'ascending by the earliest',
  );
  assert.equal(
    inOrder(goals, '-target-date')
      .map((r) => r.id)
      .join(''),
    'xy',
    'descending by the latest',
  );
  const sorted = (all, sort) => inOrder(all, sort).map(({ id }) => id);
  const condition = (id, codes, encounter) => ({
    resourceType: 'Condition',
    id,
    code: concept(...codes),
    ...(encounter && { encounter: ref(encounter) }),
  });
  const conditions = [
    condition('a', [['z', 'B']], 'Encounter/2'),
    condition('b', [['y', 'b']], 'Encounter/1'),
    condition('c', [
      ['x', 'a'],
      ['x', 'c'],
    ]),
    condition('d', []),
  ];
  assert.deepEqual(sorted(conditions, 'code'), ['c', 'b', 'a', 'd']);
  assert.deepEqual(sorted(conditions, '-code'), ['c', 'a', 'b', 'd']);
  assert.deepEqual(sorted(conditions, '-encounter,code'), ['a', 'b', 'c', 'd']);
  const person = (id, ...name) => ({ resourceType: 'Patient', id, name });
  const people = [
    person('v', { family: 'Voight' }, { use: 'official', family: 'Jolie', given: ['Angelina'] }),
    person('j', { family: 'jolie', given: ['\u00c1ngel'] }),
    person('t', { text: 'Jolanda' }),
    person('n'),
  ];
  assert.deepEqual(sorted(people, 'name'), ['t', 'j', 'v', 'n']);
  assert.deepEqual(sorted(people, '-name'), ['v', 'j', 't', 'n']);
  assert.deepEqual(sorted(people, '-family'), ['v', 'j', 'n', 't']);
});

// --- Access ---

// Two patients, a and b, with one resource of each kind, and the resources that are about both or neither.
const WORLD = wrap([
  ...['a', 'b'].flatMap((p) => [
    { resourceType: 'Patient', id: p, name: [{ family: p }], link: [{ other: ref('Patient/b') }] },
    {
      resourceType: 'Observation',
      id: `obs-${p}`,
      subject: ref(`Patient/${p}`),
      performer: [ref(`Patient/${p === 'a' ? 'b' : 'a'}`)],
      category: [concept(['cat', 'laboratory'])],
      code: concept(['l', '1']),
    },
    {
      resourceType: 'Condition',
      id: `con-${p}`,
      subject: ref(`Patient/${p}`),
      category: [concept(['cc', 'encounter-diagnosis'])],
    },
    {
      resourceType: 'CareTeam',
      id: `team-${p}`,
      subject: ref(`Patient/${p}`),
      status: 'active',
      participant: [
        { member: ref('Patient/b') },
        { member: ref('Patient/a') },
        { member: ref('RelatedPerson/rp-b') },
        { member: ref('Practitioner/dr') },
        { member: ref('PractitionerRole/role') },
        { member: ref('Practitioner/unknown') },
      ],
    },
    { resourceType: 'RelatedPerson', id: `rp-${p}`, patient: ref(`Patient/${p}`) },
    { resourceType: 'Coverage', id: `cov-${p}`, beneficiary: ref(`Patient/${p}`) },
    {
      resourceType: 'MedicationDispense',
      id: `md-${p}`,
      subject: ref(`Patient/${p}`),
      medicationReference: ref('Medication/med'),
    },
    {
      resourceType: 'MedicationRequest',
      id: `mr-${p}`,
      subject: ref(`Patient/${p}`),
      intent: 'order',
      medicationReference: ref('Medication/med'),
    },
    { resourceType: 'Binary', id: `bin-${p}`, securityContext: ref(`Patient/${p}`) },
    {
      resourceType: 'Provenance',
      id: `prov-${p}`,
      recorded: '2020-01-01T00:00:00Z',
      target: [ref(`Observation/obs-${p}/_history/1`), ref('Practitioner/dr')],
    },
  ]),
  { resourceType: 'Observation', id: 'obs-herd', subject: ref('Group/both') },
  { resourceType: 'Observation', id: 'obs-none' },
  { resourceType: 'Binary', id: 'bin-none' },
  { resourceType: 'Group', id: 'both', member: [{ entity: ref('Patient/a') }, { entity: ref('Patient/b') }] },
  { resourceType: 'Group', id: 'just-a', member: [{ entity: ref('Patient/a') }, { entity: ref('Practitioner/dr') }] },
  { resourceType: 'Provenance', id: 'prov-both', target: [ref('Observation/obs-a'), ref('Condition/con-b')] },
  { resourceType: 'Provenance', id: 'prov-dr', target: [ref('Practitioner/dr')] },
  {
    resourceType: 'Provenance',
    id: 'prov-dangling',
    target: [ref('Observation/obs-a'), ref('Patient/unknown'), ref('Claim/b')],
  },
  { resourceType: 'Provenance', id: 'prov-herd', target: [ref('Observation/obs-a'), ref('Group/both')] },
  {
    resourceType: 'Provenance',
    id: 'prov-of-prov',
    target: [ref('Provenance/prov-a'), ref('Provenance/prov-of-prov')],
  },
  {
    resourceType: 'Practitioner',
    id: 'dr',
    name: [{ family: "D'Amore", given: ['Ana'] }],
    identifier: [{ system: 'npi', value: '99' }],
  },
  {
    resourceType: 'PractitionerRole',
    id: 'role',
    practitioner: ref('Practitioner/dr'),
    specialty: [concept(['nucc', '207R'])],
    endpoint: [ref('Endpoint/mail'), ref('Endpoint/unknown')],
  },
  {
    resourceType: 'PractitionerRole',
    id: 'role-2',
    practitioner: { display: "D'Amore" },
    specialty: [concept(['nucc', '207R'])],
  },
  { resourceType: 'Organization', id: 'org', name: 'Org' },
  { resourceType: 'Location', id: 'loc', name: 'Loc' },
  { resourceType: 'Medication', id: 'med', code: concept(['rx', '1']) },
  { resourceType: 'Endpoint', id: 'mail' },
  { resourceType: 'Questionnaire', id: 'q' },
]);
const index = indexOf(WORLD);
const get = (key) => index.byKey.get(key);
const can = (grant, key, interaction = 'search') => allowed(grant, get(key), interaction, index);
const PATIENT_A = { scopes: 'launch/patient patient/*.read', patient: 'a' };

test('owners: the patients of each resource', () => {
  const owners = (key) => {
    const found = ownerOf(get(key), index);
    return found === 'everyone' ? found : [...found].sort().join(',');
  };
  const expected = {
    'Patient/a': 'a',
    'Observation/obs-a': 'a',
    'Coverage/cov-b': 'b',
    'RelatedPerson/rp-b': 'b',
    'Binary/bin-a': 'a',
    'Binary/bin-none': '',
    'Observation/obs-herd': '',
    'Observation/obs-none': '',
    'Group/both': 'a,b',
    'Group/just-a': '',
    'Provenance/prov-a': 'a',
    'Provenance/prov-both': 'a,b',
    'Provenance/prov-dr': '',
    'Provenance/prov-dangling': '',
    'Provenance/prov-herd': 'a,b',
    'Provenance/prov-of-prov': '',
    'Practitioner/dr': 'everyone',
    'PractitionerRole/role': 'everyone',
    'Organization/org': 'everyone',
    'Location/loc': 'everyone',
    'Medication/med': 'everyone',
    'Endpoint/mail': 'everyone',
    'Questionnaire/q': 'everyone',
  };
  for (const [key, owner] of Object.entries(expected)) assert.equal(owners(key), owner, key);
});

test('PC26: the further types belong to one, to all whom they name, to nobody or to everyone', () => {
  const actors = (...texts) => texts.map((text) => ({ actor: ref(text) }));
  const world = {
    a: { resourceType: 'Patient', id: 'a' },
    b: { resourceType: 'Patient', id: 'b' },
    'a ': { resourceType: 'Claim', id: 'c', patient: ref('Patient/a'), payee: { party: ref('Patient/b') } },
    'a  ': { resourceType: 'Appointment', id: 'one', participant: actors('Patient/a', 'Practitioner/x') },
    'a,b': { resourceType: 'Appointment', id: 'two', participant: actors('Patient/a', 'Patient/b') },
    'a,b ': { resourceType: 'AuditEvent', id: 'e', entity: [{ what: ref('Appointment/two') }] },
    '': { resourceType: 'Appointment', id: 'unknown', participant: actors('Patient/a', 'Device/unknown') },
    ' ': { resourceType: 'ResearchStudy', id: 's', partOf: [ref('Patient/a')] },
    everyone: { resourceType: 'ValueSet', id: 'v' },
  };
  const all = indexOf(Object.values(world).map((resource) => ({ resource, text: '' })));
  for (const [expected, resource] of Object.entries(world)) {
    const found = ownerOf(resource, all);
    assert.equal(found === 'everyone' ? found : [...found].sort().join(','), expected.trim(), resource.resourceType);
  }
});

test('scopes: each form of a scope opens its types and interactions', () => {
  const opens = (text) => {
    const scope = parseScope(text);
    return scope && `${scope.read ? 'r' : ''}${scope.search ? 's' : ''}`;
  };
  const table = {
    'patient/Observation.read': 'rs',
    'patient/Observation.*': 'rs',
    'patient/Observation.write': '',
    'patient/Observation.rs': 'rs',
    'patient/Observation.r': 'r',
    'patient/Observation.s': 's',
    'patient/Observation.cruds': 'rs',
    'patient/Observation.cud': '',
    'patient/Observation.rs?category=a|b': 'rs',
  };
  for (const [text, letters] of Object.entries(table)) assert.equal(opens(text), letters, text);
  for (const text of [
    'openid',
    'fhirUser',
    'launch/patient',
    'patient/Observation',
    'patient/Observation.',
    'patient/Observation.sr',
    'patient/Observation.x',
    'Patient/Observation.read',
  ]) {
    assert.equal(opens(text), null, text);
  }
  assert.deepEqual(parseScope('patient/Obs.read').types, []); // SC11
  assert.deepEqual(parseScope('patient/ObservationX.read').types, []);
  assert.deepEqual([WILDCARD.patient.length, WILDCARD.user.length, WILDCARD.system.length], [22, 23, 25]);
});

test('A17: scopes at type level', () => {
  assert.ok(!can({ scopes: 'patient/Condition.read', patient: 'a' }, 'Observation/obs-a'), 'SC01');
  for (const key of [
    'Patient/a',
    'Observation/obs-a',
    'Condition/con-a',
    'CareTeam/team-a',
    'RelatedPerson/rp-a',
    'MedicationRequest/mr-a',
    'Provenance/prov-a',
  ]) {
    assert.ok(can(PATIENT_A, key), `SC02 ${key}`);
  }
  const outside = [
    'MedicationDispense/md-a',
    'Medication/med',
    'Binary/bin-a',
    'Group/just-a',
    'Endpoint/mail',
    'Coverage/cov-a',
    'Questionnaire/q',
  ];
  for (const key of outside) assert.ok(!can(PATIENT_A, key), `SC03 ${key}`);
  const user = { scopes: 'user/*.read', userPatients: 'all' };
  assert.ok(can(user, 'Group/both') && !can(user, 'MedicationDispense/md-a') && !can(user, 'Medication/med'), 'SC04');
  const system = { scopes: 'system/*.read' };
  assert.ok(can(system, 'Group/both') && can(system, 'Medication/med') && can(system, 'Binary/bin-none'), 'SC05');
  for (const key of ['MedicationDispense/md-a', 'Endpoint/mail', 'Coverage/cov-a', 'Questionnaire/q']) {
    assert.ok(!can(system, key), `SC05 ${key}`);
  }
  const explicit = { scopes: 'patient/MedicationDispense.read', patient: 'a' };
  assert.ok(can(explicit, 'MedicationDispense/md-a') && !can(explicit, 'MedicationDispense/md-b'), 'SC06');
  assert.ok(!can({ scopes: 'patient/Observation.write', patient: 'a' }, 'Observation/obs-a'), 'SC07');
  assert.ok(can({ scopes: 'patient/Observation.*', patient: 'a' }, 'Observation/obs-a'), 'SC08');
  const self = { scopes: 'openid fhirUser', patient: 'a', fhirUser: 'Practitioner/dr' };
  assert.ok(
    can(self, 'Practitioner/dr', 'read') && !can(self, 'Practitioner/dr') && !can(self, 'Patient/a', 'read'),
    'SC09',
  );
  assert.ok(!can({ ...self, scopes: 'openid profile' }, 'Practitioner/dr', 'read'), 'SC09');
  const mixed = { scopes: 'user/Patient.read patient/Observation.read', patient: 'a', userPatients: 'all' };
  assert.ok(
    can(mixed, 'Patient/b') &&
      can(mixed, 'Observation/obs-a') &&
      !can(mixed, 'Observation/obs-b') &&
      !can(mixed, 'Observation/obs-none'),
    'SC10',
  );
  assert.ok(!can({ scopes: 'patient/Obs.read patient/ObservationX.read', patient: 'a' }, 'Observation/obs-a'), 'SC11');
  const withoutProvenance = { scopes: 'patient/Observation.read patient/Patient.read', patient: 'a' };
  assert.ok(!can(withoutProvenance, 'Provenance/prov-a'), 'SC12');
  const dr = { scopes: 'user/*.read', userPatients: ['a'] };
  assert.ok(can(dr, 'Observation/obs-a') && !can(dr, 'Observation/obs-b') && !can(dr, 'Patient/b'), 'SC13');
  for (const key of ['Practitioner/dr', 'PractitionerRole/role', 'Organization/org', 'Location/loc']) {
    assert.ok(can(PATIENT_A, key), `SC14 ${key}`);
  }
});

test('levels are never united', () => {
  const split = { scopes: 'patient/Provenance.read user/Provenance.read', patient: 'a', userPatients: ['b'] };
  assert.ok(can(split, 'Provenance/prov-a') && can(split, 'Provenance/prov-b') && !can(split, 'Provenance/prov-both'));
  assert.ok(can({ scopes: 'user/Provenance.read', userPatients: ['a', 'b'] }, 'Provenance/prov-both'));
  const nobody = { scopes: 'patient/*.read' };
  assert.ok(
    !can(nobody, 'Observation/obs-a') && !can(nobody, 'Practitioner/dr'),
    'a patient scope without a patient opens nothing',
  );
  const unnamed = { scopes: 'user/*.read' };
  assert.ok(
    !can(unnamed, 'Observation/obs-a') && !can(unnamed, 'Observation/obs-none') && can(unnamed, 'Practitioner/dr'),
  );
});

test('SMART v2 and granular scopes', () => {
  const only = (scopes) => ({ scopes, patient: 'a' });
  assert.ok(
    can(only('patient/Observation.r'), 'Observation/obs-a', 'read') &&
      !can(only('patient/Observation.r'), 'Observation/obs-a', 'search'),
  );
  assert.ok(
    !can(only('patient/Observation.s'), 'Observation/obs-a', 'read') &&
      can(only('patient/Observation.s'), 'Observation/obs-a', 'search'),
  );
  assert.ok(!can(only('patient/*.rs'), 'MedicationDispense/md-a') && can(only('patient/*.rs'), 'Observation/obs-a'));
  const laboratory = only('patient/Observation.rs?category=cat|laboratory');
  assert.ok(
    can(laboratory, 'Observation/obs-a', 'read') &&
      !can(laboratory, 'Observation/obs-b', 'read') &&
      !can(laboratory, 'Condition/con-a'),
  );
  assert.ok(!can(only('patient/Observation.rs?category=cat|survey'), 'Observation/obs-a'));
  assert.ok(
    can(
      only('patient/Observation.rs?category=cat|survey patient/Observation.rs?category=cat|laboratory'),
      'Observation/obs-a',
    ),
  );
  assert.ok(can(only('patient/Observation.rs?category=cat|survey,cat|laboratory&code=1'), 'Observation/obs-a'));
  assert.ok(
    !can(only('patient/*.rs?category=cat|laboratory'), 'CareTeam/team-a') &&
      can(only('patient/*.rs?category=cat|laboratory'), 'Observation/obs-a'),
  );
});

test('A18: the patient compartment', () => {
  assert.ok(
    read(WORLD, PATIENT_A, 'Condition/con-a') &&
      !read(WORLD, PATIENT_A, 'Condition/con-b') &&
      !read(WORLD, PATIENT_A, 'Condition/unknown'),
    'PC01',
  );
  assert.deepEqual(idsOf(WORLD, 'Condition?_id=con-b', PATIENT_A), [], 'PC02');
  assert.deepEqual(idsOf(WORLD, 'Condition?_id=con-a,con-b', PATIENT_A), ['con-a'], 'PC03');
  assert.deepEqual(idsOf(WORLD, 'Condition?patient=b', PATIENT_A), [], 'PC04');
  assert.deepEqual(idsOf(WORLD, 'Condition?patient=Patient/b', PATIENT_A), [], 'PC04');
  assert.deepEqual(idsOf(WORLD, 'Condition?patient=a,b', PATIENT_A), ['con-a'], 'PC05');
  assert.deepEqual(idsOf(WORLD, 'Condition?patient=a&patient=b', PATIENT_A), [], 'PC06');
  assert.deepEqual(idsOf(WORLD, `Condition?patient=${DEFAULT_BASE}/Patient/a`, PATIENT_A), ['con-a'], 'PC07');
  assert.deepEqual(idsOf(WORLD, `Condition?patient=${DEFAULT_BASE}/Patient/b`, PATIENT_A), [], 'PC07');
  assert.deepEqual(
    search(WORLD, PATIENT_A, 'Condition?patient=https://my.host/r4/Patient/a', { base: 'https://my.host/r4' }).ids,
    ['Condition/con-a'],
    'PC07',
  );
  assert.deepEqual(idsOf(WORLD, 'Condition?patient=https://evil/Patient/a', PATIENT_A), [], 'PC08');
  assert.deepEqual(
    idsOf(WORLD, 'Observation?code=1', PATIENT_A),
    ['obs-a'],
    "PC12: no patient parameter means the token's own",
  );
  assert.deepEqual(idsOf(WORLD, 'Patient', PATIENT_A), ['a'], 'PC14');
  assert.ok(!read(WORLD, PATIENT_A, 'Patient/b'), 'PC14');
  assert.deepEqual(idsOf(WORLD, 'Observation?_id=obs-a,obs-b', PATIENT_A), ['obs-a'], 'PC16: performers do not count');
  assert.ok(!can(PATIENT_A, 'Provenance/prov-both') && !can(PATIENT_A, 'Provenance/prov-herd'), 'PC17');
  assert.ok(can({ scopes: 'system/*.read' }, 'Provenance/prov-both'), 'PC17');
  assert.ok(
    !can(PATIENT_A, 'Provenance/prov-dr') && can({ scopes: 'system/Provenance.read' }, 'Provenance/prov-dr'),
    'PC18',
  );
  assert.ok(
    !can(PATIENT_A, 'Provenance/prov-dangling') && can({ scopes: 'system/*.read' }, 'Provenance/prov-dangling'),
  );
  const participants = '_include=CareTeam:participant:Patient&_include=CareTeam:participant:RelatedPerson';
  const team = search(WORLD, PATIENT_A, `CareTeam?patient=a&status=active&${participants}`);
  assert.deepEqual(team, { ids: ['CareTeam/team-a'], included: ['Patient/a'] }, 'PC19, PC20');
  assert.ok(!can(PATIENT_A, 'Patient/b'), 'PC21: Patient.link opens nothing');
  const generous = {
    scopes: 'patient/Observation.read patient/Binary.read user/Observation.read',
    patient: 'a',
    userPatients: ['a', 'b'],
  };
  for (const key of ['Observation/obs-none', 'Observation/obs-herd', 'Binary/bin-none']) {
    assert.ok(!can(PATIENT_A, key) && !can(generous, key), `PC24 ${key}`);
  }
  assert.ok(can({ scopes: 'user/Observation.read', userPatients: 'all' }, 'Observation/obs-none'), 'PC24');
});

// --- Includes and chains (A19) ---

test('A19: includes need their own scope, and never leave the grant', () => {
  const includes = (grant, query) => search(WORLD, grant, query).included;
  const observation = { scopes: 'patient/Observation.read', patient: 'a' };
  assert.deepEqual(includes(observation, 'Observation?patient=a&_revinclude=Provenance:target'), [], 'IC01');
  assert.deepEqual(
    includes(PATIENT_A, 'Observation?patient=a&_revinclude=Provenance:target'),
    ['Provenance/prov-a'],
    'IC12: prov-both and prov-herd are left out, and so is a Provenance that belongs to nobody',
  );
  assert.deepEqual(includes(SYSTEM, 'Observation?patient=a&_revinclude=Provenance:target'), [
    'Provenance/prov-a',
    'Provenance/prov-both',
    'Provenance/prov-dangling',
    'Provenance/prov-herd',
  ]);
  const dispense = 'MedicationDispense?patient=a&_include=MedicationDispense:medication';
  assert.deepEqual(includes({ scopes: 'patient/MedicationDispense.read', patient: 'a' }, dispense), [], 'IC02');
  assert.deepEqual(
    includes({ scopes: 'patient/MedicationDispense.read patient/Medication.read', patient: 'a' }, dispense),
    ['Medication/med'],
    'IC02',
  );
  assert.deepEqual(
    includes(PATIENT_A, 'MedicationRequest?patient=a&intent=order,plan&_include=MedicationRequest:medication'),
    [],
  );
  const roles =
    'PractitionerRole?specialty=207R&_include=PractitionerRole:endpoint&_include=PractitionerRole:practitioner';
  assert.deepEqual(includes({ scopes: 'system/PractitionerRole.read' }, roles), [], 'IC03');
  assert.deepEqual(includes(PATIENT_A, roles), ['Practitioner/dr'], 'IC04: Endpoint is in no wildcard list');
  assert.deepEqual(
    includes(SYSTEM, roles),
    ['Endpoint/mail', 'Practitioner/dr'],
    'IC05: no duplicates, nothing dangling',
  );
  assert.deepEqual(
    includes(PATIENT_A, 'CareTeam?patient=a&_include=CareTeam:participant:Patient'),
    ['Patient/a'],
    'IC09',
  );
  assert.deepEqual(
    includes(
      PATIENT_A,
      'CareTeam?patient=a&_include=CareTeam:participant:Practitioner&_include=CareTeam:participant:PractitionerRole',
    ),
    ['Practitioner/dr', 'PractitionerRole/role'],
  );
});

test('only resources on the page bring includes', () => {
  const query = 'Observation?_id=obs-a,obs-b&_revinclude=Provenance:target';
  const all = search(WORLD, SYSTEM, query);
  assert.deepEqual(all.ids, ['Observation/obs-a', 'Observation/obs-b']);
  const page = search(WORLD, SYSTEM, query, { page: ['Observation/obs-b'] });
  assert.deepEqual(page, { ids: all.ids, included: ['Provenance/prov-b'] });
  const self = search(WORLD, SYSTEM, 'Provenance?_id=prov-of-prov,prov-a&_revinclude=Provenance:target');
  assert.deepEqual(
    self,
    { ids: ['Provenance/prov-a', 'Provenance/prov-of-prov'], included: [] },
    'a match is not included again',
  );
});

test('chains: the target is searched, and must be readable', () => {
  assert.deepEqual(idsOf(WORLD, 'PractitionerRole?practitioner.name=amore'), ['role']);
  assert.deepEqual(idsOf(WORLD, 'PractitionerRole?practitioner.name:exact=Ana'), ['role']);
  assert.deepEqual(idsOf(WORLD, 'PractitionerRole?practitioner.name=mor'), []);
  assert.deepEqual(idsOf(WORLD, 'PractitionerRole?practitioner.identifier=npi|99'), ['role']);
  assert.deepEqual(idsOf(WORLD, 'PractitionerRole?practitioner.identifier=x|99'), []);
  assert.deepEqual(idsOf(WORLD, 'PractitionerRole?practitioner=Practitioner/dr&specialty=nucc|207r'), ['role']);
  assert.deepEqual(
    idsOf(WORLD, 'PractitionerRole?practitioner.name=amore', { scopes: 'system/PractitionerRole.read' }),
    [],
    'IC13: a chain is a read',
  );
});

const VISITS = [
  { resourceType: 'Patient', id: 'a', gender: 'female' },
  { resourceType: 'Patient', id: 'b', gender: 'male' },
  { resourceType: 'Encounter', id: 'ea', status: 'finished', subject: { reference: 'Patient/a' } },
  { resourceType: 'Encounter', id: 'eb', status: 'planned', subject: { reference: 'Patient/b' } },
  condition('ca', 'a', 'ea'),
  condition('cab', 'a', 'eb'),
  condition('cb', 'b', 'eb'),
  { resourceType: 'Provenance', id: 'p', target: [{ reference: 'Condition/ca' }, { reference: 'Condition/cb' }] },
].map((resource) => ({ resource, text: '' }));

function condition(id, patient, encounter) {
  const [subject, visit] = [`Patient/${patient}`, `Encounter/${encounter}`].map((reference) => ({ reference }));
  return { resourceType: 'Condition', id, subject, encounter: visit, code: { coding: [{ code: id }] } };
}

test('joins: chains and _has of any depth stay in a record and with what the grant opens', () => {
  const finds = (query, grant = SYSTEM) => search(VISITS, grant, query).ids.map((key) => key.split('/')[1]);
  assert.deepEqual(finds('Condition?patient=a&encounter.status=finished'), ['ca']);
  assert.deepEqual(finds('Condition?patient=a&encounter:Encounter.status:not=finished'), [], 'in another record');
  assert.deepEqual(finds('Condition?patient=a,b&encounter.patient.gender=male'), ['cb']);
  assert.deepEqual(finds('Encounter?_has:Condition:encounter:code=ca,cb&_sort=_id'), ['ea', 'eb']);
  assert.deepEqual(finds('Encounter?_has:Condition:encounter:code=cab'), []);
  assert.deepEqual(finds('Patient?_has:Encounter:patient:_has:Condition:encounter:code=cb'), ['b']);
  assert.deepEqual(finds('Condition?_has:Provenance:target:_id=p&_sort=_id'), ['ca', 'cb']);
  const own = { scopes: 'patient/*.read', patient: 'a' };
  assert.deepEqual(finds('Condition?_has:Provenance:target:_id=p', own), [], 'it is about another patient too');
  assert.deepEqual(finds('Condition?encounter.status=finished', { ...own, scopes: 'patient/Condition.read' }), []);
});

// --- Loading ---

test('loading: ndjson, gz, Bundles, folders; only served types; the later of two counts', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'oracle-'));
  const line = (resource) => `${JSON.stringify(resource)}\n`;
  fs.writeFileSync(
    path.join(folder, 'a.ndjson'),
    `\uFEFF{"resourceType":"Patient","id":"1","x":1.0}\n\n${line({ resourceType: 'Foo', id: 'c' })}`,
  );
  fs.writeFileSync(
    path.join(folder, 'b.ndjson.gz'),
    zlib.gzipSync(
      line({ resourceType: 'Patient', id: '2' }) + line({ resourceType: 'Patient', id: '2', gender: 'male' }),
    ),
  );
  const bundle = {
    resourceType: 'Bundle',
    entry: [
      { fullUrl: 'urn:uuid:9', resource: { resourceType: 'Patient', id: '3' } },
      { resource: { resourceType: 'Observation', id: 'o', subject: ref('urn:uuid:9') } },
      {},
    ],
  };
  fs.writeFileSync(path.join(folder, 'c.json'), JSON.stringify(bundle, null, 2));
  fs.writeFileSync(path.join(folder, 'NOTICE.md'), 'not data');
  const found = loadResources([folder]);
  assert.deepEqual(
    found.map(({ resource }) => `${resource.resourceType}/${resource.id}`),
    ['Patient/1', 'Patient/2', 'Patient/3', 'Observation/o'],
  );
  assert.equal(found[0].text, '{"resourceType":"Patient","id":"1","x":1.0}');
  assert.equal(found[1].resource.gender, 'male');
  assert.equal(found[3].resource.subject.reference, 'Patient/3');
  fs.rmSync(folder, { recursive: true });
});

// --- spec.tsv ---

const rows = readRows();

test('spec.tsv: well formed', () => {
  assert.equal(new Set(rows.map((row) => row.id)).size, rows.length, 'ids are unique');
  assert.equal(
    new Set(rows.map((row) => `${row.source} ${row.query}`)).size,
    rows.length,
    'no query twice within a source',
  );
  for (const row of rows) {
    assert.ok(['SHALL', 'SHOULD', 'read by id', 'search'].includes(row.level), row.id);
    assert.ok(['spec', 'usc'].includes(row.source) && row.id.startsWith(`${row.source}.`), row.id);
    assert.ok(row.query.startsWith(`${row.type}?`) || row.query === `${row.type}/{_id}`, row.id);
    for (const name of namesIn(row.query)) {
      assert.ok(name.startsWith('_') || PARAMS[row.type][name], `${row.id} ${name}`);
    }
  }
});

const namesIn = (query) => [...query.matchAll(/[?&]([\w.-]+)=/g)].map((match) => match[1]);
const signature = (type, query) =>
  `${type} ${query.includes('/{_id}') ? 'read' : [...new Set(namesIn(query))].sort().join('+')}`;

// The tables of docs/contract.md: each row with its id, type, parameters and level. A variant (`.or`) has its own id.
function contractRows(markdown) {
  const found = [];
  const add = (id, names, level) => {
    const type =
      id.startsWith('spec.Provenance.') && id.split('.').length > 3 && !id.endsWith('.search')
        ? id.split('.')[3]
        : id.split('.')[1];
    const all =
      names === 'read'
        ? names
        : [...new Set(id.endsWith('.include') ? [...names, '_include'] : names)].sort().join('+');
    found.push(`${id} ${type} ${all} ${level}`);
  };
  const part = (from, to) => markdown.slice(markdown.indexOf(`\n### ${from}`), markdown.indexOf(`\n### ${to}`));
  const cells = (line) =>
    line
      .replace(/`[^`]*`/g, (code) => code.replaceAll('|', '¦'))
      .split('|')
      .map((cell) => cell.trim());
  const tables = (text) =>
    text
      .split('\n')
      .filter((line) => /^\|.*`(spec|usc)\./.test(line))
      .map(cells);
  for (const [, search, ...sources] of tables(part('By type', 'Provenance of what is found'))) {
    const names =
      search === 'read by id' ? 'read' : [...search.matchAll(/`([\w.-]+)(=survey)?`/g)].map((match) => match[1]);
    for (const source of sources) {
      for (const [, level, id, variants] of source.matchAll(
        /(SHALL|SHOULD|offered) `((?:spec|usc)\.[\w.]+)`((?: \(?`\.\w+`(?: SHALL\)| SHOULD\))?)*)/g,
      )) {
        add(id, names, level);
        for (const [, variant, own] of variants.matchAll(/`(\.\w+)`(?: (SHALL|SHOULD))?/g)) {
          add(id + variant, names, own ?? level);
        }
      }
    }
  }
  for (const [, type, byPatient, byId, first] of tables(part('Provenance of what is found', 'Readable types'))) {
    for (const [cell, names] of [
      [byPatient, ['patient']],
      [byId, ['_id']],
      [first, [...first.matchAll(/, `([\w-]+)`/g)].map((match) => match[1])],
    ]) {
      const [, level, id] = /(SHALL|SHOULD) `([\w.]+)`/.exec(cell) ?? [];
      if (id) add(id, [...names, '_revinclude'], level);
      if (id) assert.ok(id.includes(type), id);
    }
  }
  return found;
}

const LEVELS = { SHALL: 'SHALL', SHOULD: 'SHOULD', 'read by id': 'offered', search: 'offered' };
const CONTRACT = contractRows(fs.readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8'));

for (const [source, name, least] of [
  ['spec', 'the contract', 120],
  ['usc', 'US Core', 150],
]) {
  test(`spec.tsv and docs/contract.md have the same rows of ${name}`, () => {
    const own = rows
      .filter((row) => row.source === source)
      .map(({ id, type, query, level }) => `${signature(type, query).replace(type, `${id} ${type}`)} ${LEVELS[level]}`);
    const promised = CONTRACT.filter((row) => row.startsWith(`${source}.`));
    assert.ok(own.length > least, `${own.length} rows`);
    assert.deepEqual(promised.toSorted(), own.toSorted());
    const includes = rows
      .filter((row) => row.source === source)
      .map(({ query }) => query)
      .join(' ');
    for (const include of [
      'MedicationRequest:medication',
      'MedicationDispense:medication',
      'PractitionerRole:endpoint',
      'PractitionerRole:practitioner',
      ...['PractitionerRole', 'Practitioner', 'Patient', 'RelatedPerson'].map((type) => `CareTeam:participant:${type}`),
    ]) {
      assert.ok(includes.includes(`_include=${include}`), include);
    }
  });
}

// --- Instantiation ---

test('instantiate: deterministic, valid, and mostly with hits', () => {
  const patients = ['p1', 'p2', 'p3', 'p4'];
  const data = wrap([
    ...patients.map((id) => ({ resourceType: 'Patient', id, name: [{ family: `Ünver ${id}` }] })),
    ...patients.slice(0, 3).flatMap((p) =>
      Array.from({ length: 5 }, (_, i) => ({
        resourceType: 'Observation',
        id: `${p}-${i}`,
        status: 'final',
        subject: ref(`Patient/${p}`),
        category: [concept(['cat', i % 2 ? 'exam' : 'odd, code'])],
        code: concept(['http://loinc.org', `${i}-1`]),
        effectiveDateTime: `202${i}-03-04T05:06:07-05:00`,
      })),
    ),
  ]);
  const row = rows.find(({ id }) => id === 'spec.Observation.3');
  const queries = [...instantiate(row, data, { perPatient: 12, patients: 4 })];
  assert.deepEqual(queries, [...instantiate(row, data, { perPatient: 12, patients: 4 })]);
  assert.notDeepEqual(queries, [...instantiate(row, data, { perPatient: 12, patients: 4, seed: 2 })]);
  const text = queries.map(decodeURIComponent).join('\n');
  for (const wanted of [
    /date=ge/,
    /date=le/,
    /date=gt/,
    /date=lt/,
    /date=..\d{4}-\d\d-\d\d(\n|$)/,
    /T\d\d:\d\d:\d\dZ/,
    /patient=Patient\/p/,
    /patient=p/,
    /category=exam/,
    /category=cat\|exam/,
    /odd\\, code/,
  ]) {
    assert.match(text, wanted);
  }
  assert.ok(!/[ |+\\]/.test(queries.join('')), 'percent-encoded');
  const hits = queries.filter((query) => search(data, SYSTEM, query).ids.length > 0);
  assert.ok(hits.length > queries.length / 3 && hits.length < queries.length, `${hits.length} of ${queries.length}`);
  const lists = [
    ...instantiate(
      rows.find(({ id }) => id === 'spec.ServiceRequest.7.or'),
      data,
      { perPatient: 8 },
    ),
  ].join('\n');
  assert.match(lists, /status=draft,active,completed,cancelled/);
  const absolute = [
    ...instantiate(
      rows.find(({ id }) => id === 'spec.ServiceRequest.3'),
      data,
      { perPatient: 6, base: 'https://x/r4' },
    ),
  ];
  assert.ok(absolute.some((query) => query.startsWith('ServiceRequest?patient=https://x/r4/Patient/')));
});

test('instantiate: every row gives queries that the evaluator understands', () => {
  for (const row of rows) {
    const queries = [...instantiate(row, WORLD, { patients: 2, perPatient: 3 })];
    assert.ok(queries.length > 0, row.id);
    for (const query of queries) {
      assert.ok(!/[{}]/.test(query), query);
      if (query.includes('?')) search(WORLD, SYSTEM, query);
      else read(WORLD, SYSTEM, query);
    }
  }
});
