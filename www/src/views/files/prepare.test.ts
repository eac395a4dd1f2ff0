import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

/** Returns the paths of the modules that a source imports on demand. */
const fetchedBy = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/import\('([^']+)'\)/g)].map(([, module = '']) =>
    join(dirname(path), module),
  );

/** Sources that fetch views of the server. */
const OF_THE_SERVER = ['www/src/shell/views.ts', 'www/src/views/home.ts'];
const PREPARE = 'www/src/views/files/prepare.ts';

test('all that views of records fetch later is fetched before files are read', () => {
  const prepared = new Set(fetchedBy(PREPARE));
  const sources = globSync('www/src/**/*.ts').filter((path) => !path.endsWith('.test.ts'));
  const later = sources.filter((path) => path !== PREPARE && !OF_THE_SERVER.includes(path)).flatMap(fetchedBy);
  assert.ok(later.length > 0);
  assert.deepEqual(
    later.filter((module) => !prepared.has(module)),
    [],
  );
});
