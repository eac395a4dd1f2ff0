import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growth } from '../counted.ts';
import { capital } from '../fhir/text.ts';
import type { MedicationAdministration } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { courseSourcesText, sinceText, untilText } from './course-words.ts';
import { CASES, given, order } from './courses.cases.ts';
import { coursesOf } from './courses.ts';

test('courses have only the starts and ends that orders, reports, dispenses and administrations record', () => {
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

test('administrations make one course, and twice as many take about twice the steps', () => {
  const administrations = (count: number): MedicationAdministration[] =>
    Array.from({ length: count }, (_, i) =>
      given(new Date(Date.parse('2015-01-01') + i * 4 * 3_600_000).toISOString()),
    );
  const times = growth(2_000, administrations, (all) => {
    const [line, ...others] = coursesOf(ENGLISH, { administrations: all }).lines;
    assert.deepEqual([line?.courses.length, line?.courses[0]?.givenCount, others.length], [1, all.length, 0]);
  });
  assert.ok(times < 2.2, `${times} times the steps`);
});
