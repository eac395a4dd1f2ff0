import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Quantity } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { isDispensed } from './dispenses.ts';
import { dispenseAmount, substitutionAllowed, substitutionOf } from './supply-words.ts';

test('a dispense counts by its status in any spelling, and a waiting one by its time of handing over', () => {
  const cases: [status: string | undefined, whenHandedOver: string | undefined, expected: boolean][] = [
    ['completed', undefined, true],
    ['Completed', '2026-01-01', true],
    [undefined, undefined, true],
    ['unknown', undefined, true],
    ['declined', '2026-01-01', false],
    ['Cancelled', '2026-01-01', false],
    ['canceled', undefined, false],
    ['ENTERED_IN_ERROR', '2026-01-01', false],
    ['preparation', undefined, false],
    ['In Progress', undefined, false],
    ['in-progress', '2026-01-01', true],
    ['on-hold', undefined, false],
  ];
  for (const [status, whenHandedOver, expected] of cases)
    assert.equal(
      isDispensed({
        ...{ resourceType: 'MedicationDispense', id: 'd' },
        ...(status === undefined ? {} : { status }),
        ...(whenHandedOver === undefined ? {} : { whenHandedOver }),
      }),
      expected,
      `${status} ${whenHandedOver}`,
    );
});

test('a supply without a unit is of days, and another unit stays', () => {
  const said = (daysSupply: Quantity): string =>
    dispenseAmount(ENGLISH, { resourceType: 'MedicationDispense', id: 'd', daysSupply }).replace('\u00a0', ' ');
  assert.equal(said({ value: 90 }), 'for 90 days');
  assert.equal(said({ value: 1, code: 'd' }), 'for 1 day');
  assert.equal(said({ value: 3, unit: 'months' }), 'for 3 months');
  assert.equal(said({ value: 30, comparator: '<' }), 'for < 30');
  assert.equal(said({ unit: 'd' }), '');
});

test('a substitution that is not allowed is called so in every form', () => {
  const system = 'http://hl7.org/fhir/v3/substanceAdminSubstitution';
  const type = { coding: [{ system, code: 'N', display: 'none' }] };
  const said = (substitution: object) => [
    substitutionAllowed(ENGLISH, { resourceType: 'MedicationRequest', id: 'a', substitution }),
    substitutionOf(ENGLISH, { resourceType: 'MedicationDispense', id: 'a', substitution }),
  ];
  assert.deepEqual(said({ allowedCodeableConcept: type, type }), ['not allowed', 'not substituted']);
});
