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
    courseEnd({ resourceType: 'MedicationStatement', id: 's', status: 'active', ...elements } as never, NOW)?.on;
  const dosage = [{ timing: { repeat: { boundsDuration: days(7) } } }];
  assert.equal(report({ dosage, effectivePeriod: { start: '2020-08-21' } }), '2020-08-28');
  assert.equal(report({ dosage, effectiveDateTime: '2020-08-21' }), '2020-08-28');
  assert.equal(report({ dosage }), undefined, 'a start that is not known');
  assert.equal(report({ effectivePeriod: { start: '2020-08-21' } }), undefined);
});

/** An order with its period of use, as in the Netherlands. */
const used = (valuePeriod: object): object => ({
  extension: [{ url: 'http://nictiz.nl/fhir/StructureDefinition/ext-TimeInterval.Period', valuePeriod }],
});

test('the course of an order ends by the bounds of all its dosages, or else by its supply', () => {
  const cases: [name: string, elements: object, on?: string, supply?: number][] = [
    ['nothing', {}],
    ['a dosage without bounds', bounds({ frequency: 1, period: 1, periodUnit: 'd' })],
    ['an end', bounds({ boundsPeriod: { end: '2020-08-28' } }), '2020-08-28'],
    ['an end today', bounds({ boundsPeriod: { end: '2026-07-15' } })],
    ['an end yesterday', bounds({ boundsPeriod: { end: '2026-07-14' } }), '2026-07-14'],
    ['an end in this month', bounds({ boundsPeriod: { end: '2026-07' } })],
    ['an end in a year', bounds({ boundsPeriod: { end: '2020' } }), '2020'],
    ['no date', bounds({ boundsPeriod: { end: 'soon' } })],
    ['no date in a database', bounds({ boundsPeriod: { end: '0001-01-01T00:00:00' } })],
    ['an end in an element of R5', { effectiveDosePeriod: { start: '2020-01-01', end: '2020-08-28' } }, '2020-08-28'],
    ['an end in an extension', used({ start: '2020-01-01', end: '2020-08-28' }), '2020-08-28'],
    [
      'a duration from a beginning',
      { ...used({ start: '2020-09-01' }), ...bounds({ boundsDuration: days(7) }) },
      '2020-09-08',
    ],
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
      'a taper that continues',
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
    ['a supply', { dispenseRequest: { expectedSupplyDuration: days(7) } }, '2020-08-28', 7],
    [
      'a supply with repeats belongs to a therapy that continues',
      { dispenseRequest: { expectedSupplyDuration: days(30), numberOfRepeatsAllowed: 2 } },
    ],
    ['a long supply', { dispenseRequest: { expectedSupplyDuration: days(90), numberOfRepeatsAllowed: 0 } }],
    ['a month', { dispenseRequest: { expectedSupplyDuration: days(1, 'mo') } }, '2020-09-21', 1],
    ['a supply that is as long as can be written', { dispenseRequest: { expectedSupplyDuration: days(999) } }],
    [
      'a text with a later year',
      { dosageInstruction: [{ text: 'Until 3/4/2033' }], dispenseRequest: { expectedSupplyDuration: days(7) } },
    ],
    [
      'a text with an earlier year',
      { dosageInstruction: [{ text: 'From 21/8/2020' }], dispenseRequest: { expectedSupplyDuration: days(7) } },
      '2020-08-28',
      7,
    ],
    [
      'a supply after the last day',
      { dispenseRequest: { expectedSupplyDuration: days(7), validityPeriod: { end: '2020-12-01' } } },
      '2020-12-08',
      7,
    ],
    [
      'a validity that continues',
      { dispenseRequest: { expectedSupplyDuration: days(7), validityPeriod: { end: '2027' } } },
    ],
    ['a validity without a supply', { dispenseRequest: { validityPeriod: { end: '2020-12-01' } } }],
    [
      'bounds in the future, after a supply that ended',
      { ...bounds({ boundsPeriod: { end: '2027' } }), dispenseRequest: { expectedSupplyDuration: days(7) } },
    ],
  ];
  for (const [name, elements, on, supply] of cases) {
    const order = { resourceType: 'MedicationRequest', id: 'm', authoredOn: '2020-08-21T12:28:17+09:00', ...elements };
    const end = courseEnd(order as MedicationRequest, NOW);
    assert.equal(end?.on, on, name);
    assert.equal(end?.supply?.value, supply, name);
  }
});
