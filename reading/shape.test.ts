import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  boolean,
  checked,
  either,
  exactly,
  isShaped,
  list,
  number,
  object,
  oneOf,
  parsedAs,
  partial,
  record,
  ShapeError,
  string,
} from './shape.ts';

const person = object({ name: string, kind: oneOf('user', 'client') }, { age: number, tags: list(string) });

test('a value that has its shape is given back as it is, with members that are not named', () => {
  const value = { name: 'Ada', kind: 'user', other: 1 };
  assert.equal(checked(person, value, 'the person'), value);
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
    assert.throws(() => checked(person, value, 'the person'), new ShapeError(message));
  }
});

test('members that may be absent are checked where they are there', () => {
  assert.equal(isShaped(partial({ open: boolean }), {}), true);
  assert.equal(isShaped(partial({ open: boolean }), { open: undefined }), true);
  assert.equal(isShaped(partial({ open: boolean }), { open: 'yes' }), false);
});

test('records, alternatives and single values', () => {
  assert.equal(isShaped(record(number), { a: 1, b: 2 }), true);
  assert.equal(isShaped(record(number), { a: 1, b: '2' }), false);
  const patients = either(exactly('all'), list(string));
  assert.equal(isShaped(patients, 'all'), true);
  assert.equal(isShaped(patients, ['a']), true);
  assert.equal(isShaped(patients, 'a'), false);
});

test('a stored text of another shape is nothing', () => {
  assert.deepEqual(parsedAs(person, '{"name":"Ada","kind":"user"}'), { name: 'Ada', kind: 'user' });
  assert.equal(parsedAs(person, '{"name":7}'), undefined);
  assert.equal(parsedAs(person, '{'), undefined);
  assert.equal(parsedAs(person, null), undefined);
});
