import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withFacts } from '../../fhir/facts.ts';
import type { Observation } from '../../fhir/types.ts';
import { SPANISH } from '../../language/spanish.ts';
import { ENGLISH } from '../../language/words.ts';
import { flagTexts, noteTexts, observationText, rangesOf } from './observation-text.ts';

const observation = (of: Partial<Observation>): Observation => ({ resourceType: 'Observation', id: 'o', ...of });
const spaced = (text: string): string => text.replaceAll('\u00a0', ' ');
const coded = (code: string) => [{ coding: [{ code }] }];

test('an observation is said with its flags, the words of the laboratory, its ranges and what is odd', () => {
  const potassium = observation({
    valueQuantity: { value: 6.9, unit: 'mmol/L' },
    interpretation: coded('N'),
    referenceRange: [{ low: { value: 3.5 }, high: { value: 5.1 } }],
  });
  assert.equal(
    spaced(observationText(ENGLISH, potassium)),
    '6.9 mmol/L, high, “Normal” by the laboratory, range 3.5–5.1, Called normal, but outside its range',
  );
  assert.match(
    spaced(observationText(SPANISH, potassium)),
    /^6,9 mmol\/L, alto, «Normal» según el laboratorio, intervalo 3,5–5,1/,
  );
});

test('the flags and ranges of components have their names', () => {
  const gas = observation({
    component: [
      {
        code: { text: 'pH' },
        valueQuantity: { value: 7.1 },
        interpretation: coded('LL'),
        referenceRange: [{ low: { value: 7.35 }, high: { value: 7.45 } }],
      },
      {
        code: { text: 'Lactate' },
        valueQuantity: { value: 2 },
        referenceRange: [{ low: { value: 9 }, high: { value: 1 } }],
      },
    ],
  });
  assert.deepEqual(flagTexts(ENGLISH, gas), ['pH: critically low']);
  assert.deepEqual(rangesOf(ENGLISH, gas), ['pH 7.35–7.45', 'Lactate 9–1']);
  assert.deepEqual(noteTexts(ENGLISH, gas), ['Lactate: Its range is the wrong way round, and was not used.']);
});

test('a range that is not of what is normal, or for somebody, says so', () => {
  const of = (...referenceRange: NonNullable<Observation['referenceRange']>): string[] =>
    rangesOf(ENGLISH, observation({ valueQuantity: { value: 1 }, referenceRange }));
  const therapeutic = { high: { value: 20 }, type: { coding: [{ code: 'therapeutic', display: 'Therapeutic' }] } };
  assert.deepEqual(of(therapeutic, { high: { value: 6 } }).map(spaced), ['≤ 6', 'Therapeutic: ≤ 20']);
  const men = { high: { value: 6 }, appliesTo: [{ text: 'Male' }], age: { low: { value: 18, unit: 'years' } } };
  assert.deepEqual(of(men).map(spaced), ['Male, age ≥ 18 years: ≤ 6']);
  assert.deepEqual(of({ text: '4.0-10.0' }), ['4.0-10.0']);
  assert.deepEqual(of({ text: 'see report' }), ['see report']);
});

test('the words of the laboratory stand in the place of a flag, or beside it', () => {
  const said = (interpretation: Observation['interpretation']): string[] =>
    flagTexts(ENGLISH, observation({ valueString: 'x', ...(interpretation ? { interpretation } : {}) }));
  assert.deepEqual(said(coded('R')), ['resistant']);
  assert.deepEqual(said(coded('POS')), ['Positive']);
  assert.deepEqual(said([{ text: 'see comment' }]), ['“see comment”']);
  assert.deepEqual(said([{ coding: [{ code: 'H' }], text: 'Above desirable' }]), ['high, “Above desirable”']);
  assert.deepEqual(said(undefined), []);
});

test('a vital sign without a range of the record is said with the mark of its usual range', () => {
  const oxygen = observation({
    code: { coding: [{ code: '59408-5' }] },
    effectiveDateTime: '2026-01-01',
    valueQuantity: { value: 93, unit: '%' },
  });
  const ofPerson = withFacts(oxygen, { subject: () => ({ birth: '1980-01-01' }) });
  assert.equal(observationText(ENGLISH, ofPerson), '93%, below usual (Mayo, at least 95)');
  assert.match(observationText(SPANISH, ofPerson), /^93\W?%, por debajo de lo habitual \(Mayo, como mínimo 95\)$/);
});
