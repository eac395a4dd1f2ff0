import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forgetIds, idOfNumber, numberOfId } from './aliases.ts';

test('a number stands for an id, always the same one, also for ids that are numbers', () => {
  const number = numberOfId('jane');
  assert.equal(numberOfId('jane'), number);
  assert.equal(idOfNumber(number), 'jane');
  assert.equal(idOfNumber(numberOfId('4548')), '4548');
  for (const none of ['', '0', '-1', '1e3', '99999', 'jane']) assert.equal(idOfNumber(none), undefined, none);
});

test('the ids of closed files are forgotten, and their numbers stand for no other id', () => {
  const before = numberOfId('jane');
  forgetIds();
  assert.equal(idOfNumber(before), undefined);
  assert.notEqual(numberOfId('john'), before);
  assert.equal(idOfNumber(before), undefined);
});
