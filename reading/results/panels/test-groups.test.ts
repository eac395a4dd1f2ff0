import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Subject, withFacts } from '../../fhir/facts.ts';
import type { Observation } from '../../fhir/types.ts';
import { SPANISH } from '../../language/spanish.ts';
import { ENGLISH } from '../../language/words.ts';
import { changeOf } from './change.ts';
import { apartTexts, groupsOf, testKeysOf } from './test-groups.ts';

const results = (size: number): Observation[] =>
  Array.from({ length: size }, (_, i) => ({
    resourceType: 'Observation',
    id: `o${i}`,
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code: `${i % 40}` }] },
    effectiveDateTime: `2024-01-${String(1 + (i % 28)).padStart(2, '0')}`,
    valueQuantity: { value: i, unit: 'mg/dL' },
  }));

test('the series of a test are made when they are asked for, and once', () => {
  const list = results(80);
  let judged = 0;
  for (const one of list) {
    Object.defineProperty(one, 'interpretation', {
      get: () => {
        judged += 1;
        return undefined;
      },
    });
  }
  const [group, other] = groupsOf(ENGLISH, list);
  assert.equal(judged, 0);
  assert.equal(group?.series, group?.series);
  const first = judged;
  assert.ok(first > 0);
  assert.ok(other?.series.length === 1 && judged > first);
});

test('of results of one time the corrected one is the latest, and a preliminary one is behind a final one', () => {
  const latest = (...all: string[]): string | undefined =>
    groupsOf(
      ENGLISH,
      all.flatMap((status) => results(1).map((one) => ({ ...one, status }))),
    )[0]?.latest.status;
  assert.equal(latest('preliminary', 'final', 'corrected'), 'corrected');
  assert.equal(latest('preliminary', 'final'), 'final');
  assert.equal(latest('unknown', 'cancelled'), 'unknown');
});

test('of results whose dates leave their order open the gravest is the latest, and none has a change', () => {
  const latest = (...all: [on: string, value: number | undefined, mark?: string][]): [number?, string?] => {
    const list = all.map(
      ([effectiveDateTime, value, code = 'N'], i): Observation => ({
        ...(results(1)[0] as Observation),
        id: `${i}`,
        effectiveDateTime,
        ...(value === undefined
          ? { valueQuantity: {}, dataAbsentReason: { text: 'unknown' } }
          : { valueQuantity: { value, unit: 'mmol/L' }, interpretation: [{ coding: [{ code }] }] }),
      }),
    );
    const [one, other] = [list, list.toReversed()].map((each) => {
      const [group] = groupsOf(ENGLISH, each);
      return group && [group.latest.valueQuantity?.value, changeOf(ENGLISH, group)?.way];
    });
    assert.deepEqual(one, other, 'the order of the records does not matter');
    return one as [number?, string?];
  };
  assert.deepEqual(latest(['2025-01-02', 7.5, 'HH'], ['2025-01-02', 4.1]), [7.5, undefined]);
  assert.deepEqual(latest(['2025-01-02', 7.5, 'HH'], ['2025-01-02T23:30:00-05:00', 4.1]), [7.5, undefined]);
  assert.deepEqual(latest(['2025', 75, 'LL'], ['2025-01-20', 100]), [75, undefined]);
  assert.deepEqual(latest(['2025', 100], ['2025-01-20', 101]), [101, undefined]);
  assert.deepEqual(latest(['2025-01-02', 7.5, 'HH'], ['2025-01-03', 4.1]), [4.1, 'down']);
  assert.deepEqual(latest(['2025-02-01', 110, 'LL'], ['2025-03-01', undefined]), [110, undefined]);
});

test('observations whose keys are known are grouped without another look at each', () => {
  // Those of one time are judged.
  const list = results(2000).map((one, i) => ({ ...one, effectiveDateTime: new Date(i * 1e9).toISOString() }));
  let looks = 0;
  for (const one of list) {
    const { code } = one;
    Object.defineProperty(one, 'code', {
      get: () => {
        looks += 1;
        return code;
      },
    });
  }
  for (const one of list) assert.equal(testKeysOf(one).length, 1);
  looks = 0;
  assert.equal(groupsOf(ENGLISH, list).length, 40);
  assert.ok(looks < list.length / 2, `${looks} looks at the codes`);
});

test('groups are made anew in another language, and for another person', () => {
  let person: Subject | undefined;
  const list = results(40).map((one) => withFacts(one, { subject: () => person }));
  const groups = groupsOf(ENGLISH, list);
  assert.equal(groupsOf(ENGLISH, list), groups);
  person = { birth: '1980-01-01' };
  assert.notEqual(groupsOf(ENGLISH, list), groups, 'flags depend on the person');
  const ofPerson = groupsOf(ENGLISH, list);
  assert.notEqual(groupsOf(SPANISH, list), ofPerson, 'names depend on the language');
});

test('tests of one short name are told apart by the rest of the name, or by their codes', () => {
  const leukocytes = (id: string, text: string, coding: object[]): Observation => ({
    resourceType: 'Observation',
    id,
    code: { text, coding },
    effectiveDateTime: '2024-04-05T08:00:00Z',
    valueQuantity: { value: 12, unit: '10*3/uL' },
  });
  const loinc = (code: string): object[] => [{ system: 'http://loinc.org', code }];
  const groups = groupsOf(ENGLISH, [
    leukocytes('a', 'Leukocytes [#/volume] in Blood by Automated count', loinc('6690-2')),
    leukocytes('b', 'Leukocytes', loinc('26464-8')),
    leukocytes('c', 'leukocytes', [{ system: 'urn:lab', code: 'WBC2' }]),
    { ...leukocytes('d', 'Sodium', loinc('2951-2')), specimen: { display: 'Serum' } },
  ]);
  assert.deepEqual(
    groups.map(({ apart }) => apart),
    ['Blood by Automated count', 'LOINC 26464-8', 'code WBC2', undefined],
  );
  assert.deepEqual(
    groups.map((group) => apartTexts(ENGLISH, group)),
    [['Blood by Automated count'], ['LOINC 26464-8'], ['code WBC2'], ['Specimen: Serum']],
  );
});
