import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MedicationRequest } from '#reading/fhir/types.ts';
import { ENGLISH } from '#reading/language/words.ts';
import { given, order, report } from '#reading/medications/courses.cases.ts';
import { coursesOf } from '#reading/medications/courses.ts';
import type { MedicationRecords } from '#reading/medications/medication-records.ts';
import { barsOf } from './course-bars.ts';

/** Returns the bars of the only line, in days of 2024. */
function bars(records: Partial<MedicationRecords>) {
  const [line, ...others] = coursesOf(ENGLISH, records).lines;
  assert.ok(line && others.length === 0);
  const x = (at: number): number => (at - Date.parse('2024-01-01')) / 86_400_000;
  return barsOf(line, x, 0, 366).map(({ x: from, width, left, right }) => [from, width, left, right]);
}

test('bars are cut at the edges of the picture, and say how they begin and end', () => {
  const at = (authoredOn: string, status: string, more: Partial<MedicationRequest> = {}) =>
    order({ authoredOn, status, ...more });
  const requests = [
    at('2020-01-01', 'active'),
    at('2024-03-01', 'completed', {
      dosageInstruction: [{ timing: { repeat: { boundsPeriod: { end: '2024-04-01' } } } }],
    }),
    at('2024-05-01', 'stopped'),
    at('2030-01-01', 'active'),
    at('2019-01-01', 'stopped'),
  ];
  assert.deepEqual(bars({ requests }), [
    [0, 366, 'notch', 'arrow'],
    [60, 31, 'edge', 'edge'],
    [121, 0, 'edge', 'dots'],
  ]);
  const [start] = bars({ statements: [report('active', { dateAsserted: '2024-02-01' })] });
  assert.deepEqual(start?.slice(2), ['dots', 'arrow'], 'a start that no record has is open');
});

test('what was given has a bar for each time without a break, and an open end behind the last', () => {
  const days = ['2024-01-02', '2024-01-03', '2024-01-10', '2024-03-01'];
  assert.deepEqual(bars({ administrations: days.map((on) => given(on)) }), [
    [1, 8, 'edge', 'edge'],
    [60, 0, 'edge', 'dots'],
  ]);
});
