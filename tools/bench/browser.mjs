// Measures the browser module with 100,000 resources: loading time, memory, and search times, in Node and in Chromium.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chart, initSync } from '../../www/pkg/edgechart.js';
import { executablePath, open } from '../server/chromium.mjs';
import { BASE, shared } from '../server/stage.mjs';
import { linesOf } from './lib/lines.mjs';
import { measure } from './lib/measure.mjs';

const RESOURCES = 100_000;
/// The number of resources that are loaded at once.
const PART = 20_000;
const PATIENTS = 200;

/// Yields copies of the resources of a folder until there are enough. Each copy has its own ids.
function* copies(folder) {
  const texts = [...linesOf(folder)];
  for (let k = 0; k * texts.length < RESOURCES; k += 1) {
    for (const text of texts) {
      yield text.replace(
        /"(id|reference)"( ?: ?)"((?:[A-Z]\w+\/)?[A-Za-z0-9.-]{1,60})"/g,
        (_, name, colon, value) => `"${name}"${colon}"${value}-${k}"`,
      );
    }
  }
}

const folder = mkdtempSync(join(tmpdir(), 'edgechart-large-'));
try {
  const lines = [...copies(shared('5-synthea-2020-normalised-derived') ?? 'sample')];
  const parts = Array.from({ length: Math.ceil(lines.length / PART) }, (_, k) =>
    lines.slice(k * PART, (k + 1) * PART).join('\n'),
  );
  for (const [k, part] of parts.entries()) writeFileSync(join(folder, `${k}.ndjson`), part);
  const all = lines.filter((line) => /"resourceType" ?: ?"Patient"/.test(line)).map((line) => JSON.parse(line).id);
  const patients = all.filter((_, k) => k % Math.ceil(all.length / PATIENTS) === 0);

  const sides = {};
  const { memory } = initSync({ module: readFileSync('www/pkg/edgechart_bg.wasm') });
  sides['in Node'] = await measure(new Chart(BASE), memory, parts, patients);
  if (executablePath) {
    const { page, close } = await open({ given: folder });
    sides['in Chromium'] = await page.evaluate(
      async ({ base, count, patients }) => {
        const { default: init, Chart } = await import('/www/pkg/edgechart.js');
        const { measure } = await import('/tools/bench/lib/measure.mjs');
        const { memory } = await init();
        async function* texts() {
          for (let k = 0; k < count; k += 1) yield await (await fetch(`/given/${k}.ndjson`)).text();
        }
        return measure(new Chart(base), memory, texts(), patients);
      },
      { base: BASE, count: parts.length, patients },
    );
    await close();
  } else console.log('Chromium is not here: left out (make chromium)');

  const mib = (bytes) => (bytes / 2 ** 20).toFixed(0);
  const table = (name, of) =>
    console.log(
      name.padEnd(28) +
        Object.values(sides)
          .map((side) => of(side).padStart(24))
          .join(''),
    );
  const text = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  console.log(
    `The browser module with ${sides['in Node'].resources.toLocaleString('en')} resources of ${all.length} patients: ${mib(text)} MiB of text\n`,
  );
  console.log(
    ' '.repeat(28) +
      Object.keys(sides)
        .map((name) => name.padStart(24))
        .join(''),
  );
  table('loading, seconds', ({ loading }) => (loading / 1000).toFixed(1));
  table('memory of the module, MiB', ({ bytes }) => mib(bytes));
  console.log(
    `\nA search of each of ${patients.length} patients, milliseconds, the best of three tries: median, worst (entries of all)`,
  );
  for (const name of Object.keys(sides['in Node'].asked)) {
    table(name, ({ asked }) => {
      const times = asked[name].times.toSorted((a, b) => a - b);
      return `${times[Math.floor(times.length / 2)].toFixed(2)}, ${times.at(-1).toFixed(2)} (${asked[name].entries})`;
    });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
