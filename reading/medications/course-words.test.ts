import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growth } from '../counted.ts';
import { capital } from '../fhir/text.ts';
import type { MedicationAdministration } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { courseSourcesText, sinceText, untilText } from './course-words.ts';
import { CASES } from './courses.cases.ts';
import { barsOf, coursesOf } from './courses.ts';

test('courses are read from orders, reports, dispenses and administrations, with no start or end of our own', () => {
  assert.ok(CASES.length >= 40);
  for (const { says, records, courses, undated = [] } of CASES) {
    const found = coursesOf(ENGLISH, records);
    const told = found.lines.flatMap((line) =>
      line.courses.map((course) =>
        [
          course.name,
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

const DAY = 86_400_000;
const x = (at: number): number => (at - Date.parse('2024-01-01')) / DAY;
const given = (on: string): MedicationAdministration => ({
  resourceType: 'MedicationAdministration',
  id: on,
  status: 'completed',
  effectiveDateTime: on,
  medicationCodeableConcept: { text: 'Drug' },
});

test('what was given has a bar for each time without a break, and an open end behind the last', () => {
  const days = ['2024-01-02', '2024-01-03', '2024-01-10', '2024-03-01'];
  const [line] = coursesOf(ENGLISH, { requests: [], administrations: days.map(given) }).lines;
  assert.ok(line);
  assert.deepEqual(
    barsOf(line, x, 0, 366).map(({ x: from, width, left, right }) => [from, width, left, right]),
    [
      [1, 8, 'edge', 'edge'],
      [60, 0, 'edge', 'dots'],
    ],
  );
});

test('a start that no record has is open', () => {
  const [line] = coursesOf(ENGLISH, {
    requests: [],
    statements: [
      {
        resourceType: 'MedicationStatement',
        id: 's',
        status: 'active',
        dateAsserted: '2024-02-01',
        medicationCodeableConcept: { text: 'Drug' },
      },
    ],
  }).lines;
  assert.ok(line);
  assert.deepEqual(
    barsOf(line, x, 0, 366).map(({ left, right }) => [left, right]),
    [['dots', 'arrow']],
  );
});

test('administrations make one course, and twice as many take about twice the steps', () => {
  const administrations = (count: number): MedicationAdministration[] =>
    Array.from({ length: count }, (_, i) => {
      const on = new Date(Date.parse('2015-01-01') + i * 4 * 3_600_000).toISOString();
      return { ...given(on), request: { reference: `MedicationRequest/${i % 3}` } };
    });
  const times = growth(2_000, administrations, (all) => {
    const [line, ...others] = coursesOf(ENGLISH, { requests: [], administrations: all }).lines;
    assert.deepEqual([line?.courses.length, line?.courses[0]?.given, others.length], [1, all.length, 0]);
  });
  assert.ok(times < 2.2, `${times} times the steps`);
});
