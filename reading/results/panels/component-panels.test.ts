import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withFacts } from '../../fhir/facts.ts';
import type { Observation } from '../../fhir/types.ts';
import { ENGLISH } from '../../language/words.ts';
import { flag } from '../flags/flag.ts';
import { reading } from '../values/reading.ts';
import { componentPanels } from './component-panels.ts';

const panel = (id: string, on: string, potassium: number): Observation => ({
  resourceType: 'Observation',
  id,
  effectiveDateTime: on,
  code: { text: 'Electrolytes' },
  component: [
    {
      code: { text: 'Potassium' },
      valueQuantity: { value: potassium },
      referenceRange: [{ high: { value: 5.1 }, appliesTo: [{ text: 'female' }] }],
    },
    { code: { text: 'Sodium' }, valueQuantity: { value: 140 } },
  ],
});
const single: Observation = { resourceType: 'Observation', id: 's', code: { text: 'Glucose' }, valueInteger: 90 };
const pressure: Observation = {
  resourceType: 'Observation',
  id: 'p',
  code: { coding: [{ code: '85354-9' }] },
  component: [{ code: { coding: [{ code: '8480-6' }] }, valueQuantity: { value: 120 } }],
};

test('each component is a result of its own, with the range of the person', () => {
  const all = [panel('a', '2023-01-01', 4), panel('b', '2024-01-01', 6), single, pressure].map((one) =>
    withFacts(one, { subject: () => ({ sex: 'female' }) }),
  );
  const { panels, others } = componentPanels(ENGLISH, all);
  assert.deepEqual(others, all.slice(2));
  assert.equal(panels.length, 1);
  assert.deepEqual(
    panels[0]?.tests.map(({ name, key, list, latest }) => [
      name,
      key,
      list.map((o) => reading(ENGLISH, o)),
      flag(latest),
    ]),
    [
      ['Potassium', 'Electrolytes', ['6', '4'], 'high'],
      ['Sodium', 'Electrolytes', ['140', '140'], undefined],
    ],
  );
});
