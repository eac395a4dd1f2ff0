import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf } from './change.ts';
import { seriesOf } from './series.ts';
import type { Observation } from './types.ts';

const result = (on: string, value: number, written = `${value}`): Observation => ({
  resourceType: 'Observation',
  id: on,
  status: 'final',
  code: { text: 'Potassium' },
  effectiveDateTime: on,
  valueQuantity: { value, written, unit: 'mmol/L' },
});
const changeIn = (...all: Observation[]): ReturnType<typeof changeOf> => {
  const [series] = seriesOf(all);
  return series && changeOf(series);
};

test('the last two values are compared, with as many decimals as they were written with', () => {
  const found = changeIn(result('2024-01-01', 9), result('2025-02-01', 4.1), result('2026-03-01', 5.3));
  assert.deepEqual([found?.way, found?.by, found?.on], ['up', 1.2, '2025-02-01']);
  assert.deepEqual(changeIn(result('2025-01-01', 0.3), result('2026-01-01', 0.1))?.by, 0.2);
  assert.equal(changeIn(result('2025-01-01', 7, '7.0'), result('2026-01-01', 7))?.way, 'same');
});

test('without two moments there is no change', () => {
  assert.equal(changeIn(result('2025-01-01', 7)), undefined);
  assert.equal(changeIn(result('2025-01-01', 7), result('2025-01-01', 8)), undefined);
  assert.equal(
    changeIn({ ...result('2025-01-01', 7), status: 'entered-in-error' }, result('2026-01-01', 8)),
    undefined,
  );
});
