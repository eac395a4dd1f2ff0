import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGLISH } from '../language/words.ts';
import { answeredBy } from './answered-by.ts';

test('another than the patient who has answered is told', () => {
  const subject = { reference: 'Patient/p' };
  const by = (more: object) => answeredBy(ENGLISH, { subject, ...more });
  assert.equal(by({ source: { display: 'Her mother' }, author: { display: 'Dr. Who' } }), 'Her mother');
  assert.equal(by({ source: subject, author: { display: 'Dr. Who' } }), 'Dr. Who');
  assert.equal(by({ source: subject, author: subject }), undefined);
  assert.equal(by({ source: 'x' }), undefined);
});
