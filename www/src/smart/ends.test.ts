import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { storageOf } from '../testing.ts';

const stored = new Map<string, string>();
Object.assign(globalThis, { localStorage: storageOf(stored) });
const ends = await import('./ends.ts');
beforeEach(() => stored.clear());

const session = (id: string, obtainedAt = 1000) => ({ id, obtainedAt });

test('without an end every session stands, also where the entry is damaged', () => {
  assert.equal(ends.isNotedAsEnded(session('a')), false);
  for (const damaged of ['', '{}', '[]', '{"loggedOutAt":"1","ids":[]}', '{"loggedOutAt":9,"ids":[1]}']) {
    stored.set('edgechart.ends', damaged);
    assert.equal(ends.isNotedAsEnded(session('a')), false, damaged);
  }
});

test('an end is of one session, a log-out of all that had tokens by then', () => {
  ends.noteEnd('a');
  assert.deepEqual(
    ['a', 'b'].map((id) => ends.isNotedAsEnded(session(id))),
    [true, false],
  );
  ends.noteLogOut(2000);
  assert.deepEqual(
    ['a', 'b'].map((id) => ends.isNotedAsEnded(session(id))),
    [true, true],
  );
  assert.equal(ends.isNotedAsEnded(session('c', 2001)), false, 'a launch afterwards');
});

test('the list stays short, and names nobody', () => {
  for (let n = 0; n < 80; n += 1) ends.noteEnd(`s${n}`);
  ends.noteEnd('s40');
  const { ids, ...rest } = JSON.parse(stored.get('edgechart.ends') ?? '');
  assert.equal(ids.length, 50);
  assert.equal(new Set(ids).size, 50);
  assert.equal(ids.at(-1), 's40');
  assert.deepEqual(rest, { loggedOutAt: 0 });
});
