import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SPANISH } from '../language/spanish.ts';
import { ENGLISH, type Words } from '../language/words.ts';
import { FLAGS, type Flag } from './flags/flag-signs.ts';
import { PLAIN_TESTS } from './plain-words/texts.ts';
import { plainFlag, plainStatus, plainTest } from './plain-words.ts';

const LOINC = 'http://loinc.org';
const nameOf = (words: Words, system: string, code: string) => plainTest(words, { coding: [{ system, code }] })?.[0];

test('a test has plain words by its LOINC code, a vital sign by its name too, and other tests have none', () => {
  assert.equal(nameOf(ENGLISH, LOINC, '4548-4'), 'Average blood sugar (HbA1c)');
  assert.equal(nameOf(SPANISH, LOINC, '4548-4'), 'Azúcar promedio en la sangre (HbA1c)');
  assert.equal(nameOf(ENGLISH, 'urn:oid:2.16.840.1.113883.6.1', '2160-0'), 'Creatinine');
  assert.equal(plainTest(ENGLISH, { text: 'Pulse' })?.[1], 'How many times the heart beats in a minute.');
  assert.equal(nameOf(ENGLISH, 'urn:laboratory', '4548-4'), undefined);
  assert.equal(nameOf(ENGLISH, LOINC, '55283-6'), undefined);
  assert.equal(plainTest(ENGLISH, undefined), undefined);
});

/** Returns the check digit of a LOINC code, whose digits are doubled in turn from the last one (mod 10). */
function checkDigit(digits: string): number {
  const parts = [...digits].reverse().map((digit, i) => Number(digit) * (i % 2 === 0 ? 2 : 1));
  const sum = parts.reduce((all, part) => all + (part > 9 ? part - 9 : part), 0);
  return (10 - (sum % 10)) % 10;
}

test('each code is a code of LOINC, of one test', () => {
  const codes = Object.values(PLAIN_TESTS).flat();
  assert.equal(new Set(codes).size, codes.length);
  for (const code of codes) {
    const [digits = '', check] = code.split('-');
    assert.equal(Number(check), checkDigit(digits), code);
  }
});

test('a test has a short name and one sentence in each language, and each flag an explanation', () => {
  for (const words of [ENGLISH, SPANISH]) {
    for (const [code] of Object.values(PLAIN_TESTS)) {
      const [name = '', says = ''] = plainTest(words, { coding: [{ system: LOINC, code }] }) ?? [];
      assert.match(name, /^\p{Lu}[^.]{2,44}$/u);
      assert.match(says, /^\p{Lu}[^.]{5,120}\.$/u, name);
    }
    for (const flag of Object.keys(FLAGS) as Flag[]) assert.match(plainFlag(words, flag), /\.$/);
  }
});

test('a status that is not final is explained', () => {
  assert.equal(plainStatus(ENGLISH, 'preliminary'), 'Not final: it may still change.');
  assert.equal(plainStatus(SPANISH, 'preliminary'), 'No es definitivo: todavía puede cambiar.');
  for (const status of ['final', 'constructor', undefined]) assert.equal(plainStatus(ENGLISH, status), undefined);
});
