import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { test } from 'node:test';
import { SOURCES, sourceFiles } from './language/texts.ts';

type Graph = Map<string, Set<string>>;

/** Returns the files that a file imports, including type imports. */
function importsOf(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'([.#][^']+)'/g);
  return [...imports].map(([, to = '']) => (to.startsWith('#') ? to.slice(1) : join(dirname(file), to)));
}

/** Returns the folder of a file below `www/src` or `reading`. A file at the top level stands for itself. */
const folderOf = (file: string): string => /^(?:www\/src|reading)\/[^/]+/.exec(file)?.[0] ?? file;

function graphOf(nodeOf: (file: string) => string): Graph {
  const graph: Graph = new Map();
  const files = Object.values(SOURCES).flatMap(sourceFiles);
  for (const file of [...files, 'www/src/language/es/catalogue.ts', 'reading/language/es/catalogue.ts']) {
    const from = nodeOf(file);
    const to = graph.get(from) ?? new Set();
    for (const one of importsOf(file).map(nodeOf)) if (one !== from) to.add(one);
    graph.set(from, to);
  }
  return graph;
}

/** Returns the nodes of cycles and the nodes that lead to them, by removing nodes without targets. */
function inCircles(graph: Graph): string[] {
  const left = new Map(graph);
  for (;;) {
    const free = [...left].filter(([, to]) => ![...to].some((one) => left.has(one)));
    if (free.length === 0) return [...left.keys()].sort();
    for (const [node] of free) left.delete(node);
  }
}

test('no files import each other in a circle', () => {
  assert.deepEqual(inCircles(graphOf((file) => file)), []);
});

test('no folders import each other in a circle', () => {
  assert.deepEqual(inCircles(graphOf(folderOf)), []);
});

test('no folders or files within a folder import each other in a circle', () => {
  const inner = /^(?:www\/src|reading)\/[^/]+\/[^/]+/;
  assert.deepEqual(inCircles(graphOf((file) => inner.exec(file)?.[0] ?? file)), []);
});
