import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parsed } from '../fhir/json.ts';
import { SPANISH } from '../language/spanish.ts';
import { ENGLISH } from '../language/words.ts';
import { dosages, dosageWords, shortDosages } from './dosage.ts';

/** The table: dosages with their words, and the source of each row. Numbers keep their digits, as in the app. */
const CASES = readFileSync('reading/medications/dosage.cases.tsv', 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [name = '', source = '', dosage = '', en = '', es = ''] = line.split('\t');
    return { name, source, dosage: parsed(dosage), en, es };
  });

const spaced = (text: string | undefined): string => (text ?? '').replaceAll('\u00a0', ' ');

test('a dosage is said from its structure, in both languages, and with its text beside it', () => {
  assert.equal(new Set(CASES.map(({ name }) => name)).size, CASES.length, 'each row has its own name');
  for (const { name, source, dosage, en, es } of CASES) {
    assert.ok(dosage !== undefined && source !== '', name);
    assert.equal(spaced(dosages(ENGLISH, dosage)), en, name);
    assert.equal(spaced(dosages(SPANISH, dosage)), es, name);
  }
});

test('the short form says how much, how often, what is the most, and what is not understood', () => {
  const weekly = { repeat: { frequency: 1, period: 1, periodUnit: 'wk', dayOfWeek: ['mon'] } };
  const dose = [{ doseQuantity: { value: 15, unit: 'mg' } }];
  const route = { text: 'Oral' };
  // An end, a single dose, the steps of a taper and the side of the body are always included.
  const bounded = { timing: { repeat: { boundsPeriod: { start: '2024-02-01', end: '2024-02-10' } } } };
  assert.equal(
    spaced(shortDosages(ENGLISH, { ...bounded, doseAndRate: dose })),
    '15 mg, from 1 Feb 2024 until 10 Feb 2024',
  );
  assert.equal(
    spaced(shortDosages(ENGLISH, { timing: { repeat: { count: 1 } }, doseAndRate: dose })),
    '15 mg, once in all',
  );
  assert.equal(
    spaced(shortDosages(ENGLISH, { text: '1 drop in each eye', site: { text: 'Left eye' } })),
    '1 drop in each eye · as coded: site: Left eye',
  );
  // The route is part of the short form, and words that repeat the text are omitted.
  const whole = '15 mg, once a week, on Monday, route: Oral';
  assert.equal(spaced(shortDosages(ENGLISH, { timing: weekly, doseAndRate: dose, route })), whole);
  assert.equal(spaced(shortDosages(ENGLISH, { text: whole, timing: weekly, doseAndRate: dose, route })), whole);
  assert.equal(
    spaced(shortDosages(ENGLISH, { text: '15 mg IV', doseAndRate: dose, route })),
    '15 mg IV · as coded: 15 mg, route: Oral',
  );
  assert.equal(dosages(ENGLISH, { text: 'with food', patientInstruction: 'with food' }), 'with food');
  assert.equal(spaced(shortDosages(ENGLISH, { additionalInstruction: [{ text: 'with food' }] })), 'with food');
  assert.equal(
    spaced(
      shortDosages(ENGLISH, { doseAndRate: dose, maxDosePerAdministration: { value: 1, unit: 'g' }, crush: true }),
    ),
    '15 mg, at most 1 g at a time, unclear in the record: crush: true',
  );
  // The codes of the source are shown only in the record. The names of extensions are not part of a dose.
  const meant = { timing: { repeat: { count: 1, periodUnit: 'd' } }, extension: [{ url: 'https://x.example/Usage' }] };
  assert.equal(spaced(shortDosages(ENGLISH, { ...meant, doseAndRate: dose })), '15 mg, how often is unclear');
  // No text is cut.
  const long = 'Take one tablet as you were told by the nurse at the desk of the ward on the second floor, please';
  assert.equal(
    spaced(shortDosages(ENGLISH, { text: long, timing: weekly, doseAndRate: dose })),
    `${long} · as coded: 15 mg, once a week, on Monday`,
  );
  assert.equal(shortDosages(ENGLISH, [{}, { text: ' ' }]), undefined);
});

test('no shape makes it throw, and what is there is never silent', () => {
  const odd = [null, undefined, true, 0, '', 'x', [], [null], [[]], {}, { a: 1 }, { value: null }, Number.NaN];
  const whole: Record<string, unknown> = {
    text: 'a',
    sequence: 1,
    timing: { repeat: { frequency: 1, period: 1, periodUnit: 'd' }, code: { text: 'b' }, event: ['2026'] },
    asNeededBoolean: true,
    asNeededCodeableConcept: { text: 'c' },
    site: { text: 'd' },
    route: { text: 'e' },
    doseAndRate: [{ doseQuantity: { value: 1, unit: 'mg' }, rateRatio: { numerator: { value: 1, unit: 'mL' } } }],
    maxDosePerPeriod: { numerator: { value: 1, unit: 'mg' }, denominator: { value: 1, unit: 'd' } },
    extension: [{ url: 'f', valueString: 'g' }],
    constructor: { text: 'h' },
  };
  for (const name of Object.keys(whole)) for (const value of odd) dosages(ENGLISH, { ...whole, [name]: value });
  const { repeat } = whole.timing as { repeat: object };
  for (const name of [
    'frequency',
    'period',
    'periodUnit',
    'when',
    'dayOfWeek',
    'timeOfDay',
    'boundsPeriod',
    'offset',
  ]) {
    for (const value of odd) dosages(ENGLISH, { timing: { repeat: { ...repeat, [name]: value } } });
  }
  for (const value of odd) dosages(ENGLISH, value);
  assert.match(dosages(ENGLISH, { toString: 1, __proto__: null }) ?? '', /unclear in the record: to: 1/);
  assert.match(
    dosages(ENGLISH, { timing: { repeat: { frequency: 'often' } } }) ?? '',
    /how often is unclear; the record has: how often: often/,
  );
  assert.equal(dosageWords(ENGLISH, { sequence: 3 }).sequence, 3);
});
