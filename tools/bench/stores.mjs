// Compares D1 with KV: the same page of 50, with and without includes, of a patient with 2,000 resources, on workerd,
// in turn, in one run. Measures wall and CPU time of a request; for KV with the shelf in the isolate (warm), and for
// patients in turn whose large shelves are more than an isolate holds.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reads, stage } from '../server/stage.mjs';
import { workerds } from '../server/workerds.mjs';
import { cpu, median } from './lib/cpu.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 7);
const REQUESTS = 100;
const PATIENTS = 80;

/// Yields a patient with 2,000 resources: 1,600 observations of about 1.2 KB, 250 requests, 100 conditions, Provenance.
function* record(patient) {
  const subject = { reference: `Patient/${patient}` };
  yield { resourceType: 'Patient', id: patient, name: [{ family: patient }] };
  const day = (at) => new Date(Date.UTC(2005, 0, 1) + at * 4 * 86_400_000).toISOString();
  const concept = (system, code, text) => ({ coding: [{ system, code, display: text }], text });
  for (let at = 0; at < 1_600; at += 1) {
    yield {
      resourceType: 'Observation',
      id: `${patient}-o${at}`,
      status: 'final',
      subject,
      meta: {
        versionId: '1',
        lastUpdated: day(at),
        profile: ['http://hl7.org/fhir/us/core/StructureDefinition/us-core-observation-lab'],
      },
      category: [
        concept(
          'http://terminology.hl7.org/CodeSystem/observation-category',
          at % 4 ? 'laboratory' : 'vital-signs',
          'Category',
        ),
      ],
      code: concept('http://loinc.org', `${1000 + (at % 90)}-1`, 'A name as long as the names of laboratory tests are'),
      encounter: { reference: `Encounter/${patient}-e${at % 40}` },
      effectiveDateTime: day(at),
      issued: day(at),
      performer: [{ reference: 'Practitioner/p', display: 'Dr. Ada Testington' }],
      valueQuantity: { value: at / 7, unit: 'mg/dL', system: 'http://unitsofmeasure.org', code: 'mg/dL' },
      referenceRange: [
        { low: { value: 1, unit: 'mg/dL' }, high: { value: 9, unit: 'mg/dL' }, text: 'a range that is written out' },
      ],
      note: [{ text: 'x'.repeat(200) }],
    };
  }
  for (let at = 0; at < 250; at += 1) {
    yield {
      resourceType: 'MedicationRequest',
      id: `${patient}-m${at}`,
      status: 'active',
      intent: 'order',
      subject,
      authoredOn: day(at),
      medicationReference: { reference: `Medication/${at % 20}` },
    };
  }
  for (let at = 0; at < 100; at += 1) {
    yield { resourceType: 'Condition', id: `${patient}-c${at}`, subject, onsetDateTime: day(at), code: { text: 'x' } };
  }
  for (let at = 0; at < 49; at += 1) {
    const target = Array.from({ length: 40 }, (_, k) => ({ reference: `Observation/${patient}-o${at * 32 + k}` }));
    yield {
      resourceType: 'Provenance',
      id: `${patient}-v${at}`,
      recorded: day(at),
      target,
      agent: [{ who: { reference: 'Practitioner/p' } }],
    };
  }
}

const folder = mkdtempSync(join(tmpdir(), 'edgechart-stores-'));
const patients = Array.from({ length: PATIENTS }, (_, at) => `patient-${at}`);
for (const patient of patients) {
  writeFileSync(
    join(folder, `${patient}.ndjson`),
    [...record(patient)].map((resource) => `${JSON.stringify(resource)}\n`).join(''),
  );
}
const medications = Array.from({ length: 20 }, (_, at) => ({
  resourceType: 'Medication',
  id: `${at}`,
  code: { text: 'x' },
}));
writeFileSync(
  join(folder, 'medications.ndjson'),
  medications.map((resource) => `${JSON.stringify(resource)}\n`).join(''),
);

const SEARCHES = [
  'Observation?patient=PATIENT&category=laboratory',
  'Observation?patient=PATIENT&category=laboratory&date=ge2010-01-01&_revinclude=Provenance:target',
  'MedicationRequest?patient=PATIENT&intent=order&_include=MedicationRequest:medication',
];

const servers = {};
for (const store of ['d1', 'kv']) {
  const server = await stage({ data: [folder], store, bare: true });
  const [pid] = workerds().filter((pid) => Object.values(servers).every((other) => other.pid !== pid));
  const scopes = 'system/*.read system/Medication.read';
  servers[store] = { ...server, pid, token: server.token(scopes) };
}
rmSync(folder, { recursive: true });

const ask = async (store, search) => {
  const { url, token } = servers[store];
  const answer = await fetch(`${url}/fhir/r4/${search}`, { headers: { authorization: `Bearer ${token}` } });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${store}: ${answer.status} ${text}`);
  return { answer, text };
};
/// Resolves to the median wall time and the mean CPU time of sequential requests, in milliseconds.
const measured = async (store, requests) => {
  const before = cpu(servers[store].pid);
  const walls = [];
  let read = 0;
  for (const search of requests) {
    const start = performance.now();
    const { answer } = await ask(store, search);
    walls.push(performance.now() - start);
    if (store === 'kv') read += reads(answer);
  }
  return {
    wall: median(walls),
    cpu: (1000 * (cpu(servers[store].pid) - before)) / requests.length,
    read: read / requests.length,
  };
};
// The CPU time of a trivial request, which is the overhead of workerd.
const idle = async (store) => {
  const before = cpu(servers[store].pid);
  for (let n = 0; n < REQUESTS; n += 1) await (await fetch(`${servers[store].url}/healthz`)).text();
  return (1000 * (cpu(servers[store].pid) - before)) / REQUESTS;
};

console.log(
  'A page of 50 of a patient of 2,000 resources, milliseconds of a request, median of rounds; cpu: over that of /healthz\n',
);
console.log(`${''.padEnd(26)}${'wall'.padStart(8)}${'cpu'.padStart(8)}${'reads'.padStart(8)}`);
for (const search of SEARCHES) {
  const same = search.replace('PATIENT', patients[0]);
  const warm = Array.from({ length: REQUESTS }, () => same);
  // Each large shelf is evicted before it is requested again.
  const cold = patients.map((patient) => search.replace('PATIENT', patient));
  const rows = {
    D1: ['d1', warm],
    'D1, patients in turn': ['d1', cold],
    'KV, patients in turn': ['kv', cold],
    'KV warm': ['kv', warm],
  };
  const spent = Object.fromEntries(Object.keys(rows).map((name) => [name, []]));
  const { text: one } = await ask('d1', same);
  const { text: other } = await ask('kv', same);
  const entries = (text) => JSON.stringify(JSON.parse(text).entry);
  if (entries(one) !== entries(other)) throw new Error(`D1 and KV do not agree: ${search}`);
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [name, [store, requests]] of Object.entries(rows)) {
      const base = await idle(store);
      const { wall, cpu: spentCpu, read } = await measured(store, requests);
      // The first round is a warm-up.
      if (round >= 0) spent[name].push({ wall, cpu: spentCpu - base, read });
    }
  }
  console.log(`${search} (${one.length} bytes)`);
  for (const [name, all] of Object.entries(spent)) {
    const column = (field, digits) =>
      median(all.map((round) => round[field]))
        .toFixed(digits)
        .padStart(8);
    console.log(
      `  ${name.padEnd(24)}${column('wall', 2)}${column('cpu', 3)}${rows[name][0] === 'kv' ? column('read', 2) : ''}`,
    );
  }
}
await Promise.all(Object.values(servers).map((server) => server.close()));
