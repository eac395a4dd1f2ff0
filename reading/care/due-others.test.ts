import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { meaningOf } from '../records/meaning.ts';
import { otherDue } from './due-others.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const spaced = (text: string | undefined): string | undefined => text?.replaceAll('\u00a0', ' ');
const LOINC = 'http://loinc.org';

const recommendation = (vaccine: string, status: string, ...dates: [string, string, string][]) => ({
  vaccineCode: [{ text: vaccine }],
  forecastStatus: { coding: [{ code: status.toLowerCase(), display: status }] },
  dateCriterion: dates.map(([code, display, value]) => ({
    code: { coding: [{ system: LOINC, code, display }] },
    value,
  })),
});
const advice = (...all: object[]): Resource => ({
  resourceType: 'ImmunizationRecommendation',
  id: 'r',
  ...{ recommendation: all },
});
const tetanus = recommendation(
  'Tetanus',
  'Overdue',
  ['30981-5', 'Earliest date to give', '2024-12-01'],
  ['30980-7', 'Date vaccine due', '2025-01-01'],
);
const other = (resourceType: string, more: object): Resource => ({ resourceType, id: 'x', ...more });

const plan = (status: string, detail: object): Resource => other('CarePlan', { status, activity: [{ detail }] });

/** An appointment of July, with its participants and whether they accept it. */
const appointment = (status: string, ...participants: [string, string][]): Resource =>
  other('Appointment', {
    ...{ status, start: '2026-07-01T09:00:00Z' },
    participant: participants.map(([to, answer]) => ({ actor: { reference: to }, status: answer })),
  });

test('what is recommended is due, with each date by its kind', () => {
  const record = advice(tetanus, recommendation('Measles', 'Immune'));
  const [due, ...more] = otherDue(ENGLISH, [record], NOW);
  assert.deepEqual([due?.title, due?.isLate, due?.written, more], ['Tetanus', true, '2025-01-01', []]);
  const says = 'Overdue, Earliest date to give: 1 Dec 2024, Date vaccine due: 1 Jan 2025';
  assert.equal(spaced(due?.says), says);
  assert.equal(spaced(meaningOf(ENGLISH, advice(tetanus)).value), says);
  const later = { ...advice({ ...tetanus, forecastStatus: { text: 'Complete' } }), date: '2026-01-01' };
  assert.deepEqual(otherDue(ENGLISH, [{ ...record, ...{ date: '2025-06-01' } }, later], NOW), []);
  const dateCriterion = [{ code: { coding: [{ system: LOINC, code: '59778-1' }] }, value: '2027-01-01' }];
  assert.match(otherDue(ENGLISH, [advice({ ...tetanus, dateCriterion })], NOW)[0]?.says ?? '', /Overdue from: 1\W+Jan/);
  for (const status of ['Not recommended', 'notrecommended', 'Aged out', 'Up to date'])
    assert.deepEqual(otherDue(ENGLISH, [advice({ ...tetanus, forecastStatus: { text: status } })], NOW), []);
  const bare = { ...tetanus, dateCriterion: [{ code: { coding: [{ code: '30980-7' }] }, value: '2025-01-01' }] };
  assert.equal(spaced(otherDue(ENGLISH, [advice(bare)], NOW)[0]?.says), 'Overdue, Date vaccine due: 1 Jan 2025');
  const against = advice({ ...tetanus, contraindicatedVaccineCode: [{ text: 'MMR' }] });
  assert.match(otherDue(ENGLISH, [against], NOW)[0]?.says ?? '', /^Overdue, not: MMR, /);
  assert.match(meaningOf(ENGLISH, record).value ?? '', /Tetanus: Overdue.*;\nMeasles: Immune/s);
});

test('appointments, planned visits, tasks and requests are ahead, or late', () => {
  const cases: [Resource, string | undefined][] = [
    [other('Appointment', { status: 'booked', start: '2026-07-01T09:00:00Z' }), 'Appointment on 1 Jul 2026'],
    [other('Appointment', { status: 'booked', start: '2026-05-01T09:00:00Z' }), undefined],
    [other('Appointment', { status: 'cancelled', start: '2026-07-01T09:00:00Z' }), undefined],
    [appointment('proposed'), 'Appointment asked for: 1 Jul 2026'],
    [appointment('pending'), 'Appointment asked for: 1 Jul 2026'],
    [appointment('waitlist'), 'Appointment, on the waiting list: 1 Jul 2026'],
    [
      other('Appointment', { status: 'booked', requestedPeriod: [{ start: '2026-07-01' }] }),
      'Appointment asked for: 1 Jul 2026',
    ],
    [appointment('booked', ['Patient/x', 'declined']), 'Appointment declined: 1 Jul 2026'],
    [appointment('booked', ['Patient/x', 'accepted'], ['Practitioner/x', 'declined']), 'Appointment on 1 Jul 2026'],
    [
      other('Task', { status: 'on-hold', restriction: { period: { end: '2026-07-01' } } }),
      'To be done by 1 Jul 2026, on hold',
    ],
    [plan('active', { status: 'scheduled', scheduledPeriod: { start: '2027-03-01' } }), 'To be done from 1 Mar 2027'],
    [other('Encounter', { status: 'planned', period: { start: '2026-07-01' } }), 'Visit planned for 1 Jul 2026'],
    [other('Encounter', { status: 'finished', period: { start: '2026-07-01' } }), undefined],
    [
      other('Task', { status: 'requested', restriction: { period: { end: '2026-07-01' } } }),
      'To be done by 1 Jul 2026',
    ],
    [other('Task', { status: 'completed', restriction: { period: { end: '2026-07-01' } } }), undefined],
    [other('DeviceRequest', { status: 'active', occurrenceDateTime: '2026-06-01' }), 'Was to be done by 1 Jun 2026'],
    [other('DeviceRequest', { status: 'active', occurrenceDateTime: '2026-06' }), 'To be done by Jun 2026'],
    [other('DeviceRequest', { status: 'active' }), undefined],
    [other('Task', { status: 'ready', restriction: { period: { start: '2026-07' } } }), 'To be done from Jul 2026'],
    [other('Procedure', { status: 'preparation', performedDateTime: '2026-07-01' }), 'To be done by 1 Jul 2026'],
    [other('Procedure', { status: 'completed', performedDateTime: '2026-07-01' }), undefined],
    [plan('active', { status: 'scheduled', scheduledPeriod: { end: '2026-07-01' } }), 'To be done by 1 Jul 2026'],
    [plan('active', { status: 'completed', scheduledPeriod: { end: '2026-07-01' } }), undefined],
    [plan('revoked', { status: 'scheduled', scheduledPeriod: { end: '2026-07-01' } }), undefined],
  ];
  for (const [record, says] of cases) assert.equal(spaced(otherDue(ENGLISH, [record], NOW)[0]?.says), says);
  const walker = { status: 'active', occurrenceDateTime: '2026-07', codeReference: { display: 'Walker' } };
  assert.equal(otherDue(ENGLISH, [other('DeviceRequest', walker)], NOW)[0]?.title, 'Walker');
});
