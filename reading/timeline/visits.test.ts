import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortDate } from '../fhir/date.ts';
import type { Encounter } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { diagnosesOf, lastVisit, placeAndPeople, visitName, visitTime } from './visits.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const visit = (id: string, status: string | undefined, start?: string, end?: string): Encounter => ({
  resourceType: 'Encounter',
  id,
  ...(status && { status }),
  ...((start || end) && { period: { ...(start && { start }), ...(end && { end }) } }),
});

const CASES: [what: string, visits: Encounter[], last: string | undefined][] = [
  ['none', [], undefined],
  ['the latest', [visit('a', 'finished', '2026-01-01'), visit('b', 'finished', '2026-02-01')], 'b'],
  ['one under way', [visit('a', 'in-progress', '2026-06-15T08:00:00Z'), visit('b', 'finished', '2026-06-14')], 'a'],
  ['planned', [visit('a', 'planned', '2026-06-14'), visit('b', 'finished', '2025-02-01')], 'b'],
  ['cancelled', [visit('a', 'cancelled', '2026-06-14'), visit('b', 'finished', '2025-02-01')], 'b'],
  ['cancelled in capitals', [visit('a', 'Canceled', '2026-06-14'), visit('b', 'finished', '2025-02-01')], 'b'],
  ['by mistake', [visit('a', 'entered-in-error', '2026-06-14')], undefined],
  ['in the future', [visit('a', 'finished', '2027-01-01'), visit('b', 'finished', '2025')], 'b'],
  ['later today', [visit('a', 'arrived', '2026-06-15T18:00:00Z'), visit('b', 'finished', '2025')], 'b'],
  ['without a status', [visit('a', undefined, '2026-03-01'), visit('b', 'finished', '2025')], 'a'],
  ['a status that is not known', [visit('a', 'discharged', '2026-03-01'), visit('b', 'finished', '2025')], 'a'],
  ['with an end alone', [visit('a', 'finished', undefined, '2026-03-01'), visit('b', 'finished', '2025')], 'a'],
  ['one without a date', [visit('a', 'finished'), visit('b', 'finished', '1999')], 'b'],
  ['no dates at all', [visit('a', 'finished'), visit('b', 'planned')], 'a'],
];
for (const [what, visits, last] of CASES) {
  test(`the last visit is the latest that took place: ${what}`, () => {
    assert.equal(lastVisit(visits, NOW)?.id, last);
    assert.equal(lastVisit(visits.toReversed(), NOW)?.id, last);
  });
}

test('a visit without an end goes on only where its status says so', () => {
  const [first, last] = ['2026-03-01', '2026-03-04'].map((text) => shortDate(ENGLISH, text));
  assert.equal(visitTime(ENGLISH, visit('a', 'finished', '2026-03-01T10:00:00Z')), first);
  assert.equal(visitTime(ENGLISH, visit('a', 'in-progress', '2026-03-01')), `since ${first}`);
  assert.equal(visitTime(ENGLISH, visit('a', 'finished', '2026-03-01', '2026-03-04')), `${first} – ${last}`);
  assert.equal(visitTime(ENGLISH, visit('a', 'finished')), '');
});

test('a class has its name without a system too, and is said once', () => {
  const cases: [more: Partial<Encounter>, name: string, other?: string][] = [
    [{ class: { code: 'IMP' } }, 'Inpatient'],
    [{ class: { code: 'IMP', display: 'IMP' } }, 'Inpatient'],
    [{ class: { system: 'http://hl7.org/fhir/v3/ActCode', code: 'EMER' } }, 'Emergency'],
    [{ class: { code: 'IMP' }, type: [{ text: 'Delivery' }] }, 'Delivery', 'Inpatient'],
    [{ class: { code: 'X1' } }, 'X1'],
    [{ class: { system: 'http://x.example', code: 'IMP' } }, 'IMP'],
    [{}, 'Visit'],
    [
      { serviceProvider: { display: 'Ward 7' }, participant: [{ individual: { display: 'Ann' } }] },
      'Visit',
      'Ward 7 · Ann',
    ],
  ];
  for (const [more, name, other] of cases) {
    const one = { ...visit('a', 'finished'), ...more };
    assert.deepEqual(
      [visitName(ENGLISH, one), placeAndPeople(ENGLISH, one)],
      [name, other ?? ''],
      JSON.stringify(more),
    );
  }
});

test('diagnoses have their role if the roles differ or it is unusual, and that of the discharge is first', () => {
  const role = (code: string): object => ({
    coding: [{ system: 'http://terminology.hl7.org/CodeSystem/diagnosis-role', code }],
  });
  const said = (...uses: (object | undefined)[]): string => {
    const diagnosis = uses.map((use, i) => ({ condition: { display: `D${i}` }, ...(use && { use }) }));
    return diagnosesOf(ENGLISH, { ...visit('a', 'finished'), diagnosis }, { find: () => undefined });
  };
  assert.equal(said(undefined, undefined), 'D0, D1');
  assert.equal(said(role('DD'), role('DD')), 'D0, D1');
  assert.equal(said(role('AD'), role('DD')), 'D1 (Discharge diagnosis), D0 (Admission diagnosis)');
  assert.equal(said({ text: 'Ruled out' }), 'D0 (Ruled out)');
});
