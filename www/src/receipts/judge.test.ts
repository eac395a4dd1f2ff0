// Case 103 of the door for assistants: each altered fact is found, and no right one is called wrong.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReceiptFact } from '#reading/tools/receipt.ts';
import { judged } from './judge.ts';

const A1C = 'Hemoglobin A1c';
const FACTS: ReceiptFact[] = [
  [A1C, '8.1', '%', '2023-02-10', 'Observation/a@1'],
  [A1C, '7.20', '%', '2024-05-14', 'Observation/b@1'],
  [A1C, '7.65', '%', null],
  [A1C, '4.0–5.6 %', '%', null],
  [A1C, '2', null, null],
  ['Hemoglobin', '13.4', 'g/dL', '2024-05-14', 'Observation/c@1'],
  ['Platelets', '1234', '10^3/uL', '2024-01', 'Observation/d@1'],
  ['Blood pressure', '128/82 mmHg', null, '2024-06-01', 'Observation/e@1'],
  ['Troponin', '<5', 'ng/L', '2024-03-03T10:00:00Z', 'Observation/f@1'],
  ['Metformin', '500 mg, 2 times a day', null, '2022', 'MedicationRequest/g@1'],
  ['Vitamin B12', '410', 'pg/mL', '2024-05-14', 'Observation/h@1'],
  ['Amara Okafor', null, null, '1979-05-02', 'Patient/p@1'],
];

/** The marks of a text, written behind each number and date. */
const marked = (text: string): string =>
  judged(text, FACTS, ['2026-07-01'])
    .map((part) => part.text + (part.mark ? { same: '✓', other: '✗', absent: '∅', unjudged: '?' }[part.mark] : ''))
    .join('');

for (const text of [
  'HbA1c was 7.2✓ % on 14 May 2024✓.',
  'HbA1c was 7.9✗ % on 14 May 2024✓.',
  'HbA1c was 7.2✓ % on 15 May 2024∅.',
  'HbA1c was 7.2✗ % on 10 February 2023✓.',
  'On 2024-05-14✓ the hemoglobin A1c was 7.20✓%.',
  'HbA1c fell from 8.1✓ % (2023-02-10✓) to 7.2✓ % (2024-05-14✓).',
  'HbA1c fell from 8.1✗ % (2024-05-14✓) to 7.2✗ % (2023-02-10✓).',
  'The mean HbA1c is 7.65✓ % over 2✓ results; usual is 4.0✓–5.6✓ %.',
  'The mean HbA1c is 7.7✗ % over 3? results.',
  'La HbA1c fue de 7,2✓ % el 14 de mayo de 2024✓.',
  'La HbA1c fue de 7,3✗ % el 14 de mayo de 2024✓.',
  'HbA1c was 7.2✗ mmol/mol.',
  'HbA1c:\n- 2023✓: 8.1✓ %\n- May 2024✓: 7.2✓ %\n- June 2024?: 7.4✗ %',
  'Hemoglobin 13.4✓ g/dL, HbA1c 7.2✓ %, vitamin B12 410✓ pg/mL.',
  'Hemoglobin 7.2✗ g/dL.',
  'Platelets were 1,234✓ in January 2024✓.',
  'Blood pressure 128✓/82✓ mmHg on 1 June 2024✓.',
  'Blood pressure 138✗/82✓ mmHg.',
  'Troponin was <5✓ ng/L on 3/3/2024✓, and below 5✓ ng/L is good.',
  'Troponin was 5✗ ng/L.',
  'HbA1c was never above 9? %.',
  'HbA1c was above 7? % on 14 May 2024✓, and below 8✗ % on 10 February 2023✓.',
  'Metformin 500✓ mg twice a day since 2022✓.',
  'Metformin 850✗ mg.',
  'Amara Okafor, born 2 May 1979✓, has 3? visits and takes 20? drops.',
  'Amara Okafor, born 3 May 1979∅.',
  'As of 2026-07-01 there are 42? things; call 555? at 10:30.',
  'Sodium was 140? mmol/L.',
  'It was 7.2? % then.',
  'HbA1c was 7.2✓ % and hematocrit 7.2? %.',
  'HbA1c: 7.2✓ %\nHematocrit: 38? %',
  'Ferritin 410? pg/mL.',
  'HbA1c was 2✗ %.',
  'Metformin 2✗ mg.',
  'HbA1c was 7.65✗ % on 14 May 2024✓.',
  'HbA1c raises the 10-year risk; a 24-hour urine is due in 2 weeks.',
  'HbA1c fell from 8.1✓ % to 7.2✓ % between February 2023✓ and May 2024✓.',
  'The target of HbA1c is 7? %, and 6.5? % or more means diabetes.',
  'Of the HbA1c results 2✓ of 2✓ were high.',
  'See Observation/a@1 at https://here/1/2.5.',
]) {
  test(`mcp103 mcp104 ${text}`, () => assert.equal(marked(text.replaceAll(/[✓✗∅?]/g, '')), text));
}
