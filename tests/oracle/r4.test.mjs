// Tests of what the evaluator finds by the parameters of R4, and of how it compares each kind of value. Every
// expectation is computed by hand, most from the examples of R4's own text.

import assert from 'node:assert/strict';
import test from 'node:test';
import { compareDecimals, digitsOf, parseDecimal, parseDocument } from './decimals.mjs';
import { matcher } from './match.mjs';
import { SERVED } from './params.mjs';
import { intervalOf, numberMatches, parseNumberSearch, parseQuantitySearch, quantityMatches } from './quantities.mjs';
import { parseParams } from './query.mjs';
import { search } from './search.mjs';

const wrap = (list) => list.map((resource) => ({ resource, text: JSON.stringify(resource) }));
const ref = (reference) => ({ reference });
const SYSTEM = { scopes: [...SERVED].map((type) => `system/${type}.read`).join(' ') };
const idsOf = (data, query, { grant = SYSTEM, ...options } = {}) =>
  search(data, grant, query, options)
    .ids.map((key) => key.split('/')[1])
    .sort();
const coded = (code, system) => ({ coding: [{ code, ...(system && { system }) }] });
const observation = (id, more) => ({ resourceType: 'Observation', id, subject: ref('Patient/a'), ...more });
// Resources with ids 0, 1, ... -> which of them a search finds.
const finder = (resourceType, list) => (query, context) => {
  const matchers = parseParams(query).map((criterion) => matcher(resourceType, criterion, context));
  const isFound = (resource) => matchers.every((matches) => matches(resource));
  return list.flatMap((more, at) => (isFound({ resourceType, id: String(at), ...more }) ? [at] : [])).join('');
};

// --- Values ---

test('patient is a reference that is known to be one to a Patient', () => {
  const find = finder('Observation', [
    { subject: ref('Patient/a') },
    { subject: { reference: 'Patient/a/_history/2' } },
    { subject: { display: 'somebody' } },
    { subject: ref('Group/a') },
    { subject: { type: 'Patient', identifier: { value: 'x' } } },
    {},
  ]);
  assert.equal(find('patient=a'), '01');
  assert.equal(find('subject=a'), '013');
  assert.equal(find('subject=Patient/a'), '01');
  assert.equal(find('subject:Group=a'), '3');
  assert.equal(find('subject:Patient=Patient/a'), '01');
  assert.equal(find('patient:missing=true'), '235');
  assert.equal(find('subject:missing=true'), '5');
  assert.equal(find('subject:identifier=x'), '4');
  const allergies = finder('AllergyIntolerance', [{ patient: { display: 'x' } }, { patient: ref('Patient/a') }]);
  assert.equal(allergies('patient:missing=false'), '1', 'where the element allows Patient alone');
});

// --- Numbers ---

test('decimals are exact', () => {
  assert.deepEqual(parseDecimal('-12.50'), { mantissa: -1250n, scale: 2 });
  assert.deepEqual(parseDecimal('1e2'), { mantissa: 1n, scale: -2 });
  assert.deepEqual(parseDecimal('1.5E-3'), { mantissa: 15n, scale: 4 });
  for (const text of ['1.', '.5', 'NaN', '1_0', '', '+1', '1e', '0x1']) assert.equal(parseDecimal(text), null, text);
  assert.equal(compareDecimals(parseDecimal('1e2'), parseDecimal('100.00')), 0);
  assert.equal(compareDecimals(parseDecimal('-0.1'), parseDecimal('-0.10001')), 1);
  const document = parseDocument('{"a":{"value":0.12345678901234567890},"b":[1.50,12345678901234567]}');
  assert.equal(digitsOf(document.a, 'value'), '0.12345678901234567890');
  assert.ok(parseDecimal('0.123456789012345678000') && !parseDecimal('0.1234567890123456789'));
  assert.ok(parseDecimal('1e127') && !parseDecimal('1e128') && parseDecimal('0e300') && parseDecimal('10e126'));
  assert.deepEqual([digitsOf(document.b, 0), digitsOf(document.b, 1)], ['1.5', '12345678901234567']);
});

const NUMBERS = [
  // search, what it finds of the points
  ['100', '99.5 100 100.4'],
  ['100.00', '100'],
  ['1e2', '95 99.4 99.5 100 100.4 100.5 104.9'],
  ['ne100', '95 99.4 100.5 104.9 105'],
  ['gt100', '100.4 100.5 104.9 105'],
  ['ge100', '100 100.4 100.5 104.9 105'],
  ['lt100', '95 99.4 99.5'],
  ['le100', '95 99.4 99.5 100'],
  ['sa100', '100.4 100.5 104.9 105'],
  ['eb100', '95 99.4 99.5'],
  ['ap95.5', '95 99.4 99.5 100 100.4 100.5 104.9 105'], // 85.95 to 105.05
  ['ap90', '95'], // up to 99, which a point may be
  ['1.0e2', '99.5 100 100.4'],
];

test('numbers: the range that the digits stand for', () => {
  const points = ['95', '99.4', '99.5', '100', '100.4', '100.5', '104.9', '105'];
  for (const [value, expected] of NUMBERS) {
    const wanted = parseNumberSearch(value);
    const matching = points.filter((text) => numberMatches(wanted, intervalOf({ type: 'decimal', text })));
    assert.equal(matching.join(' '), expected, value);
  }
  assert.throws(() => parseNumberSearch('gt1.'));
  const isZero = (value, text) => numberMatches(parseNumberSearch(value), intervalOf({ type: 'decimal', text }));
  assert.ok(isZero('ap0', '0') && !isZero('ap0', '0.1') && isZero('-2', '-2.5') && !isZero('-2', '-1.5'));
});

test('numbers: ranges, open where an end is missing', () => {
  const find = finder('RiskAssessment', [
    { prediction: [{ probabilityRange: { low: { value: 2 }, high: { value: 4 } } }] },
    { prediction: [{ probabilityRange: { low: { value: 2 } } }] },
    { prediction: [{ probabilityRange: { high: { value: 4 } } }] },
    { prediction: [{ probabilityDecimal: 3 }] },
    { prediction: [{ probabilityRange: {} }] },
    { prediction: [{ outcome: { text: 'x' } }] },
  ]);
  assert.equal(find('probability=3'), '3');
  assert.equal(find('probability=3e1'), '', 'within 28.5 and 31.5');
  assert.equal(find('probability=ne3'), '012');
  assert.equal(find('probability=gt3'), '012');
  assert.equal(find('probability=gt4'), '1', 'the border belongs to the range, and nothing lies above it');
  assert.equal(find('probability=lt3'), '012');
  assert.equal(find('probability=sa1'), '013');
  assert.equal(find('probability=sa2'), '3', 'it begins at 2');
  assert.equal(find('probability=eb5'), '023');
  assert.equal(find('probability=ap4'), '012');
  assert.equal(find('probability:missing=true'), '45');
});

// --- Quantities ---

const ucum = (value, code, more) => ({ value, unit: code, system: 'http://unitsofmeasure.org', code, ...more });

test('quantities: number, system and unit', () => {
  const find = finder('Observation', [
    { valueQuantity: ucum(5.35, 'mmol/L') },
    { valueQuantity: ucum(5.45, 'mmol/L') },
    { valueQuantity: { value: 5.4, unit: 'mmol/L' } },
    { valueQuantity: ucum(120, 'mm[Hg]', { unit: 'mmHg' }) },
    { valueQuantity: ucum(5, 'mg/L', { comparator: '<' }) },
    { valueSampledData: { origin: { value: 0 }, period: 1, dimensions: 1 } },
    { valueString: '5.4' },
    { valueQuantity: { unit: 'mg' } },
  ]);
  const at = (value) => find(`value-quantity=${encodeURIComponent(value)}`);
  assert.equal(at('5.4'), '02');
  assert.equal(at('5.40'), '2');
  assert.equal(at('gt5.4'), '13');
  assert.equal(at('5.4|http://unitsofmeasure.org|mmol/L'), '0');
  assert.equal(at('5.4||mmol/L'), '02');
  assert.equal(at('5.4|http://unitsofmeasure.org|'), '0');
  assert.equal(at('120||mmHg'), '3');
  assert.equal(at('120|http://unitsofmeasure.org|mmHg'), '');
  assert.equal(at('120|http://unitsofmeasure.org|mm[Hg]'), '3');
  assert.equal(at('lt10||mg/L'), '4');
  assert.equal(at('gt3||mg/L'), '4');
  assert.equal(at('5||mg/L'), '');
  assert.equal(at('ge5||mg/L'), '');
  assert.equal(at('ap5||mg/L'), '4');
  assert.equal(find('value-quantity:missing=true'), '6', 'samples, and a unit alone, are there and found by no number');
});

test('quantities: units of UCUM that measure the same', () => {
  const finds = (value, stored) =>
    quantityMatches(parseQuantitySearch(value), {
      interval: intervalOf({ type: 'decimal', text: String(stored[0]) }),
      system: 'http://unitsofmeasure.org',
      code: stored[1],
    });
  const of = (text, code) => `${text}|http://unitsofmeasure.org|${code}`;
  assert.ok(finds(of('1', 'g'), [1000, 'mg']) && finds(of('1000', 'mg'), [1, 'g']));
  assert.ok(!finds(of('1.0000', 'g'), [1001, 'mg']) && finds(of('gt1', 'g'), [1001, 'mg']));
  assert.ok(finds(of('98.6', '[degF]'), [37, 'Cel']) && finds(of('37.0', 'Cel'), [98.6, '[degF]']));
  assert.ok(!finds(of('1', 'mmol'), [1, 'mg']) && !finds(of('1', 'nonsense'), [1, 'mg']));
  assert.ok(finds(of('1', 'nonsense'), [1, 'nonsense']));
  assert.ok(!finds('1|http://other|g', [1, 'g']));
});

test('quantities: money and ranges', () => {
  const items = finder('ChargeItem', [{ priceOverride: { value: 9.99, currency: 'EUR' } }]);
  assert.equal(items('price-override=9.99|urn:iso:std:iso:4217|EUR'), '0');
  assert.equal(items('price-override=9.99||USD'), '');
  const conditions = finder('Condition', [
    { onsetAge: ucum(30, 'a') },
    { onsetRange: { low: ucum(20, 'a'), high: ucum(40, 'a') } },
    { onsetString: 'young' },
  ]);
  assert.equal(conditions('onset-age=30||a'), '0');
  assert.equal(conditions('onset-age=gt35||a'), '1');
  assert.equal(conditions('onset-age:missing=true'), '2');
});

// --- Composites ---

test('composites: all components of one instance', () => {
  const find = finder('Observation', [
    {
      code: coded('panel'),
      component: [
        { code: coded('8480-6', 'http://loinc.org'), valueQuantity: ucum(120, 'mm[Hg]') },
        { code: coded('8462-4', 'http://loinc.org'), valueQuantity: ucum(80, 'mm[Hg]') },
      ],
    },
    { code: coded('8480-6'), valueQuantity: ucum(80, 'mm[Hg]') },
    { code: coded('x'), valueDateTime: '2020-03-01' },
    { code: coded('x'), valueCodeableConcept: { ...coded('a$b'), text: 'Seen' } },
    { code: coded('x'), valueString: 'seen' },
  ]);
  assert.equal(find('component-code-value-quantity=8480-6$120'), '0');
  assert.equal(find('component-code-value-quantity=8480-6$80'), '', 'of two components');
  assert.equal(find('combo-code-value-quantity=8480-6$80'), '1');
  assert.equal(find('combo-code-value-quantity=8480-6$gt70||mm[Hg]'), '01');
  assert.equal(find('code-value-quantity=http://loinc.org|8480-6$80'), '');
  assert.equal(find('combo-code-value-quantity=8480-6$120,8480-6$80'), '01');
  assert.equal(find('code-value-date=x$ge2020-03'), '2');
  assert.equal(find('code-value-concept=x$a\\$b'), '3');
  assert.equal(find('code-value-string=x$see'), '4');
  const documents = finder('DocumentReference', [
    { relatesTo: [{ code: 'replaces', target: ref('DocumentReference/d') }] },
  ]);
  assert.equal(documents('relationship=DocumentReference/d$replaces'), '0', 'as corrected');
  const sequences = finder('MolecularSequence', [
    {
      referenceSeq: { referenceSeqId: coded('NC_1') },
      variant: [
        { start: 10, end: 20 },
        { start: 30, end: 40 },
      ],
    },
  ]);
  assert.equal(sequences('referenceseqid-variant-coordinate=NC_1$10$20'), '0');
  assert.equal(sequences('referenceseqid-variant-coordinate=NC_1$10$40'), '');
});

// --- Tokens ---

test('tokens: booleans, contacts and words', () => {
  const patients = finder('Patient', [
    {
      active: true,
      telecom: [
        { system: 'phone', value: '+1 (555) 010-9999' },
        { system: 'email', value: 'Ann@X.org' },
      ],
    },
    { active: false, deceasedDateTime: '2020' },
    { deceasedBoolean: false },
  ]);
  assert.equal(patients('active=true'), '0');
  assert.equal(patients('active=http://terminology.hl7.org/CodeSystem/special-values|false'), '1');
  assert.equal(patients('active=http://x|false'), '');
  assert.equal(patients('active:missing=true'), '2');
  assert.equal(patients('deceased=true'), '1');
  assert.equal(patients('deceased=false'), '02');
  assert.equal(patients('deceased:missing=true'), '');
  assert.equal(patients('phone=%2B15550109999'), '0');
  assert.equal(patients('email=ann@x.org'), '0');
  assert.equal(patients('email=%2B15550109999'), '');
  assert.equal(patients('telecom=ANN@X.ORG,1'), '0');
  const charges = finder('Questionnaire', [{ version: 'V1' }, { version: 'v1.0' }]);
  assert.equal(charges('version=v1'), '0', 'a word as a whole, without regard to case');
});

test('tokens: :text and :of-type', () => {
  const find = finder('Condition', [
    { code: { text: 'Headache of a kind' } },
    { code: { coding: [{ code: 'h', display: 'Céphalée, headache' }] } },
    { code: coded('headache') },
  ]);
  assert.equal(find('code:text=head'), '01');
  assert.equal(find('code:text=cephalee'), '1');
  assert.equal(find('code=headache'), '2');
  const type = 'http://terminology.hl7.org/CodeSystem/v2-0203';
  const patients = finder('Patient', [
    { identifier: [{ system: 's', value: '446053', type: coded('MR', type) }] },
    { identifier: [{ system: 's', value: '446053', type: coded('SS', type) }] },
    { identifier: [{ value: 'x', type: coded('MR', type) }, { value: '446053' }] },
  ]);
  assert.equal(patients(`identifier:of-type=${type}|MR|446053`), '0');
});

// --- Dates, uris ---

test('dates: ap widens by a tenth of the distance from now', () => {
  const now = BigInt(Date.UTC(2024, 0, 1)) * 1000n;
  const find = finder('Procedure', [
    { performedDateTime: '2013-03-14' },
    { performedDateTime: '2012-09-01' },
    { performedDateTime: '2010-01-01' },
    { performedPeriod: { end: '2012-09-01' } },
  ]);
  // Ten years and nine months from the end of the day to now: about one year and four weeks on each side.
  assert.equal(find('date=ap2013-03-14', { now }), '013');
  assert.equal(find('date=ap2033', { now }), '');
  const ahead = finder('Procedure', [{ performedDateTime: '2032-06-01' }]);
  assert.equal(ahead('date=ap2033', { now }), '0', 'also of what is to come');
});

test('uris: exact, and by whole segments', () => {
  const find = finder('Questionnaire', [
    { url: 'http://a/b' },
    { url: 'http://a/b/c' },
    { url: 'http://a/bc' },
    { url: 'URN:OID:1' },
  ]);
  assert.equal(find('url=http://a/b'), '0');
  assert.equal(find('url=http://A/b'), '');
  assert.equal(find('url:below=http://a/b'), '01');
  assert.equal(find('url:below=http://a/'), '012');
  assert.equal(find('url:above=http://a/b/c/d'), '01');
  assert.equal(find('url=urn:oid:1'), '');
  const tagged = finder('Questionnaire', [
    { meta: { profile: ['http://p/q|2.1'], source: 'http://s#7', tag: [{ system: 't', code: '1' }] } },
    { meta: { profile: ['http://p/q'] } },
  ]);
  assert.equal(tagged('_profile=http://p/q'), '01');
  assert.equal(tagged('_profile=http://p/q|2.1'), '0');
  assert.equal(tagged('_profile=http://p/q|2'), '');
  assert.equal(tagged('_profile:below=http://p/q|2'), '0');
  assert.equal(tagged('_profile:below=http://p'), '01');
  assert.equal(tagged('_source=http://s'), '0');
  assert.equal(tagged('_source=http://s#8'), '');
  assert.equal(tagged('_tag=t|1'), '0');
});

// --- Chains and _has ---

const WORLD = wrap([
  { resourceType: 'Patient', id: 'a', name: [{ family: 'Okafor' }], gender: 'female' },
  { resourceType: 'Patient', id: 'b', gender: 'male', generalPractitioner: [ref('Practitioner/dr')] },
  { resourceType: 'Practitioner', id: 'dr', name: [{ family: 'Lind' }] },
  { resourceType: 'Encounter', id: 'e', status: 'finished', subject: ref('Patient/a') },
  { resourceType: 'Encounter', id: 'f', status: 'planned', subject: ref('Patient/b') },
  observation('o1', { encounter: ref('Encounter/e'), status: 'final', code: coded('x') }),
  observation('o2', { encounter: ref('Encounter/unknown'), code: coded('y') }),
  observation('o3', { subject: ref('Patient/b'), encounter: ref('Encounter/f'), code: coded('x') }),
]);

test('chains: some target that is opened and matches', () => {
  const find = (query, options) => idsOf(WORLD, query, options).join(' ');
  assert.equal(find('Observation?encounter.status=finished'), 'o1');
  assert.equal(find('Observation?encounter.status:not=finished'), 'o3', 'what is not known matches nothing');
  assert.equal(find('Observation?subject:Patient.name=oka'), 'o1 o2');
  assert.equal(find('Observation?subject.name:exact=Okafor'), 'o1 o2');
  assert.equal(find('Observation?subject:Patient.name:missing=true'), 'o3');
  assert.equal(find('Observation?encounter.subject:Patient.general-practitioner:Practitioner.name=lind'), 'o3');
  const ofA = { grant: { scopes: 'patient/Observation.read patient/Encounter.read', patient: 'a' } };
  assert.equal(find('Observation?encounter.status=finished,planned', ofA), 'o1');
  assert.equal(find('Observation?patient.gender=female', ofA), '', 'without the scope of Patient');
});

test('_has: some resource that refers to it, is opened and matches', () => {
  const find = (query, options) => idsOf(WORLD, query, options).join(' ');
  assert.equal(find('Patient?_has:Observation:patient:code=x'), 'a b');
  assert.equal(find('Patient?_has:Observation:patient:code=x&_has:Observation:patient:code=y'), 'a');
  assert.equal(find('Patient?_has:Observation:patient:status:not=final'), 'a b');
  assert.equal(find('Encounter?_has:Observation:encounter:code=x&patient=a'), 'e');
  assert.equal(find('Patient?_has:Observation:patient:encounter.status=planned'), 'b');
  assert.equal(find('Practitioner?_has:Patient:general-practitioner:_has:Observation:patient:code=x'), 'dr');
  const withoutObservations = { grant: { scopes: 'system/Patient.read' } };
  assert.equal(find('Patient?_has:Observation:patient:code=x', withoutObservations), '');
});
