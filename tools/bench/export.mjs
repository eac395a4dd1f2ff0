// Measures the export of a population: the time until the manifest is complete, for the first and a second export, the
// download speed, compressed and plain, and the memory of workerd. PATIENTS=1000 npx node tools/bench/export.mjs

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { EVERYTHING, populate, stage } from '../server/stage.mjs';
import { cpu } from './lib/cpu.mjs';

const PATIENTS = Number(process.env.PATIENTS ?? 1_000);

const number = (value, digits = 0) => value.toLocaleString('en', { maximumFractionDigits: digits });
const seconds = (since) => (performance.now() - since) / 1_000;

/// Returns the id of the workerd process that this process has started.
function workerd() {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      if (/^Name:\s*workerd/m.test(status) && new RegExp(`^PPid:\\s*${process.pid}$`, 'm').test(status)) return pid;
    } catch {
      // The process has ended.
    }
  }
  throw new Error('there is no workerd');
}

/// Returns the current and the peak memory of a process in MiB.
function memory(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name) => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1_024;
  return { now: of('VmRSS'), most: of('VmHWM') };
}

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
  const pid = workerd();
  const headers = { authorization: `Bearer ${server.token(EVERYTHING)}`, accept: 'application/fhir+json' };
  await server.ask('Patient?_count=1', { token: headers.authorization.slice(7) });
  const told = (when) => console.log(`  memory of workerd ${when}: ${number(memory(pid).now)} MiB`);
  told('before');

  /// Exports everything at a level. Resolves to the manifest, the seconds until it was complete, and the CPU seconds.
  async function exported(level) {
    const started = performance.now();
    const used = cpu(pid);
    const begun = await fetch(`${server.url}/fhir/r4/${level}$export`, {
      headers: { ...headers, prefer: 'respond-async' },
    });
    if (begun.status !== 202) throw new Error(`${begun.status}: ${await begun.text()}`);
    const status = new URL(begun.headers.get('content-location')).pathname;
    for (;;) {
      const answer = await fetch(`${server.url}${status}`, { headers });
      if (answer.status === 200) {
        const manifest = await answer.json();
        return { manifest, took: seconds(started), cpu: cpu(pid) - used };
      }
      if (answer.status !== 202) throw new Error(`${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
      await sleep(50);
    }
  }

  const mebibytes = statSync(population).size / 2 ** 20;
  console.log(`${number(PATIENTS)} patients, ${number(mebibytes)} MiB of NDJSON`);
  let files = [];
  for (const [name, level] of [
    ['all, the first time', ''],
    ['all, again', ''],
    ['of patients', 'Patient/'],
  ]) {
    const { manifest, took, cpu: used } = await exported(level);
    const resources = manifest.output.reduce((sum, { count }) => sum + count, 0);
    if (manifest.error.length > 0) throw new Error(JSON.stringify(manifest.error));
    const rate = `${number(resources / took)} resources a second, ${number(used, 2)} s of CPU`;
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
