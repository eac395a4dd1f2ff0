// Measures the export of a population: the time until the manifest is complete, for the first and a second export, the
// download speed, compressed and plain, and the memory of workerd. PATIENTS=1000 npx node tools/bench/export.mjs

import { readFileSync, statSync } from 'node:fs';
import { EVERYTHING, populate, stage } from '../server/stage.mjs';
import { workerds } from '../server/workerds.mjs';
import { cpu } from './lib/cpu.mjs';
import { exported } from './lib/export.mjs';
import { memory } from './lib/memory.mjs';

const PATIENTS = Number(process.env.PATIENTS ?? 1_000);

const number = (value, digits = 0) => value.toLocaleString('en', { maximumFractionDigits: digits });
const seconds = (since) => (performance.now() - since) / 1_000;

/// Returns the maximum memory of the wasm module in MiB, as the log reports it for an event.
function moduleMemory(log, event) {
  const messages = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('memory'));
  const lines = messages.map((line) => JSON.parse(JSON.parse(line).message));
  const bytes = lines.filter((line) => line.event === event).map((line) => line.memory);
  if (bytes.length === 0) throw new Error(`no line of the log tells the memory of an ${event}`);
  return Math.max(...bytes) / 2 ** 20;
}

const population = populate(PATIENTS);
const server = await stage({ data: [population], bare: true });
try {
  const [pid] = workerds();
  const headers = { authorization: `Bearer ${server.token(EVERYTHING)}`, accept: 'application/fhir+json' };
  await server.ask('Patient?_count=1', { token: headers.authorization.slice(7) });
  const told = (when) => console.log(`  memory of workerd ${when}: ${number(memory(pid).now)} MiB`);
  told('before');

  const mebibytes = statSync(population).size / 2 ** 20;
  console.log(`${number(PATIENTS)} patients, ${number(mebibytes)} MiB of NDJSON`);
  let files = [];
  for (const [name, level] of [
    ['all, the first time', ''],
    ['all, again', ''],
    ['of patients', 'Patient/'],
  ]) {
    const before = cpu(pid);
    const { manifest, seconds: took, resources } = await exported(server, headers, level);
    const rate = `${number(resources / took)} resources a second, ${number(cpu(pid) - before, 2)} s of CPU`;
    console.log(`${name.padEnd(22)}${number(resources).padStart(9)} in ${number(took, 2)} s: ${rate}`);
    told('after it');
    if (level === '') files = manifest.output;
  }

  for (const encoding of ['gzip', 'identity']) {
    const started = performance.now();
    let bytes = 0;
    for (const { url } of files) {
      // This client does not decompress the answer.
      const { request } = await import('node:http');
      bytes += await new Promise((resolve, reject) => {
        const at = `${server.url}${new URL(url).pathname}`;
        const asked = request(at, { headers: { ...headers, accept: '*/*', 'accept-encoding': encoding } }, (answer) => {
          if (answer.statusCode !== 200) reject(new Error(`${answer.statusCode} ${url}`));
          let length = 0;
          answer.on('data', (chunk) => {
            length += chunk.length;
          });
          answer.on('end', () => resolve(length));
          answer.on('error', reject);
        });
        asked.on('error', reject);
        asked.end();
      });
    }
    const took = seconds(started);
    const rate = `${number(bytes / 1e6 / took)} MB/s`;
    const plain = encoding === 'gzip' ? `, ${number((mebibytes * 1.048576) / took)} MB/s of lines` : '';
    console.log(
      `download, ${encoding.padEnd(12)}${number(bytes / 1e6).padStart(9)} MB in ${number(took, 2)} s: ${rate}${plain}`,
    );
  }
  console.log(`memory of the module that makes the files: ${number(moduleMemory(server.log, 'export'))} MiB at most`);
  console.log(`memory of workerd, with D1, R2 and the queue in it: ${number(memory(pid).most)} MiB at most`);
} finally {
  await server.close();
}
