// Records the answers of D1 to the requests of a rehearsal in src/edge/rehearsal.json: node tools/rehearsal.mjs

import { createHash, createPrivateKey, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ORIGIN, stage } from './server/stage.mjs';
import { built } from './server/workerd.mjs';

export const RECORDING = 'src/edge/rehearsal.json';
const PATHS = [
  'Patient/p',
  'Observation?patient=p&category=laboratory&date=ge2020-01-01',
  'Observation?patient=p&code=http://loinc.org%7C718-7',
  'Condition?patient=p&_revinclude=Provenance:target',
  'MedicationRequest?patient=p&status=active&_include=MedicationRequest:medication',
];

const concept = (system, code) => ({ coding: [{ system, code }], text: code });
const category = (code) => [concept('http://terminology.hl7.org/CodeSystem/observation-category', code)];
const subject = { reference: 'Patient/p' };
const day = (at) => new Date(Date.UTC(2024, 0, 1 + at)).toISOString();
const RECORDS = [
  { resourceType: 'Patient', id: 'p', name: [{ family: 'Rehearsal', given: ['Ada'] }], gender: 'female' },
  { resourceType: 'Medication', id: 'm', code: { text: 'x' } },
  { resourceType: 'Practitioner', id: 'd', name: [{ family: 'Rehearsal' }] },
  ...Array.from({ length: 24 }, (_, at) => ({
    ...{ resourceType: 'Observation', id: `o${at}`, status: 'final', subject, effectiveDateTime: day(at) },
    category: category(at % 3 ? 'laboratory' : 'vital-signs'),
    code: concept('http://loinc.org', at % 2 ? '718-7' : '2345-7'),
    valueQuantity: { value: 10 + at / 7, unit: 'g/dL', system: 'http://unitsofmeasure.org', code: 'g/dL' },
  })),
  ...Array.from({ length: 4 }, (_, at) => ({
    ...{ resourceType: 'Condition', id: `c${at}`, subject, onsetDateTime: day(at) },
    code: concept('http://snomed.info/sct', `3${at}`),
  })),
  ...Array.from({ length: 4 }, (_, at) => ({
    ...{ resourceType: 'Provenance', id: `v${at}`, recorded: day(at), target: [{ reference: `Condition/c${at}` }] },
    agent: [{ who: { reference: 'Practitioner/d' } }],
  })),
  ...Array.from({ length: 3 }, (_, at) => ({
    ...{ resourceType: 'MedicationRequest', id: `r${at}`, status: 'active', intent: 'order', subject },
    ...{ authoredOn: day(at), medicationReference: { reference: 'Medication/m' } },
  })),
];

/// A module that wraps the Worker with databases that record their answers.
const NOTING = {
  type: 'ESModule',
  path: 'build/noting.js',
  contents: `
  import worker from './index.js';
  const noted = new Map();
  class D1Database {
    constructor(inner) { this.inner = inner; }
    withSession(start) { return new D1Database(this.inner.withSession(start)); }
    getBookmark() { return this.inner.getBookmark(); }
    prepare(text) {
      const bind = (...binds) => ({ noted: [text, binds[0]], bound: this.inner.prepare(text).bind(...binds) });
      return { bind };
    }
    async batch(statements) {
      const answers = await this.inner.batch(statements.map(({ bound }) => bound));
      for (const [at, { noted: of }] of statements.entries()) noted.set(of.join(' '), [...of, answers[at].results]);
      return answers;
    }
  }
  export default {
    fetch(request, env, context) {
      if (request.url.endsWith('/noted')) return Response.json([...noted.values()]);
      const own = { DB: new D1Database(env.DB), AUTH_DB: new D1Database(env.AUTH_DB) };
      return worker.fetch(request, { ...env, ...own }, context);
    },
  };`,
};

/// Returns the token signed with the example key of RFC 7515, which only a rehearsal trusts.
function signedByExample(token) {
  const jwk = JSON.parse(readFileSync('src/oauth/signing.json', 'utf8'));
  const { crv, kty, x, y } = jwk;
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid, typ: 'at+jwt' })).toString('base64url');
  const data = `${header}.${token.split('.')[1]}`;
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  return `${data}.${sign('sha256', Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/// Runs the requests of a rehearsal and returns its recording.
export async function record() {
  const folder = mkdtempSync(join(tmpdir(), 'edgechart-rehearsal-'));
  writeFileSync(join(folder, 'records.ndjson'), RECORDS.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const server = await stage({ data: [folder], modules: [NOTING, ...built()] });
  try {
    const token = server.token('system/*.read');
    for (const path of PATHS) {
      const { status } = await server.ask(path, { token });
      if (status !== 200) throw new Error(`${status} ${path}`);
    }
    const statements = await (await fetch(`${server.url}/fhir/noted`)).json();
    const vars = { ORIGIN, ENVIRONMENT: 'sandbox', FRESH_SECONDS: '1' };
    return { now: Date.now(), token: signedByExample(token), paths: PATHS, vars, statements };
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === import.meta.filename) writeFileSync(RECORDING, `${JSON.stringify(await record())}\n`);
