import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growth } from '../counted.ts';
import { capital } from '../fhir/text.ts';
import type { MedicationAdministration, MedicationRequest } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { courseSourcesText, sinceText, untilText } from './course-words.ts';
import { CASES, given, order, report } from './courses.cases.ts';
import { barsOf, coursesOf, type MedicationRecords } from './courses.ts';

test('courses are read from orders, reports, dispenses and administrations, with no start or end of our own', () => {
  for (const [says, records, courses, undated = []] of CASES) {
    const found = coursesOf(ENGLISH, records);
    const told = found.lines.flatMap((line) =>
      line.courses.map((course) =>
        [
          ...(course.name === 'Drug' ? [] : [course.name]),
          sinceText(ENGLISH, course),
          untilText(ENGLISH, course),
          capital(course.status),
          courseSourcesText(ENGLISH, course),
        ]
          .join(' | ')
          .replaceAll('\u00a0', ' '),
      ),
    );
    assert.deepEqual([told, found.undated], [courses, undated], says);
  }
});

test('the orders of a medication are one line, in order of their start', () => {
  const named = (text: string) => ({ medicationCodeableConcept: { text } });
  const { lines } = coursesOf(ENGLISH, {
    requests: [
      order({ authoredOn: '2025-01-01', ...named('Metformin') }),
      order({ authoredOn: '2023-01-01', ...named('metformin') }),
      order({ authoredOn: '2024-01-01', ...named('Elsewhere') }),
    ],
  });
  assert.deepEqual(
    lines.map(({ name, courses }) => [name, courses.map(({ since }) => since)]),
    [
      ['metformin', ['2023-01-01', '2025-01-01']],
      ['Elsewhere', ['2024-01-01']],
    ],
  );
});

/** Returns the bars of the only line, in days of 2024. */
function bars(records: MedicationRecords) {
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
  const [start] = bars({ requests: [], statements: [report('active', { dateAsserted: '2024-02-01' })] });
  assert.deepEqual(start?.slice(2), ['dots', 'arrow'], 'a start that no record has is open');
});

test('what was given has a bar for each time without a break, and an open end behind the last', () => {
  const days = ['2024-01-02', '2024-01-03', '2024-01-10', '2024-03-01'];
  assert.deepEqual(bars({ requests: [], administrations: days.map((on) => given(on)) }), [
    [1, 8, 'edge', 'edge'],
    [60, 0, 'edge', 'dots'],
  ]);
});

test('administrations make one course, and twice as many take about twice the steps', () => {
  const administrations = (count: number): MedicationAdministration[] =>
    Array.from({ length: count }, (_, i) =>
      given(new Date(Date.parse('2015-01-01') + i * 4 * 3_600_000).toISOString()),
    );
  const times = growth(2_000, administrations, (all) => {
    const [line, ...others] = coursesOf(ENGLISH, { requests: [], administrations: all }).lines;
    assert.deepEqual([line?.courses.length, line?.courses[0]?.given, others.length], [1, all.length, 0]);
  });
  assert.ok(times < 2.2, `${times} times the steps`);
});
