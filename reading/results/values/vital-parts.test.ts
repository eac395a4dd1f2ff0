import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withFacts } from '../../fhir/facts.ts';
import { concept } from '../../fhir/text.ts';
import type { Observation, Quantity } from '../../fhir/types.ts';
import { isVital, vitalCodes } from '../../fhir/vital-codes.ts';
import { ENGLISH } from '../../language/words.ts';
import { usualMarkText, usualRanges } from '../flags/usual-range.ts';
import { groupsOf } from '../panels/test-groups.ts';
import { related } from '../related.ts';
import { numberIn, quantityOf } from './measured-number.ts';
import { reading } from './reading.ts';
import { vitalsIn } from './vital-parts.ts';

const observation = (of: Partial<Observation>): Observation => {
  const one: Observation = { resourceType: 'Observation', id: 'o', effectiveDateTime: '2024-03-05', ...of };
  return withFacts(one, { subject: () => ({ birth: '1980-04-01' }) });
};
const spaced = (text: string): string => text.replaceAll('\u00a0', ' ');

test('a vital sign is known by each of its codes and names, and by whole names alone', () => {
  const coding = (code: string, system?: string) => ({ coding: [{ code, ...(system ? { system } : {}) }] });
  for (const of of [
    coding('8867-4'),
    coding('364075005'),
    coding('147842'),
    { text: ' Heart  Rate ' },
    { text: 'Herzfrequenz' },
    { text: 'frecuencia cardíaca' },
    { coding: [{ code: '77', display: 'PULSE' }] },
    { text: 'Pulse Rate (adult)' },
    { text: 'Resting heart rate' },
  ])
    assert.ok(isVital(of, '8867-4'), JSON.stringify(of));
  for (const of of [
    undefined,
    {},
    { text: 'Fetal heart rate' },
    { text: 'constructor' },
    { text: 'RR' },
    { text: 'Pulse', coding: [{ system: 'http://loinc.org', code: '8893-0' }] },
  ])
    assert.ok(!isVital(of, '8867-4'), JSON.stringify(of));
  assert.deepEqual(vitalCodes({ text: 'SpO2', coding: [{ code: '5' }] }), ['5', '59408-5']);
  assert.deepEqual(vitalCodes({ text: 'Oxygen saturation in Arterial blood by Pulse oximetry' }), ['59408-5']);
  assert.deepEqual(vitalCodes({ text: 'Temp. (F)' }), ['8310-5']);
  assert.deepEqual(vitalCodes({ text: 'Temperature, axillary' }), ['8310-5', '8333-7'], 'by another way');
});

test('a panel of several vital signs is one reading of each, and a pressure in a text has two numbers', () => {
  const panel = observation({
    code: { coding: [{ code: '85353-1' }] },
    component: [
      { code: { coding: [{ code: '8867-4' }] }, valueQuantity: { value: 140, unit: '/min' } },
      { code: { coding: [{ code: '59408-5' }] }, valueQuantity: { value: 82, unit: '%' } },
      { code: { coding: [{ code: '8480-6' }] }, valueQuantity: { value: 210, unit: 'mmHg' } },
      { code: { coding: [{ code: '8462-4' }] }, valueQuantity: { value: 130, unit: 'mmHg' } },
    ],
  });
  assert.deepEqual(
    vitalsIn(panel).map((one) => spaced(reading(ENGLISH, one))),
    ['140 /min', '82%', '210/130 mmHg'],
  );
  assert.equal(vitalsIn(panel)[0], vitalsIn(panel)[0], 'the same each time');
  const text = observation({ code: { text: 'Blutdruck' }, valueString: '210/130' });
  const coded = { ...text, code: { coding: [{ system: 'http://loinc.org', code: '55284-4' }] } };
  assert.deepEqual(
    groupsOf(ENGLISH, [panel, text, coded]).map(
      ({ key, list }) => `${key}: ${list.map((o) => spaced(reading(ENGLISH, o))).join(', ')}`,
    ),
    ['8867-4: 140 /min', '59408-5: 82%', '85354-9: 210/130 mmHg, 210/130 mmHg, 210/130 mmHg'],
  );
  assert.match(
    usualRanges(ENGLISH, text)
      .map((one) => usualMarkText(ENGLISH, one))
      .join(),
    /urgent: above 180/,
  );
  const german = observation({ code: { text: 'RR' }, valueString: '190/100' });
  assert.deepEqual(
    groupsOf(ENGLISH, [german]).map(({ key }) => key),
    ['85354-9'],
  );
  const whole = observation({ code: { text: 'Puls' }, valueInteger: 70, component: [{ valueInteger: 1 }] });
  assert.deepEqual(vitalsIn(whole), [whole]);
});

test('the pressure of an examination with another name is called a blood pressure', () => {
  const part = (code: string, value: number) => ({ code: { coding: [{ code }] }, valueQuantity: { value, unit: '1' } });
  const examination = observation({
    code: { coding: [{ system: 'http://snomed.info/sct', code: '363788007', display: 'Examination observable' }] },
    component: [part('271649006', 130), part('271650006', 85), part('78564009', 78)],
  });
  assert.deepEqual(
    groupsOf(ENGLISH, [examination]).map(({ key, name }) => [key, name]),
    [
      ['8867-4', 'code 78564009, without a name'],
      ['85354-9', 'Blood pressure'],
    ],
  );
});

test('a vital sign whose range cannot be used, or that is called normal, is still marked as urgent', () => {
  const pulse = (more: Partial<Observation>): string =>
    usualRanges(
      ENGLISH,
      observation({ code: { coding: [{ code: '8867-4' }] }, valueQuantity: { value: 190, unit: '/min' }, ...more }),
    )
      .map((one) => usualMarkText(ENGLISH, one))
      .join();
  const urgent = 'urgent: 131 or more (NEWS2)';
  const ends = { low: { value: 60 }, high: { value: 100 } };
  assert.equal(pulse({}), urgent);
  assert.equal(pulse({ interpretation: [{ coding: [{ code: 'N' }] }] }), `${urgent}, called normal`);
  assert.equal(pulse({ referenceRange: [{ low: { value: 100 }, high: { value: 60 } }] }), urgent);
  assert.equal(pulse({ referenceRange: [{ ...ends, appliesTo: [{ text: 'Newborn' }] }] }), urgent);
  assert.equal(pulse({ referenceRange: [{ text: 'see chart' }] }), urgent);
  assert.equal(
    pulse({ referenceRange: [{ low: { value: 60 }, high: { value: 200 } }] }),
    '',
    'the range of the record',
  );
  assert.equal(pulse({ interpretation: [{ coding: [{ code: 'H' }] }] }), '', 'the flag of the record');
});

test('a text that is nothing but a number is read as one', () => {
  const cases: [string, string | undefined][] = [
    ['7,2 mmol/L', '7.2 mmol/L'],
    ['<0.01', '<0.01'],
    ['≥ 90 mL/min/1.73m2', '>=90 mL/min/1.73m2'],
    ['-3', '-3'],
    ['82%', '82 %'],
    ['1,000', undefined],
    ['5 cats', undefined],
    ['3 to 5', undefined],
    ['2024-01-01', undefined],
    ['12/80', undefined],
    ['', undefined],
  ];
  for (const [text, expected] of cases) {
    const of = numberIn(text);
    const said = of && [`${of.comparator ?? ''}${of.written}`, of.unit].filter(Boolean).join(' ');
    assert.equal(said, expected, text);
  }
  assert.equal(quantityOf({ valueInteger: 0 })?.value, 0);
  assert.equal(quantityOf({ valueQuantity: { unit: 'mg' } }), undefined);
});

test('oxygen that is an observation of its own of the same time is read beside the saturation', () => {
  const at = (id: string, code: string, amount: Quantity, effectiveDateTime: string): Observation => ({
    resourceType: 'Observation',
    id,
    effectiveDateTime,
    code: { coding: [{ system: 'http://loinc.org', code, display: code === '3151-8' ? 'Oxygen flow' : 'SpO2' }] },
    valueQuantity: amount,
  });
  const time = '2024-06-29T08:00:00Z';
  const on = (flow: number, flowTime = time): Observation => {
    const saturation = at('s', '59408-5', { value: 97, unit: '%', code: '%' }, time);
    const oxygen = at('o', '3151-8', { value: flow, unit: 'L/min' }, flowTime);
    const [read] = related([saturation, oxygen], () => ({ resourceType: 'Patient', id: 'p', birthDate: '1980-04-01' }));
    return read ?? saturation;
  };
  const said = (o: Observation): unknown[] => [spaced(reading(ENGLISH, o)), usualRanges(ENGLISH, o).length];
  assert.deepEqual(said(on(2.6)), ['97% (Oxygen flow: 2.6 L/min)', 0]);
  assert.deepEqual(said(on(0)), ['97% (Oxygen flow: 0 L/min)', 1]);
  assert.deepEqual(said(on(2.6, '2024-06-29T09:00:00Z')), ['97%', 1]);
});

test('a code of devices is called by the sign that it means, not by the identifier of its term', () => {
  const device = (code: string, display: string) => ({
    coding: [{ system: 'urn:iso:std:iso:11073:10101', code, display }],
  });
  assert.equal(concept(ENGLISH, device('150456', 'MDC_PULS_OXIM_SAT_O2')), 'Oxygen saturation');
  assert.equal(concept(ENGLISH, device('149530', 'MDC_PULS_OXIM_PULS_RATE')), 'Heart rate');
  assert.equal(concept(ENGLISH, device('150320', 'MDC_SAT_O2_QUAL')), 'MDC_SAT_O2_QUAL');
  const loinc = { system: 'http://loinc.org', code: '2339-0', display: 'Glucose' };
  assert.equal(concept(ENGLISH, { coding: [...device('160184', 'MDC_CONC_GLU').coding, loinc] }), 'Glucose');
});
