// Measures the time from POST /ingest until a search finds the records, and the number of records that a consumer loads
// per second. `FILES` is the number of files with 500 resources each; then a file of 5 MB and one of 50 MB are sent.

import { setTimeout as sleep } from 'node:timers/promises';
import { ORIGIN, stage } from '../server/stage.mjs';
import { percentile } from './lib/cpu.mjs';
import { SENDER, senderToken } from './lib/sender.mjs';

const FILES = Number(process.env.FILES ?? 40);

const server = await stage({ vars: { FRESH_SECONDS: '0' }, apps: [SENDER] });
const writer = await senderToken(server);
const reader = server.token('system/*.read');

/// Returns the records of patients, each with 20 observations of about 1 KB.
function records(patients, first) {
  const resources = [];
  for (let at = first; at < first + patients; at += 1) {
    resources.push({ resourceType: 'Patient', id: `p${at}`, name: [{ family: `Family${at}`, given: ['Ann'] }] });
    for (let number = 0; number < 20; number += 1) {
      resources.push({
        ...{ resourceType: 'Observation', id: `p${at}-${number}`, status: 'final' },
        category: [
          { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }] },
        ],
        code: { coding: [{ system: 'http://loinc.org', code: `${1_000 + number}-1`, display: 'A measurement' }] },
        subject: { reference: `Patient/p${at}` },
        effectiveDateTime: `2026-01-${String(number + 1).padStart(2, '0')}T08:00:00Z`,
        valueQuantity: { value: at + number, unit: 'mg', system: 'http://unitsofmeasure.org', code: 'mg' },
        note: [{ text: `Number ${number} of patient ${at}. `.repeat(16) }],
      });
    }
  }
  return resources;
}

/// Sends records, and waits until their job has ended and the last patient is found.
async function send(patients, first) {
  const resources = records(patients, first);
  const body = resources.map((resource) => `${JSON.stringify(resource)}\n`).join('');
  const start = performance.now();
  const answer = await fetch(`${server.url}/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${writer}`, 'content-type': 'application/fhir+ndjson' },
    body,
  });
  if (answer.status !== 202) throw new Error(await answer.text());
  const accepted = performance.now() - start;
  const { id } = await answer.json();
  for (;;) {
    const { body: found } = await server.ask(`Observation?patient=p${first + patients - 1}`, { token: reader });
    if (found.entry?.length === 20) break;
    await sleep(10);
  }
  const seen = performance.now() - start;
  const status = async () =>
    fetch(`${server.url}/ingest/${id}`, { headers: { authorization: `Bearer ${writer}` } }).then((it) => it.json());
  let job = await status();
  while (job.status === 'in-progress') {
    await sleep(10);
    job = await status();
  }
  if (job.new !== resources.length) throw new Error(JSON.stringify(job));
  return { bytes: body.length, resources: resources.length, accepted, seen, ended: performance.now() - start };
}

const seconds = (milliseconds) => `${(milliseconds / 1_000).toFixed(2)} s`;

await send(24, 1_000_000);
const small = [];
for (let file = 0; file < FILES; file += 1) small.push(await send(24, file * 24));
const seen = small.map((one) => one.seen);
console.log(`${FILES} files of ${small[0].resources} resources, on ${ORIGIN}`);
console.log(
  `  accepted   median ${seconds(
    percentile(
      small.map((one) => one.accepted),
      0.5,
    ),
  )}`,
);
console.log(`  found      median ${seconds(percentile(seen, 0.5))}, 95 % in ${seconds(percentile(seen, 0.95))}`);
for (const [patients, first] of [
  [230, 100_000],
  [2_300, 200_000],
]) {
  const { bytes, resources, accepted, ended } = await send(patients, first);
  const rate = Math.round(resources / (ended / 1_000));
  console.log(`one file of ${(bytes / 1e6).toFixed(1)} MB, ${resources} resources`);
  console.log(`  accepted ${seconds(accepted)}, loaded ${seconds(ended)}: ${rate} resources a second`);
}
await server.close();
