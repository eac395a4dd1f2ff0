import '../../testing.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { searchValue } from './patients.ts';

test('what a search parameter would read as its own is escaped', () => {
  assert.equal(decodeURIComponent(searchValue('O,Neil|x$\\')), 'O\\,Neil\\|x\\$\\\\');
  assert.equal(searchValue('Ødegård & co'), '%C3%98deg%C3%A5rd%20%26%20co');
});
