import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLocalTreatment } from './local-treatment.ts';

const ROWS: [string, boolean][] = [
  ['diclofenac sodium 0.01 MG/MG Topical Gel [Voltaren]', true],
  ['imiquimod 50 MG/ML Topical Cream', true],
  ['Hydrocortisone 1 % ointment', true],
  ['latanoprost 0.05 MG/ML Ophthalmic Solution', true],
  ['Timolol, 1 drop in both eyes twice a day', true],
  ['ciprofloxacin, ear drops', true],
  ['mometasone nasal spray', true],
  ['Aciclovir 5 % crema', true],
  ['Ácido fusídico, vía tópica', true],
  ['Gotas, vía ótica', true],
  ['Bepanthen Salbe', true],
  ['amlodipine 5 MG Oral Tablet', false],
  ['tramadol hydrochloride 50 MG Oral Tablet', false],
  ['nystatin oral gel', false],
  ['Lactulose, take with cream if wanted, by mouth', false],
  ['fentanyl 0.025 MG/HR Transdermal System', false],
  ['estradiol 0.1 % topical gel', false],
  ['nitroglycerin 2 % ointment', false],
  ['insulin glargine, under the skin', false],
  ['salbutamol inhaler', false],
  ['Topiramate 25 MG', false],
  ['Creme fraiche allergy note: prednisone 5 mg, orally', false],
  ['', false],
];

for (const [words, expected] of ROWS) {
  test(`${words || 'no words'}: ${expected ? 'a local treatment' : 'one of the whole body'}`, () =>
    assert.equal(isLocalTreatment(words), expected));
}
