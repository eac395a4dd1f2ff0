import assert from 'node:assert/strict';
import { test } from 'node:test';
import { referredAddress } from '../../fhir/record-address.ts';
import { withNames } from '../../fhir/reference-names.ts';
import { isOfType, type Observation, ofType, type Patient, type Resource } from '../../fhir/types.ts';
import { SPANISH } from '../../language/spanish.ts';
import { ENGLISH } from '../../language/words.ts';
import { meaningOf } from '../../records/meaning.ts';
import { eventOf } from '../../timeline/events.ts';
import { abnormalResults, unjudgedTests } from '../abnormal.ts';
import { containedResults } from '../contained-results.ts';
import { flag } from '../flags/flag.ts';
import { usualRanges } from '../flags/usual-range.ts';
import { componentPanels } from '../panels/component-panels.ts';
import { groupsOf, nameKeyOfGroup } from '../panels/test-groups.ts';
import { related } from '../related.ts';
import { latestSigns } from '../signs.ts';
import { resultsCsv } from '../trends/trend-text.ts';
import { reading } from '../values/reading.ts';
import { APART_CASES, TARGETS } from './told-apart.cases.ts';
import { toldApart, withSources } from './told-apart.ts';

const PATIENT: Patient = { resourceType: 'Patient', id: 'p', gender: 'female', birthDate: '1980-02-03' };
const spaced = (text: string | undefined): string => (text ?? '').replaceAll('\u00a0', ' ');

/** Returns observations as a chart reads them. */
const read = (...all: Partial<Observation>[]): Observation[] =>
  related(
    all.map(
      (one, i): Observation => ({
        resourceType: 'Observation',
        id: `o${i}`,
        status: 'final',
        subject: { reference: 'Patient/p' },
        effectiveDateTime: `2024-01-0${i + 1}`,
        code: { text: 'Glucose' },
        ...one,
      }),
    ),
    () => PATIENT,
    (one) => withNames(one, ({ reference }) => TARGETS[referredAddress(reference)]),
  );

test('a LOINC code says the kind of specimen, so that a result without one is of the only test with one', () => {
  const code = { coding: [{ system: 'http://loinc.org', code: '4548-4' }] };
  const [blood, serum] = ['Blood', 'Serum'].map((display) => ({ code, specimen: { display } }));
  assert.equal(groupsOf(ENGLISH, read({ code }, { ...blood })).length, 1);
  assert.equal(groupsOf(ENGLISH, read({ code }, { ...blood }, { ...serum })).length, 3);
});

test('results of one name are one test where all that tells them apart agrees', () => {
  for (const { from, one, other, isOne, says } of APART_CASES) {
    const value = { valueQuantity: { value: 5, unit: 'mg/dL' } };
    const [a, b] = read({ ...one, ...value }, { ...other, ...value });
    assert.ok(a && b);
    assert.equal(groupsOf(ENGLISH, [a, b]).length, isOne ? 1 : 2, from);
    assert.deepEqual(toldApart(ENGLISH, b), says, from);
  }
});

const heart = (more: Partial<Observation>): Partial<Observation> => ({
  code: { coding: [{ system: 'http://loinc.org', code: '8867-4', display: 'Heart rate' }] },
  category: [{ coding: [{ code: 'vital-signs' }] }],
  valueQuantity: { value: 150, unit: '/min', code: '/min' },
  ...more,
});

test('whom a result is about is said at its value, and it is not judged as one of the patient', () => {
  const [own, ofFetus] = read(heart({}), heart({ focus: [{ display: 'Fetus' }] }));
  assert.ok(own && ofFetus);
  assert.ok(usualRanges(ENGLISH, own)[0]?.urgent);
  assert.deepEqual(usualRanges(ENGLISH, ofFetus), []);
  assert.equal(spaced(reading(ENGLISH, ofFetus)), '150 /min (about: Fetus)');
  assert.equal(spaced(reading(SPANISH, ofFetus)), '150 /min (sobre: Fetus)');
  assert.match(spaced(meaningOf(ENGLISH, ofFetus).value), /about: Fetus/);
  assert.match(spaced(eventOf(ENGLISH, ofFetus, [])?.value), /about: Fetus/);
  assert.deepEqual(
    latestSigns(ENGLISH, [own, ofFetus]).map(({ reading: { id } }) => id),
    [own.id],
  );
  assert.deepEqual(
    abnormalResults(ENGLISH, [own, ofFetus]).map(({ reading: { id } }) => id),
    [own.id],
  );
  const groups = groupsOf(ENGLISH, [own, ofFetus]);
  assert.deepEqual(groups.map(nameKeyOfGroup), ['8867-4', '8867-4']);
  assert.match(resultsCsv(ENGLISH, groups[1]?.list ?? []), /"about: Fetus"/);
});

test('what the words say is of a fetus or a baby is not judged as the patient’s, unless she is the baby', () => {
  const named = (display: string) => ({ code: { coding: [{ code: '8867-4', display }] } });
  const [fetal, part, baby] = read(
    heart(named('Fetal heart rate')),
    heart({ component: [{ code: { text: 'Fetal pulse' }, valueInteger: 150 }] }),
    heart({ ...named('Heart rate of the baby'), effectiveDateTime: '1980-02-04' }),
  );
  assert.ok(fetal && part && baby);
  assert.deepEqual(usualRanges(ENGLISH, fetal), []);
  assert.equal(spaced(reading(SPANISH, fetal)), '150 /min (sobre: feto)');
  assert.equal([part, baby].flatMap((one) => toldApart(ENGLISH, one)).length, 0);
  assert.equal(latestSigns(ENGLISH, [fetal, part])[0]?.reading.id, part.id);
});

test('a range for women does not judge the result of a donor, and a flag is not counted as the patient’s', () => {
  const range = { low: { value: 12 }, high: { value: 15 }, appliesTo: [{ text: 'female' }] };
  const hemoglobin = { code: { text: 'Hemoglobin' }, valueQuantity: { value: 10 }, referenceRange: [range] };
  const about = (reference: string) => ({ ...hemoglobin, focus: [{ reference, display: 'Blood' }] });
  const [own, ofDonor, ofBlood] = read(hemoglobin, about('Patient/donor'), about('Specimen/of-donor'));
  assert.ok(own && ofDonor && ofBlood);
  assert.equal(flag(own), 'low');
  assert.deepEqual([ofDonor, ofBlood].map(flag), [undefined, undefined]);
  assert.equal(unjudgedTests(ENGLISH, [ofDonor]).length, 0);
});

test('a flagged result about a tumour of the patient stays among the abnormal ones', () => {
  const high = { interpretation: [{ coding: [{ code: 'H' }] }], valueQuantity: { value: 90 } };
  const all = read({ ...high, focus: [{ reference: 'Condition/breast' }] }, { ...high, focus: [{ display: 'Donor' }] });
  assert.deepEqual(
    abnormalResults(ENGLISH, all).map((one) => reading(ENGLISH, one.reading)),
    ['90 (about: Cancer of the breast)'],
  );
});

test('both numbers of a pressure, the parts of a panel and its members are about whom the panel is about', () => {
  const fetus = { focus: [{ display: 'Fetus' }] };
  const coded = (code: string) => ({ coding: [{ system: 'http://loinc.org', code }] });
  const [pressure, own] = read(
    {
      ...fetus,
      code: coded('85354-9'),
      component: ['8480-6', '8462-4'].map((code) => ({
        code: coded(code),
        valueQuantity: { value: 190, unit: 'mmHg' },
      })),
    },
    { code: coded('8480-6'), valueQuantity: { value: 120, unit: 'mmHg' } },
  );
  assert.ok(pressure && own);
  assert.equal(groupsOf(ENGLISH, [pressure, own]).length, 2);
  assert.deepEqual(usualRanges(ENGLISH, pressure), []);
  const parts = ['A', 'B'].map((text) => ({ code: { text }, valueQuantity: { value: 1 } }));
  const { panels } = componentPanels(ENGLISH, read({ ...fetus, component: parts }, { component: parts }));
  assert.deepEqual(
    panels.map(({ tests }) => tests.map(({ latest }) => reading(ENGLISH, latest))),
    [
      ['1 (about: Fetus)', '1 (about: Fetus)'],
      ['1', '1'],
    ],
  );
  assert.deepEqual(
    panels.map(({ name }) => name),
    ['Glucose (about: Fetus)', 'Glucose'],
  );
  const [, member, inner] = read(
    { ...fetus, specimen: { display: 'Cord blood' }, hasMember: [{ reference: 'Observation/o1' }] },
    { valueQuantity: { value: 7 }, hasMember: [{ reference: 'Observation/o2' }] },
    { valueQuantity: { value: 7 }, specimen: { display: 'Plasma' } },
  );
  assert.ok(member && inner);
  assert.deepEqual(toldApart(ENGLISH, member), ['about: Fetus', 'Specimen: Cord blood']);
  assert.deepEqual(toldApart(ENGLISH, inner), ['about: Fetus', 'Specimen: Plasma']);
  const [, ofNamed] = read(
    { code: { text: 'Fetal monitoring' }, hasMember: [{ reference: 'Observation/o1' }] },
    heart({}),
  );
  assert.ok(ofNamed);
  assert.deepEqual(toldApart(ENGLISH, ofNamed), ['about: fetus']);
  // A panel of another section is known from its own answer.
  const panel: Observation = { ...ofNamed, ...fetus, id: 'panel', hasMember: [{ reference: 'Observation/o0' }] };
  const [elsewhere] = withSources(read(heart({})), [panel]);
  assert.equal(elsewhere && isOfType('Observation', elsewhere) && toldApart(ENGLISH, elsewhere)[0], 'about: Fetus');
});

test('a contained result is about whom the observation is about that contains it', () => {
  const contained = [{ resourceType: 'Observation', id: 'inner', code: { text: 'Glucose' }, valueInteger: 7 }];
  const holder = { focus: [{ display: 'Fetus' }], hasMember: [{ reference: '#inner' }], contained };
  const [inner] = containedResults(read(holder));
  assert.ok(inner);
  assert.equal(reading(ENGLISH, inner), '7 (about: Fetus)');
});

test('a contained result is of the person in the name of its report, in error and modified as it is', () => {
  const contained = [{ resourceType: 'Observation', id: 'inner', code: { text: 'Glucose' }, valueInteger: 7 }];
  const report: Resource = {
    ...{ code: { text: 'Donor serology' }, result: [{ reference: '#inner' }], contained, status: 'entered-in-error' },
    ...{ modifierExtension: [{ url: 'http://x.example/draft', valueBoolean: true }] },
    resourceType: 'DiagnosticReport',
    id: 'r',
  };
  const [inner] = ofType('Observation', withSources(containedResults([report]), [report]));
  assert.ok(inner);
  assert.equal(reading(ENGLISH, inner), '7 (about: donor)');
  assert.equal(meaningOf(ENGLISH, inner).caution, 'entered in error, changed by something not understood: draft: true');
});

test('a result without a specimen has that of its report, and both arms of one time are two signs', () => {
  const report: Resource = {
    ...{ specimen: [{ display: 'Blood' }], result: [{ reference: 'Observation/o0' }, { reference: 'Observation/o1' }] },
    resourceType: 'DiagnosticReport',
    id: 'r',
  };
  const toldOf = (...all: Partial<Observation>[]): unknown[] =>
    related(withSources(read(...all), [report]), () => PATIENT).map(
      (one) => isOfType('Observation', one) && toldApart(ENGLISH, one).join(', '),
    );
  assert.deepEqual(toldOf({ valueInteger: 1 }, { specimen: { display: 'CSF' } }, {}), [
    ...['Specimen: Blood', 'Specimen: CSF', ''],
  ]);
  const panel = { focus: [{ display: 'Donor' }], hasMember: [{ reference: 'Observation/o0' }] };
  assert.equal(toldOf({}, {}, { ...panel, specimen: { display: 'Any' } })[0], 'about: Donor, Specimen: Blood');
  const arm = (text: string) => heart({ bodySite: { text }, effectiveDateTime: '2024-01-01T08:00:00Z' });
  assert.equal(latestSigns(ENGLISH, read(arm('Left arm'), arm('Right arm'))).length, 2);
});

test('the notes on a result are among its words', () => {
  const [potassium] = read({ valueQuantity: { value: 6.9 }, note: [{ text: 'Haemolysed, do not use.' }] });
  assert.ok(potassium);
  assert.equal(meaningOf(ENGLISH, potassium).value, '6.9, Haemolysed, do not use');
  const [lactate] = read({ valueInteger: 3, specimen: { reference: 'Specimen/noted' } });
  assert.equal(lactate && meaningOf(ENGLISH, lactate).value, '3, Specimen: Serum, Late in the laboratory');
});

test('panels that have each other as members are read', () => {
  const loop = (id: string): Partial<Observation> => ({ hasMember: [{ reference: `Observation/${id}` }] });
  const all: Resource[] = read(loop('o1'), loop('o0'));
  for (const one of all) if (isOfType('Observation', one)) assert.deepEqual(toldApart(ENGLISH, one), []);
});
