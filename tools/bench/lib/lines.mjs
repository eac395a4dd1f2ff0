// The resources of a folder of NDJSON files, as their texts.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/// The lines of every `.ndjson` and `.ndjson.gz` file of a folder, in the order of the names.
export function* linesOf(folder) {
  for (const name of readdirSync(folder)
    .filter((name) => /\.ndjson(\.gz)?$/.test(name))
    .sort()) {
    const bytes = readFileSync(join(folder, name));
    const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    yield* text.split('\n').filter((line) => line.trim() !== '');
  }
}
