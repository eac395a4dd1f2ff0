import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../../fhir/types.ts';
import { ENGLISH } from '../../language/words.ts';
import { columnsOf, daysOf, rowsByDay, rowsByTest } from './result-columns.ts';
import { groupsOf } from './test-groups.ts';

const result = (code: string, on: string | undefined, more: Partial<Observation> = {}): Observation => ({
  resourceType: 'Observation',
  id: `${code}-${on}`,
  status: 'final',
  code: { coding: [{ code }] },
  valueQuantity: { value: 5, unit: 'mmol/L' },
  ...(on === undefined ? {} : { effectiveDateTime: on }),
  ...more,
});
const ids = (cells: Observation[][]): string[][] => cells.map((cell) => cell.map(({ id }) => id));

test('the columns of a panel are its latest four days, newest first, and dates may be partial', () => {
  const groups = groupsOf(ENGLISH, [
    result('A', '2020-01-01'),
    result('A', '2021-05'),
    result('A', '2022-01-01T08:00:00Z'),
    result('A', '2022-01-01T20:00:00Z'),
    result('B', '2023-01-01'),
    result('B', '2024'),
    result('B', '2025-01-01', { status: 'entered-in-error' }),
  ]);
  const days = daysOf(groups);
  assert.deepEqual(days, ['2024', '2023-01-01', '2022-01-01', '2021-05']);
  const [a, b] = rowsByDay(ENGLISH, groups, days);
  assert.deepEqual(ids(a?.cells ?? []), [[], [], ['A-2022-01-01T20:00:00Z', 'A-2022-01-01T08:00:00Z'], ['A-2021-05']]);
  assert.deepEqual(ids(b?.cells ?? []), [['B-2024'], ['B-2023-01-01'], [], []]);
});

test('a test whose results are older than the columns, or have no date, shows its latest nevertheless', () => {
  const groups = groupsOf(ENGLISH, [
    result('old', '2001-01-01'),
    ...['2021', '2022', '2023', '2024'].map((on) => result('new', on)),
    result('undated', undefined),
  ]);
  const rows = rowsByDay(ENGLISH, groups, daysOf(groups));
  assert.deepEqual(
    rows.map(({ older }) => older?.id),
    ['old-2001-01-01', undefined, 'undated-undefined'],
  );
});

test('tests of no panel have columns of their own', () => {
  const groups = groupsOf(
    ENGLISH,
    ['2020', '2021', '2022', '2023', '2024'].map((on) => result('A', on)),
  );
  const [row] = rowsByTest(ENGLISH, groups);
  assert.deepEqual(ids(row?.cells ?? []), [['A-2024'], ['A-2023'], ['A-2022'], ['A-2021']]);
});

test('a unit is said once where all numbers share it', () => {
  const unitOf = (...list: Observation[]) => rowsByTest(ENGLISH, groupsOf(ENGLISH, list))[0]?.unit;
  assert.equal(unitOf(result('A', '2020'), result('A', '2021', { valueString: 'clotted' })), 'mmol/L');
  assert.equal(
    unitOf(result('A', '2020'), result('A', '2021', { valueQuantity: { value: 90, unit: 'mg/dL' } })),
    undefined,
  );
  assert.equal(unitOf(result('A', '2020', { valueQuantity: { value: 1 } })), undefined);
});

test('of results of one time the latest is one with a value', () => {
  const at = '2022-01-01T08:00:00Z';
  const none: Observation = {
    resourceType: 'Observation',
    id: 'none',
    status: 'final',
    code: { coding: [{ code: 'A' }] },
  };
  const [group] = groupsOf(ENGLISH, [{ ...none, effectiveDateTime: at }, result('A', at)]);
  assert.equal(group?.latest.id, `A-${at}`);
});

test('there are no more columns than days with results, and at least one', () => {
  const columns = (...list: Observation[]) => columnsOf(rowsByTest(ENGLISH, groupsOf(ENGLISH, list)));
  assert.equal(columns(result('A', '2020'), result('B', '2020')), 1);
  assert.equal(columns(result('A', '2020'), result('A', '2021'), result('B', '2020')), 2);
  assert.equal(columnsOf([]), 1);
});
