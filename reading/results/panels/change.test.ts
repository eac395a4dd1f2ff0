import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsed } from '../../fhir/json.ts';
import { isOfType, type Observation, type Resource } from '../../fhir/types.ts';
import { ENGLISH } from '../../language/words.ts';
import { changeOf } from './change.ts';
import { groupsOf } from './test-groups.ts';

/** Results of one test, as they come: `value` is a number as it is written, with its unit. */
const group = (...results: { on: string; value: string; unit?: string; more?: object }[]) => {
  const observations = results.flatMap(({ on, value, unit = 'mmol/L', more = {} }, i): Observation[] => {
    const quantity = `{"value":${value},"unit":"${unit}"}`;
    const text = `{"resourceType":"Observation","id":"${i}","code":{"text":"K"},"effectiveDateTime":"${on}",
      "valueQuantity":${quantity}}`;
    const resource = parsed(text) as Resource;
    return isOfType('Observation', resource) ? [{ ...resource, ...more }] : [];
  });
  const [one] = groupsOf(ENGLISH, observations);
  assert.ok(one);
  return one;
};

test('a change has a way, and the digits of the results', () => {
  const up = group({ on: '2024-01-01', value: '4.1' }, { on: '2025-01-01', value: '4.80' });
  assert.deepEqual(changeOf(ENGLISH, up), { way: 'up', by: '0.70', unit: 'mmol/L', since: '2024-01-01' });
  const down = group({ on: '2024-01-01', value: '141' }, { on: '2025-01-01', value: '138' });
  assert.equal(changeOf(ENGLISH, down)?.way, 'down');
  assert.equal(changeOf(ENGLISH, down)?.by, '3');
  const same = group({ on: '2024-01-01', value: '7.0' }, { on: '2025-01-01', value: '7' });
  assert.equal(changeOf(ENGLISH, same)?.way, 'unchanged');
  const three = group(
    { on: '2024-01-01', value: '9' },
    { on: '2025-02-01', value: '4.1' },
    { on: '2026-03-01', value: '5.3' },
  );
  assert.deepEqual(changeOf(ENGLISH, three), { way: 'up', by: '1.2', unit: 'mmol/L', since: '2025-02-01' });
  assert.equal(
    changeOf(ENGLISH, group({ on: '2025-01-01', value: '0.3' }, { on: '2026-01-01', value: '0.1' }))?.by,
    '0.2',
  );
});

test('a change from a result with notes has the notes', () => {
  const more = { note: [{ text: 'Haemolysed, do not use' }] };
  const potassium = group({ on: '2024-01-01', value: '6.9', more }, { on: '2024-01-02', value: '4.1' });
  assert.deepEqual(changeOf(ENGLISH, potassium)?.notes, ['Haemolysed, do not use']);
});

test('the change of a part is not that of the whole', () => {
  const parts = (eye: number, total: number) => ({
    valueQuantity: undefined,
    component: [
      { code: { text: 'Eye' }, valueQuantity: { value: eye } },
      { code: { text: 'Total' }, valueQuantity: { value: total } },
    ],
  });
  const panels = group(
    { on: '2026-05-01', value: '0', more: parts(3, 10) },
    { on: '2026-05-02', value: '0', more: parts(4, 14) },
  );
  assert.equal(changeOf(ENGLISH, panels), undefined);
});

test('two results of one moment have no change, nor one beside another that was entered in error', () => {
  assert.equal(changeOf(ENGLISH, group({ on: '2025-01-01', value: '7' }, { on: '2025-01-01', value: '8' })), undefined);
  const wrong = group(
    { on: '2025-01-01', value: '7', more: { status: 'entered-in-error' } },
    { on: '2026-01-01', value: '8' },
  );
  assert.equal(changeOf(ENGLISH, wrong), undefined);
});

test('one result, another unit, a bound and a missing value have no change', () => {
  assert.equal(changeOf(ENGLISH, group({ on: '2024-01-01', value: '4' })), undefined);
  const units = group({ on: '2024-01-01', value: '4' }, { on: '2025-01-01', value: '15', unit: 'mg/dL' });
  assert.equal(changeOf(ENGLISH, units), undefined);
  const bound = group(
    { on: '2024-01-01', value: '4' },
    { on: '2025-01-01', value: '5', more: { valueQuantity: { value: 5, unit: 'mmol/L', comparator: '<' } } },
  );
  assert.equal(changeOf(ENGLISH, bound), undefined);
  const absent = group(
    { on: '2024-01-01', value: '4' },
    { on: '2025-01-01', value: '5' },
    { on: '2026-01-01', value: '0', more: { valueQuantity: undefined, valueString: 'hemolyzed' } },
  );
  assert.equal(changeOf(ENGLISH, absent), undefined);
});

test('a result that was entered in error is not compared', () => {
  const wrong = group(
    { on: '2024-01-01', value: '4.0' },
    { on: '2025-01-01', value: '4.5' },
    { on: '2026-01-01', value: '45', more: { status: 'entered-in-error' } },
  );
  assert.equal(changeOf(ENGLISH, wrong)?.by, '0.5');
});
