import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortDate } from '../fhir/date.ts';
import type { Observation, Resource } from '../fhir/types.ts';
import { SPANISH } from '../language/spanish.ts';
import { ENGLISH, type Words } from '../language/words.ts';
import { flag } from '../results/flags/flag.ts';
import { groupsOf } from '../results/panels/test-groups.ts';
import { meaningOf } from './meaning.ts';

const pulse: Observation = {
  resourceType: 'Observation',
  id: 'o',
  status: 'preliminary',
  code: { coding: [{ system: 'http://loinc.org', code: '8867-4' }] },
  effectiveDateTime: '2024-02-01',
  valueQuantity: { value: 61.5, written: '61.5', unit: '/min', code: '/min' },
  referenceRange: [{ low: { value: 70, unit: '/min', code: '/min' } }],
};
const list = [pulse];

/** Reads everything that is cached between two readings: groups, judgements, dates and numbers. */
const read = (words: Words): unknown[] => {
  const { what, status, value, caution } = meaningOf(words, pulse as Resource);
  const [group] = groupsOf(words, list);
  return [what, status, value, caution, group?.name, flag(pulse), shortDate(words, pulse.effectiveDateTime)].map(
    (one) => one?.replaceAll('\u00a0', ' '),
  );
};

test('one record is read in two languages by turns', () => {
  const english = ['Heart rate', 'Preliminary', '61.5 /min, low, range ≥ 70 /min', 'preliminary', 'Heart rate'];
  const inSpanish = ['Frecuencia cardíaca', 'Preliminar', '61,5 /min, bajo, intervalo ≥ 70 /min', 'preliminar'];
  for (const turn of [1, 2]) {
    assert.deepEqual(read(ENGLISH), [...english, 'low', '1 Feb 2024'], `English, ${turn}`);
    assert.deepEqual(read(SPANISH), [...inSpanish, 'Frecuencia cardíaca', 'low', '1 feb 2024'], `Spanish, ${turn}`);
  }
  assert.equal(groupsOf(SPANISH, list), groupsOf(SPANISH, list));
});
