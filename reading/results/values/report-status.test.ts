import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../../fhir/types.ts';
import { ENGLISH } from '../../language/words.ts';
import { reportStatus } from './report-status.ts';

const of = (status?: string): Observation => ({
  resourceType: 'Observation',
  id: 'o',
  code: {},
  ...(status ? { status } : {}),
});

test('a status that is not known is that of the report, and a final one is not said', () => {
  assert.equal(reportStatus(ENGLISH, of('unknown')), 'report status: unknown');
  assert.equal(reportStatus(ENGLISH, of('preliminary')), 'Preliminary');
  assert.equal(reportStatus(ENGLISH, of('corrected')), 'Corrected');
  assert.equal(reportStatus(ENGLISH, of('amended')), 'Amended');
  assert.equal(reportStatus(ENGLISH, of('corrected')), 'Corrected');
  assert.equal(reportStatus(ENGLISH, of('amended')), 'Amended');
  assert.deepEqual(
    ['final', undefined].map((one) => reportStatus(ENGLISH, of(one))),
    Array(2).fill(undefined),
  );
});
