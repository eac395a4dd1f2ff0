import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compact, parsed } from '../fhir/json.ts';
import { CASES, NAMED } from './as-r4.cases.ts';
import { asR4, converted } from './as-r4.ts';

for (const [what, resourceType, given, wanted] of CASES) {
  test(`read as R4, ${what}`, () => {
    assert.deepEqual(asR4({ resourceType, ...given }), { resourceType, ...wanted });
  });
}

test('numbers keep their digits, and what is no resource stays', () => {
  const text = '{"resourceType":"MedicationRequest","dosageInstruction":[{"doseQuantity":{"value":5.0}}]}';
  assert.match(compact(asR4(parsed(text))), /"value":5\.0\}/);
  for (const odd of [undefined, null, 3, 'x', []]) assert.equal(asR4(odd), odd);
});

for (const [what, given, wanted] of NAMED) {
  test(`read as R4, ${what}`, () => assert.deepEqual(asR4(given), wanted));
}

test('a record of R4 stays the same object, as does what was converted', () => {
  for (const name of readdirSync('sample').filter((one) => one.endsWith('.ndjson'))) {
    for (const line of readFileSync(`sample/${name}`, 'utf8').split('\n').filter(Boolean)) {
      const resource = JSON.parse(line);
      assert.equal(asR4(resource), resource, line);
    }
  }
  for (const [what, resourceType, given] of CASES) {
    const once = asR4({ resourceType, ...given });
    assert.equal(asR4(once), once, what);
  }
});

test('the version of a record is told by what was converted', () => {
  assert.equal(converted({ resourceType: 'Consent', subject: {} }).from, 'R5');
  assert.equal(converted({ resourceType: 'Condition', assertedDate: '2016' }).from, 'older');
  assert.equal(converted({ resourceType: 'Condition', recordedDate: '2016' }).from, undefined);
});
