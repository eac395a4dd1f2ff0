import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGLISH } from '../language/words.ts';
import { dischargeText } from './discharge.ts';

test('the end of a stay is said by the words of the record, or by its code', () => {
  const coded = (code: string, more = {}) => ({ dischargeDisposition: { coding: [{ code, ...more }] } });
  const cases: [object | undefined, string | undefined][] = [
    [coded('exp', { display: 'Expired' }), 'died'],
    [coded('aadvice'), 'left against advice'],
    [coded('20', { system: 'http://terminology.hl7.org/CodeSystem/v2-0112' }), 'died'],
    [coded('02', { system: 'http://terminology.hl7.org/CodeSystem/v2-0112' }), 'another hospital'],
    [coded('x9', { display: 'To a monastery' }), 'To a monastery'],
    [{ dischargeDisposition: { text: 'Expired' } }, 'Expired'],
    [{ ...coded('other-hcf'), destination: { display: 'St Mary' } }, 'another healthcare facility, St Mary'],
    [{ destination: { display: 'St Mary' } }, 'St Mary'],
    [{ dischargeDisposition: 'odd' }, undefined],
    [undefined, undefined],
  ];
  for (const [hospitalization, said] of cases) {
    const visit = { resourceType: 'Encounter', id: 'e', ...(hospitalization ? { hospitalization } : {}) };
    assert.equal(dischargeText(ENGLISH, visit), said, JSON.stringify(hospitalization));
  }
});
