// Reads the resources of a folder of NDJSON files as texts.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/// Yields the lines of all `.ndjson` and `.ndjson.gz` files of a folder, sorted by name.
export function* linesOf(folder) {
  for (const name of readdirSync(folder)
    .filter((name) => /\.ndjson(\.gz)?$/.test(name))
    .sort()) {
    const bytes = readFileSync(join(folder, name));
    const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    yield* text.split('\n').filter((line) => line.trim() !== '');
  }
}
