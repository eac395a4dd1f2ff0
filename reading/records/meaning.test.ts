import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MedicationRequest, Resource } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { meaningOf } from './meaning.ts';
import { reasons } from './reasons.ts';

test('a prescription names who prescribed it and who reported it', () => {
  const who = (elements: Partial<MedicationRequest>): string | undefined =>
    meaningOf(ENGLISH, { resourceType: 'MedicationRequest', id: 'm', ...elements }).who;
  const [requester, reportedReference] = [{ display: 'Bea Birch' }, { display: 'Ada Ash' }];
  assert.equal(who({ requester, reportedReference }), 'Bea Birch, Ada Ash');
  assert.equal(who({ requester, reportedBoolean: true }), 'Bea Birch');
  assert.equal(who({}), undefined);
});

test('a report says its conclusion in words and in codes', () => {
  const report = { resourceType: 'DiagnosticReport', id: 'r', conclusionCode: [{ text: 'Carcinoma' }] };
  assert.equal(meaningOf(ENGLISH, report).value, 'Carcinoma');
  assert.equal(meaningOf(ENGLISH, { ...report, ...{ conclusion: 'See text' } }).value, 'See text, Carcinoma');
});

test('a reason that was refuted, or is in error, is told so', () => {
  const asthma = { resourceType: 'Condition', id: 'c', code: { text: 'Asthma' } };
  const said = (found: Resource): string =>
    reasons(
      ENGLISH,
      { resourceType: 'Procedure', id: 'p', reasonReference: [{ reference: 'Condition/c' }] },
      {
        find: () => found,
      },
    );
  assert.equal(said(asthma), 'Asthma');
  assert.equal(said({ ...asthma, ...{ verificationStatus: { coding: [{ code: 'refuted' }] } } }), 'Asthma (refuted)');
  assert.equal(
    said({ ...asthma, resourceType: 'Observation', ...{ status: 'entered-in-error' } }),
    'Asthma (entered in error)',
  );
});
