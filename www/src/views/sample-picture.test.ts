import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { codesOf } from '#reading/fhir/concept-codes.ts';
import { concept, nameOf } from '#reading/fhir/text.ts';
import type { AllergyIntolerance, Condition, MedicationRequest, Observation, Patient } from '#reading/fhir/types.ts';
import { ENGLISH } from '#reading/language/words.ts';
import chart from './sample-picture.json' with { type: 'json' };

const recordsOf = <R>(type: string): R[] =>
  readFileSync(`sample/${type}.ndjson`, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const withId = <R extends { id: string }>(type: string, id: string): R =>
  recordsOf<R>(type).find((one) => one.id === id) ?? assert.fail(`${type}/${id}`);

test('the picture of the first page has the name, the allergies, problems and medications of the sample', () => {
  const patient = withId<Patient>('Patient', 'amara-okafor');
  assert.deepEqual([chart.name, chart.born], [nameOf(patient.name), patient.birthDate]);
  for (const { id, name } of chart.allergies) {
    const { code, clinicalStatus } = withId<AllergyIntolerance>('AllergyIntolerance', id);
    assert.deepEqual([concept(ENGLISH, code), codesOf(clinicalStatus)], [name, ['active']]);
  }
  for (const { id, name, since } of chart.problems) {
    const { code, clinicalStatus, onsetDateTime = '' } = withId<Condition>('Condition', id);
    assert.deepEqual([concept(ENGLISH, code), codesOf(clinicalStatus)], [name, ['active']]);
    assert.ok(onsetDateTime.startsWith(since), name);
  }
  for (const { id, name } of chart.medications) {
    const { medicationCodeableConcept: drug, status } = withId<MedicationRequest>('MedicationRequest', id);
    assert.deepEqual([concept(ENGLISH, drug), status], [name, 'active']);
  }
});

test('the line of the picture has the last result of each year', () => {
  const results = recordsOf<Observation>('Observation').filter(
    ({ subject, code, effectiveDateTime }) =>
      subject?.reference === 'Patient/amara-okafor' && codesOf(code).includes('4548-4') && effectiveDateTime,
  );
  assert.deepEqual(
    chart.results.map(([date, value]) => [date, Number(value)]),
    results
      .map((o) => [o.effectiveDateTime?.slice(0, 7) ?? '', o.valueQuantity?.value] as const)
      .sort()
      .filter(([date], i, all) => date.slice(0, 4) !== all[i + 1]?.[0].slice(0, 4)),
  );
  const latest = results.find(({ effectiveDateTime = '' }) => effectiveDateTime.startsWith('2026-08'));
  assert.deepEqual(codesOf(latest?.interpretation?.[0]), ['H']);
  const [range] = latest?.referenceRange ?? [];
  assert.deepEqual([range?.low?.value, range?.high?.value], chart.test.range.map(Number));
  assert.equal(latest?.valueQuantity?.unit, chart.test.unit);
});
