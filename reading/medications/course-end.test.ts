import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MedicationRequest } from '../fhir/types.ts';
import { courseEnd } from './course-end.ts';

const NOW = new Date(2026, 6, 15, 16, 30).getTime();
const days = (value: number, code = 'd'): object => ({ value, code });
const bounds = (...repeats: object[]): object => ({
  dosageInstruction: repeats.map((repeat) => ({ timing: { repeat } })),
});

test('the course of a report ends by the bounds of its dosages', () => {
  const report = (elements: object) =>
    courseEnd({ resourceType: 'MedicationStatement', id: 's', status: 'active', ...elements } as never, NOW);
  const dosage = [{ timing: { repeat: { boundsDuration: days(7) } } }];
  assert.equal(report({ dosage, effectivePeriod: { start: '2020-08-21' } }), '2020-08-28');
  assert.equal(report({ dosage, effectiveDateTime: '2020-08-21' }), '2020-08-28');
  assert.equal(report({ dosage }), undefined, 'a start that is not known');
  assert.equal(report({ effectivePeriod: { start: '2020-08-21' } }), undefined);
});

test('the course of an order ends by the bounds of all its dosages, and not by its supply', () => {
  const cases: [name: string, elements: object, on?: string][] = [
    ['nothing', {}],
    ['a dosage without bounds', bounds({ frequency: 1, period: 1, periodUnit: 'd' })],
    ['an end', bounds({ boundsPeriod: { end: '2020-08-28' } }), '2020-08-28'],
    ['an end today', bounds({ boundsPeriod: { end: '2026-07-15' } })],
    ['an end yesterday', bounds({ boundsPeriod: { end: '2026-07-14' } }), '2026-07-14'],
    ['an end in this month', bounds({ boundsPeriod: { end: '2026-07' } })],
    ['an end in a year', bounds({ boundsPeriod: { end: '2020' } }), '2020-12-31'],
    ['no date', bounds({ boundsPeriod: { end: 'soon' } })],
    ['an end in an element of R5', { effectiveDosePeriod: { start: '2020-01-01', end: '2020-08-28' } }, '2020-08-28'],
    ['a start', bounds({ boundsPeriod: { start: '2020-08-21' } })],
    ['a duration', bounds({ boundsDuration: days(7) }), '2020-08-28'],
    ['weeks by their unit', bounds({ boundsDuration: { value: 2, unit: 'weeks' } }), '2020-09-04'],
    ['months', bounds({ boundsDuration: days(1, 'mo') }), '2020-09-21'],
    ['tablets', bounds({ boundsDuration: days(7, 'mg') })],
    ['the last of two', bounds({ boundsDuration: days(7) }, { boundsPeriod: { end: '2021-01-01' } }), '2021-01-01'],
    [
      'a taper, whose steps follow each other',
      { dosageInstruction: [2, 1].map((sequence) => ({ sequence, timing: { repeat: { boundsDuration: days(5) } } })) },
      '2020-08-31',
    ],
    [
      'a taper that goes on',
      {
        authoredOn: '2026-07-08',
        dosageInstruction: [1, 2].map((sequence) => ({ sequence, timing: { repeat: { boundsDuration: days(5) } } })),
      },
    ],
    ['days in German', bounds({ boundsDuration: { value: 7, unit: 'Tage' } }), '2020-08-28'],
    ['days in Japanese', bounds({ boundsDuration: { value: 7, unit: '日' } }), '2020-08-28'],
    ['a range of durations', bounds({ boundsRange: { low: days(5), high: days(7) } }), '2020-08-28'],
    ['a single dose at a time that is not known', bounds({ count: 1 })],
    ['a single dose', bounds({ count: 1, boundsPeriod: { start: '2020-08-30' } }), '2020-08-30'],
    ['a count of doses that are repeated', bounds({ count: 1, frequency: 1, period: 1, periodUnit: 'd' })],
    ['two dates', { dosageInstruction: [{ timing: { event: ['2020-09-01', '2020-09-08'] } }] }, '2020-09-08'],
    ['a date to come', { dosageInstruction: [{ timing: { event: ['2020-09-01', '2999-09-08'] } }] }],
    ['one of two', bounds({ boundsDuration: days(7) }, {})],
    ['a duration without a date', { ...bounds({ boundsDuration: days(7) }), authoredOn: undefined }],
    ['a supply', { dispenseRequest: { expectedSupplyDuration: days(7), validityPeriod: { end: '2020-12-01' } } }],
  ];
  for (const [name, elements, on] of cases) {
    const order = { resourceType: 'MedicationRequest', id: 'm', authoredOn: '2020-08-21T12:28:17+09:00', ...elements };
    assert.equal(courseEnd(order as MedicationRequest, NOW), on, name);
  }
});
