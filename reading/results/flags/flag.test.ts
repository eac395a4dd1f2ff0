import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withFacts } from '../../fhir/facts.ts';
import type { Concept, Observation } from '../../fhir/types.ts';
import { FLAG_CASES } from './flag.cases.ts';
import { FLAGS, type Flag, flag, judge, judgements } from './flag.ts';
import { FLAG_WORD_CASES } from './flag-words.cases.ts';

const interpreted = (code: string): Concept[] => [{ coding: [{ code }] }];

test('values are judged by the words of the laboratory and by the range that is theirs', () => {
  for (const { from, of, flag: expected, subject, on, said, note } of [...FLAG_CASES, ...FLAG_WORD_CASES]) {
    const found = judge(of, { subject, on });
    assert.equal(found.flag, expected, from);
    if (said)
      assert.deepEqual(
        found.said.map(({ words }) => words),
        said,
        from,
      );
    if (note)
      assert.ok(
        found.notes.some((one) => one.includes(note)),
        `${from}: ${found.notes.join(' ')}`,
      );
    else assert.deepEqual(found.notes, [], from);
  }
});

test('far outside the range is told from slightly outside: by the laboratory, or by the distance', () => {
  const cases: [value: number, low: number | undefined, high: number | undefined, code: string, flag?: Flag][] = [
    [5.7, 4, 5.6, '', 'high'],
    [8.4, 4, 5.6, '', 'high'],
    [8.5, 4, 5.6, '', 'far-high'],
    [8.5, 4, 5.6, 'H', 'far-high'],
    [8.5, 4, 5.6, 'HH', 'critical-high'],
    [5.7, 4, 5.6, 'HU', 'far-high'],
    [53, 60, undefined, 'L', 'low'],
    [39, 60, undefined, 'L', 'far-low'],
    [39, 60, undefined, 'LL', 'critical-low'],
    [164, 136, 145, '', 'far-high'],
    [2.3, 3.5, 5.1, '', 'far-low'],
    [1, undefined, 0, '', 'high'],
    [9, undefined, undefined, 'H', 'high'],
  ];
  for (const [value, low, high, code, expected] of cases) {
    const found = flag({
      valueQuantity: { value },
      referenceRange: [
        {
          ...(low === undefined ? {} : { low: { value: low } }),
          ...(high === undefined ? {} : { high: { value: high } }),
        },
      ],
      ...(code ? { interpretation: interpreted(code) } : {}),
    });
    assert.equal(found, expected, `${value} in ${low}–${high}, ${code}`);
  }
});

test('the components of a panel keep their flags and ranges, and the gravest is that of the whole', () => {
  const panel: Observation = {
    resourceType: 'Observation',
    id: 'p',
    effectiveDateTime: '2024-03-05',
    component: [
      { code: { text: 'Hemoglobin' }, valueQuantity: { value: 12.5 }, referenceRange: [{ low: { value: 13 } }] },
      { code: { text: 'Platelets' }, valueQuantity: { value: 9 }, interpretation: interpreted('LL') },
      { code: { text: 'Sodium' }, valueQuantity: { value: 140 }, interpretation: interpreted('N') },
    ],
  };
  assert.deepEqual(
    judgements(panel).map(({ judgement }) => judgement.flag),
    [undefined, 'low', 'critical-low', undefined],
  );
  assert.equal(flag(panel), 'critical-low');
});

test('the range is that of the person whom the observation is of', () => {
  const hemoglobin = (): Observation => ({
    resourceType: 'Observation',
    id: 'h',
    effectiveDateTime: '2024-03-05',
    valueQuantity: { value: 12.5 },
    referenceRange: [
      { low: { value: 13 }, appliesTo: [{ text: 'male' }] },
      { low: { value: 12 }, appliesTo: [{ text: 'female' }] },
    ],
  });
  const [his, hers] = ['male', 'female'].map((sex) =>
    withFacts(hemoglobin(), { subject: () => ({ sex, birth: '1980-01-01' }) }),
  );
  assert.ok(his && hers);
  assert.equal(flag(his), 'low');
  assert.equal(flag(hers), undefined);
});

test('each flag has a sign and a word', () => {
  const shown = ([one]: [Flag]): string => `${FLAGS[one].sign} ${FLAGS[one].says}`;
  assert.equal(shown(['high']), '▲ High');
  assert.equal(shown(['far-high']), '▲▲ Far above');
  assert.equal(shown(['critical-high']), '▲▲ Critically high');
  assert.equal(shown(['critical']), '◆◆ Critically abnormal');
});
