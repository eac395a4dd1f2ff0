import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

/** A rule about an element that holds the whole page, with what it looks for in it. */
const OF_THE_PAGE = /(?:^|[\s,}])((?:html|body|main|:root|#app|\.view)[^\s,{]*?:has\()([^)]*)\)/g;

test('no style looks for something in all of a page, which a browser would do at each change', () => {
  const found = globSync('www/src/**/*.css').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(OF_THE_PAGE)].map(([, of = '', wanted = '']) => ({ file, of, wanted })),
  );
  assert.ok(found.length >= 3, `${found.length} such rules`);
  const deep = found.filter(({ wanted }) =>
    wanted.split(',').some((one) => {
      const [start, ...further] = one.trim().split(/\s+(?=>)/);
      return !/^> \S+$/.test(start ?? '') || further.some((step) => !/^> \S+$/.test(step));
    }),
  );
  assert.deepEqual(deep, []);
});

/** What stands before a `+` or `~` without a class, an id or an attribute. */
const AFTER_A_TAG = /(?:^|[\s>(,])(?:[a-z][a-z0-9]*|\*)(?::[a-z-]+)*\s*[+~]\s*[.a-z*:[]/m;

test('no style looks for what follows a tag: a browser would look at all of a list whenever an entry is added', () => {
  const found = globSync('www/src/**/*.css').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /[{,]$/.test(line) && AFTER_A_TAG.test(line))
      .map((line) => `${file}: ${line}`),
  );
  assert.deepEqual(found, []);
  assert.match('.narrative p + p {', AFTER_A_TAG);
});
