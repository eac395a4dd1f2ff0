import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGLISH } from '../language/words.ts';
import { isShaped, object } from '../shape.ts';
import { parsed, printed } from './json.ts';
import { concept, isNamed, quantity } from './text.ts';
import { concept as conceptShape, type Quantity, quantity as quantityShape } from './types.ts';

test('numbers keep the digits that they were sent with, in words and in JSON', () => {
  const sent =
    '{"valueQuantity":{"value":7.0,"unit":"%"},"other":[{"value":0.10},{"value":5},1E2],"value":"7.0","factor":1.50}';
  const value = parsed(sent);
  assert.ok(isShaped(object({ valueQuantity: quantityShape }), value));
  const measured: Quantity = value.valueQuantity;
  assert.equal(quantity(ENGLISH, measured), '7.0%');
  assert.deepEqual(Object.keys(measured), ['value', 'unit'], 'nothing is added that a loop would meet');
  assert.equal(printed(value).replace(/\s/g, ''), sent);
  assert.deepEqual(parsed('{"value":7,"written":"9"}'), { value: 7 }, 'a record has no digits of its own');
});

test('a text without a visible letter is empty, and no name', () => {
  for (const blank of [' ', '\u00a0', '\u200b\n', '\u2060\u00ad']) {
    const value = parsed(JSON.stringify({ text: blank, coding: [{ display: blank }, { display: 'Penicillin' }] }));
    assert.ok(isShaped(conceptShape, value));
    assert.equal(concept(ENGLISH, value), 'Penicillin');
    assert.ok(!isNamed({ ...value, coding: [] }));
  }
});

test('a text that is no JSON is parsed to nothing', () => {
  for (const text of ['{', '{"a":07}', '{7:1}', '{"'.padEnd(3e5, '\\"')]) assert.equal(parsed(text), undefined);
});
