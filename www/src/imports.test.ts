import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { test } from 'node:test';
import { SOURCES, sourceFiles } from './language/texts.ts';

type Graph = Map<string, Set<string>>;

/** The files that a file imports, also for their types alone. */
function importsOf(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'([.#][^']+)'/g);
  return [...imports].map(([, to = '']) => (to.startsWith('#') ? to.slice(1) : join(dirname(file), to)));
}

/** The folder of a file, below that of the app or of the reading. A file at the top of them stands for itself. */
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

/** The nodes of circles and those that lead to them: what is left when nodes that lead to none are taken away. */
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
