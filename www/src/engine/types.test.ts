import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isShaped } from '../shape.ts';
import { ANSWERS, engineCall, engineMessage, engineReply } from './types.ts';

test('a reply has an answer or an outcome', () => {
  assert.equal(isShaped(engineReply, { id: 1, ok: true, value: undefined, ms: 0.5 }), true);
  assert.equal(isShaped(engineReply, { id: 1, ok: false, outcome: {}, ms: 0.5 }), true);
  assert.equal(isShaped(engineReply, { id: 1, ok: false, fault: { code: 'no-files', says: '' }, ms: 0.5 }), true);
  assert.equal(isShaped(engineReply, { id: '1', ok: true, value: 1, ms: 0.5 }), false);
  assert.equal(isShaped(engineReply, { id: 1, ok: 'yes', value: 1, ms: 0.5 }), false);
});

test('the answers of the engine have the shapes of their operations', () => {
  const open = { open: true, by: ['patient/*.read'] };
  const shut = { open: false, by: [], why: 'No scope opens it' };
  const lines = [{ scope: 'openid', says: 'Who you are' }];
  const matrix = [{ type: 'Patient', read: open, search: shut }];
  assert.equal(isShaped(ANSWERS.scopes, { lines, matrix }), true);
  assert.equal(isShaped(ANSWERS.scopes, { lines, matrix: [{ type: 'Patient', read: open }] }), false);
  assert.equal(isShaped(ANSWERS.verify, [{ check: 'form', ok: true, says: 'JWT' }]), true);
  assert.equal(isShaped(ANSWERS.counts, { Patient: 11 }), true);
  assert.equal(isShaped(ANSWERS.search, {}), false);
});

test('an explanation may be a refusal', () => {
  const refused = {
    resourceType: 'OperationOutcome',
    issue: [
      { severity: 'error', code: 'invalid', details: { text: 'No such parameter' }, expression: ['http.colour'] },
    ],
  };
  const explanation = { type: 'Patient', criteria: [], includes: [], order: '', refused };
  assert.equal(isShaped(ANSWERS.explain, explanation), true);
  assert.equal(isShaped(ANSWERS.explain, { ...explanation, refused: { resourceType: 'Patient' } }), false);
});

test('a call has an operation with its arguments', () => {
  const grant = { scopes: 'system/*.read', patients: 'all' };
  assert.equal(
    isShaped(engineCall, { id: 1, operation: 'search', args: ['sample', 'Patient', grant, 'us-core'] }),
    true,
  );
  assert.equal(
    isShaped(engineCall, { id: 1, operation: 'search', args: ['files', 'Patient', undefined, undefined] }),
    true,
  );
  assert.equal(
    isShaped(engineCall, { id: 1, operation: 'search', args: ['sample', 'Patient', { scopes: 7 }, undefined] }),
    false,
  );
  assert.equal(
    isShaped(engineCall, { id: 1, operation: 'search', args: ['session', 'Patient', grant, undefined] }),
    false,
  );
  const files = [{ name: 'a.ndjson', file: new Blob(['{}']) }];
  assert.equal(isShaped(engineCall, { id: 1, operation: 'loadFiles', args: [files, []] }), true);
  assert.equal(isShaped(engineCall, { id: 1, operation: 'loadFiles', args: [[{ name: 'a', file: {} }], []] }), false);
  assert.equal(isShaped(engineCall, { id: 1, operation: 'open', args: [] }), true);
  assert.equal(isShaped(engineCall, { id: 1, operation: 'toString', args: [] }), false);
});

test('the thread also tells its progress, and the requests that it sent', () => {
  const progress = { bytes: 1, allBytes: 2, resources: 3, done: 0, files: 1 };
  assert.equal(isShaped(engineMessage, { id: 1, progress }), true);
  assert.equal(isShaped(engineMessage, { id: 1, progress: { ...progress, bytes: 'all' } }), false);
  assert.equal(isShaped(engineMessage, { requests: [{ url: 'https://x.example/a', at: 1 }] }), true);
  assert.equal(isShaped(engineMessage, { requests: ['https://x.example/a'] }), false);
});
