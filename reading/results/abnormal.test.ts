import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { abnormalResults, labNormalCount, nothingAbnormal, unjudgedTests } from './abnormal.ts';

const result = (name: string, on: string, code: string | undefined, status = 'final'): Observation => ({
  resourceType: 'Observation',
  id: `${name} ${on}`,
  status,
  code: { text: name },
  effectiveDateTime: on,
  valueQuantity: { value: 1 },
  ...(code ? { interpretation: [{ coding: [{ code }] }] } : {}),
});

test('tests whose latest valid result has a flag are found, the worst first, then the newest', () => {
  const found = abnormalResults(ENGLISH, [
    result('high', '2026-01-01', 'H'),
    result('newer low', '2026-02-01', 'L'),
    result('critical', '2020-01-01', 'HH'),
    result('normal again', '2025-01-01', 'H'),
    result('normal again', '2026-01-01', 'N'),
    result('high', '2026-03-01', 'N', 'Canceled'),
    result('by mistake', '2026-01-01', 'H', 'entered-in-error'),
    result('plain', '2026-01-01', undefined),
  ]);
  assert.deepEqual(
    found.map(({ group, flag }) => [group.name, flag]),
    [
      ['critical', 'critical-high'],
      ['newer low', 'low'],
      ['high', 'high'],
    ],
  );
});

test('a result with neither a mark nor a range is not judged, and nothing calls it normal', () => {
  const plain = result('plain', '2026-01-01', undefined);
  const within = {
    ...result('within', '2026-01-01', undefined),
    referenceRange: [{ low: { value: 0 }, high: { value: 2 } }],
  };
  const [marked, mistaken] = [
    result('marked', '2026-01-01', 'N'),
    result('mistaken', '2026-01-01', undefined, 'entered-in-error'),
  ];
  assert.equal(unjudgedTests(ENGLISH, [plain, within, marked, mistaken]).length, 1);
  assert.equal(nothingAbnormal(ENGLISH, []), 'No result is recorded.');
  assert.match(nothingAbnormal(ENGLISH, [], true, true), /the reports may have some/);
  assert.match(nothingAbnormal(ENGLISH, [], true), /^No laboratory result is recorded/);
  assert.equal(nothingAbnormal(ENGLISH, [within, marked]), 'No latest result is marked as abnormal.');
  assert.equal(nothingAbnormal(ENGLISH, [plain]), '1 test has no mark and no range: not judged.');
  assert.equal(
    nothingAbnormal(ENGLISH, [plain, within]),
    'No latest result is marked as abnormal. 1 test has no mark and no range: not judged.',
  );
});

test('the tests that are not judged are in the order of their latest results, the newest first', () => {
  const [old, newer, again] = ['2024-01-01', '2026-01-01', '2025-01-01'].map((on, i) =>
    result(i === 1 ? 'newer' : 'old', on, undefined),
  );
  assert.ok(old && newer && again);
  assert.deepEqual(
    unjudgedTests(ENGLISH, [old, newer, again]).map(({ latest }) => latest.id),
    ['newer 2026-01-01', 'old 2025-01-01'],
  );
});

test('a result that is called normal without a range is told', () => {
  const range = { referenceRange: [{ low: { value: 0 }, high: { value: 2 } }] };
  const [bare, ranged, high] = ['N', 'N', 'H'].map((mark, i) => result(`r${i}`, '2026-01-01', mark));
  assert.ok(bare && ranged && high);
  assert.equal(
    labNormalCount(ENGLISH, [bare, { ...ranged, ...range }, high, result('plain', '2026-01-01', undefined)]),
    1,
  );
  assert.equal(labNormalCount(ENGLISH, [{ ...bare, status: 'entered-in-error' }]), 0);
});

test('a finding is listed behind the flags, and a mark of the laboratory is never called none', () => {
  const of = (name: string, code: string, text = name): Observation => ({
    ...result(name, '2026-01-01', code),
    code: { text },
  });
  const findings = ['POS', 'DET', 'RR', 'WR'].map((code) => of(code, code));
  const remarks = ['IND', 'E', 'CAR', 'U'].map((code) => of(code, code));
  const immune = of('immune', 'POS', 'Rubella virus IgG');
  const high = result('high', '2020-01-01', 'H');
  const found = abnormalResults(ENGLISH, [...findings, ...remarks, immune, high]).map(({ group }) => group.name);
  assert.equal(found[0], 'high');
  assert.deepEqual(found.slice(1).sort(), ['DET', 'POS', 'RR', 'WR']);
  assert.equal(unjudgedTests(ENGLISH, [...findings, ...remarks, immune]).length, 0);
});
