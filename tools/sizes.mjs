// Prints the gzipped sizes of the builds and their budgets. Fails if a build exceeds its budget.

import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { transformSync } from 'esbuild';

const builds = [
  { name: 'Worker bundle', budget: 1_580, files: ['build/index.js', 'build/index_bg.wasm', 'build/rehearsal.js'] },
  // 35 KiB of this are tables: the definitions of all types and parameters, their numbers, and the summary elements.
  { name: 'browser module', budget: 447, files: ['www/pkg/edgechart.js', 'www/pkg/edgechart_bg.wasm'] },
  { name: 'overview widget', budget: 60, files: ['www/dist/widgets/overview.html'] },
  { name: 'trend widget', budget: 60, files: ['www/dist/widgets/trend.html'] },
];

/// Returns a file as it is sent: JavaScript is minified.
function sent(file) {
  const bytes = readFileSync(file);
  return file.endsWith('.js') ? transformSync(bytes.toString(), { minify: true }).code : bytes;
}

for (const { name, budget, files } of builds) {
  if (!files.every((file) => existsSync(file))) continue;
  const kib = files.reduce((sum, file) => sum + gzipSync(sent(file), { level: 9 }).length, 0) / 1024;
  console.log(`· ${name.padEnd(15)} ${kib.toFixed(1).padStart(6)} KiB gzip, of ${budget} KiB`);
  if (kib > budget) process.exitCode = 1;
}
