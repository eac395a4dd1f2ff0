import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as shape from './shape.ts';

const person = shape.object(
  { name: shape.string, kind: shape.oneOf('user', 'client') },
  { age: shape.number, tags: shape.list(shape.string) },
);

test('a value that has its shape is given back as it is, with members that are not named', () => {
  const value = { name: 'Ada', kind: 'user', other: 1 };
  assert.equal(shape.checked(person, value, 'the person'), value);
});

test('the first problem is named by its path', () => {
  const problems: [value: unknown, problem: string][] = [
    [undefined, 'the person is not an object'],
    [[], 'the person is not an object'],
    [{ kind: 'user' }, 'the person.name is not a string'],
    [{ name: 'Ada', kind: 'admin' }, 'the person.kind is not user or client'],
    [{ name: 'Ada', kind: 'user', age: '7' }, 'the person.age is not a number'],
    [{ name: 'Ada', kind: 'user', tags: ['a', 2] }, 'the person.tags[1] is not a string'],
    [{ name: 'Ada', kind: 'user', tags: null }, 'the person.tags is not a list'],
  ];
  for (const [value, message] of problems) {
    assert.throws(() => shape.checked(person, value, 'the person'), new shape.ShapeError(message));
  }
});

test('members that may be absent are shape.checked where they are there', () => {
  assert.equal(shape.isShaped(shape.partial({ open: shape.boolean }), {}), true);
  assert.equal(shape.isShaped(shape.partial({ open: shape.boolean }), { open: undefined }), true);
  assert.equal(shape.isShaped(shape.partial({ open: shape.boolean }), { open: 'yes' }), false);
});

test('records, alternatives and single values', () => {
  assert.equal(shape.isShaped(shape.record(shape.number), { a: 1, b: 2 }), true);
  assert.equal(shape.isShaped(shape.record(shape.number), { a: 1, b: '2' }), false);
  const patients = shape.either(shape.exactly('all'), shape.list(shape.string));
  assert.equal(shape.isShaped(patients, 'all'), true);
  assert.equal(shape.isShaped(patients, ['a']), true);
  assert.equal(shape.isShaped(patients, 'a'), false);
});

test('a stored text of another shape is nothing', () => {
  assert.deepEqual(shape.parsedAs(person, '{"name":"Ada","kind":"user"}'), { name: 'Ada', kind: 'user' });
  assert.equal(shape.parsedAs(person, '{"name":7}'), undefined);
  assert.equal(shape.parsedAs(person, '{'), undefined);
  assert.equal(shape.parsedAs(person, null), undefined);
});
