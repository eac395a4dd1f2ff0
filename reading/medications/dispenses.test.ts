import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDispensed } from './dispenses.ts';

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
