// Long documents over HTTP: loaded by the command line and sent to /ingest, read as JSON and as bytes, in ranges, and
// with memory that does not depend on their length. The bucket belongs to the local runtime.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { edgechart, ndjson, stage } from '../../tools/server/stage.mjs';
import { EHR, senderOf } from '../server/sender.mjs';
import { measured, mostMemory } from './memory.mjs';

const MIB = 2 ** 20;
const meta = { versionId: '1', lastUpdated: '2024-02-29T10:00:00Z' };
const PATIENT = { resourceType: 'Patient', id: 'p', meta };
const binary = (id, bytes, contentType = 'application/pdf') => ({
  ...{ resourceType: 'Binary', id, meta, contentType, securityContext: { reference: 'Patient/p' } },
  data: bytes.toString('base64'),
});
const note = (id, bytes) => ({
  ...{ resourceType: 'DocumentReference', id, meta, status: 'current', subject: { reference: 'Patient/p' } },
  content: [{ attachment: { contentType: 'application/pdf', data: bytes.toString('base64') } }],
});
/// Returns NDJSON with base64 in lines of 76 characters, as in MIME.
const inLines = (...resources) => ndjson(...resources).replace(/[A-Za-z0-9+/]{76}/g, '$&\\r\\n');

/// Resolves to the status, headers and bytes of an answer.
const get = async (server, path, headers = {}) => {
  const token = server.token('system/Binary.rs system/DocumentReference.rs system/Patient.rs');
  const answer = await fetch(`${server.url}/fhir/r4/${path}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};

for (const store of ['d1', 'kv']) {
  test(`a PDF of 10 MiB that is loaded is read as it was, whole and in ranges: ${store}`, async (t) => {
    const pdf = randomBytes(10 * MIB);
    const small = Buffer.from('a short one');
    const resources = [PATIENT, binary('long', pdf), binary('short', small, 'text/plain'), note('note', pdf)];
    const server = await stage({ store });
    t.after(server.close);
    server.loadText(ndjson(...resources.slice(0, 3)) + inLines(resources[3]));
    for (const resource of resources) {
      const { status, bytes } = await get(server, `${resource.resourceType}/${resource.id}`);
      assert.equal(status, 200);
      assert.ok(bytes.equals(Buffer.from(JSON.stringify(resource))), resource.id);
    }
    const found = await get(server, 'DocumentReference?patient=p&_include=DocumentReference:patient');
    const { entry } = JSON.parse(found.bytes.toString());
    assert.deepEqual(
      entry.map(({ resource }) => resource.id),
      ['note', 'p'],
    );
    assert.equal(entry[0].resource.content[0].attachment.data, pdf.toString('base64'));
    const asked = { accept: 'application/pdf' };
    const whole = await get(server, 'Binary/long', asked);
    assert.deepEqual([whole.status, whole.headers.get('content-type')], [200, 'application/pdf']);
    assert.equal(whole.headers.get('content-length'), String(pdf.length));
    assert.equal(whole.headers.get('content-security-policy'), "sandbox; default-src 'none'");
    assert.ok(whole.bytes.equals(pdf));
    const [from, to] = [3 * MIB - 7, 6 * MIB + 7];
    const part = await get(server, 'Binary/long', { ...asked, range: `bytes=${from}-${to - 1}` });
    assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes ${from}-${to - 1}/${pdf.length}`]);
    assert.ok(part.bytes.equals(pdf.subarray(from, to)));
    const behind = await get(server, 'Binary/long', { ...asked, range: `bytes=${pdf.length}-` });
    assert.deepEqual([behind.status, behind.headers.get('content-range')], [416, `bytes */${pdf.length}`]);
    const short = await get(server, 'Binary/short', { accept: 'text/plain', range: 'bytes=2-6' });
    assert.deepEqual([short.status, short.bytes.toString()], [206, 'short']);
    const known = await get(server, 'Binary/long', { ...asked, 'if-none-match': whole.headers.get('etag') });
    assert.equal(known.status, 304);
    const dumped = join(server.state, 'dump.ndjson');
    edgechart('dump', '--db', server.db, '--files', join(server.state, 'v3/r2/edgechart-files'), '--out', dumped);
    const lines = readFileSync(dumped, 'utf8').trimEnd().split('\n');
    assert.deepEqual(lines.sort(), resources.map((resource) => JSON.stringify(resource)).sort());
  });
}

test('DC04 documents of 50 MiB are sent, read and ranged, and are never in memory', async (t) => {
  const server = await stage({
    vars: { FRESH_SECONDS: '0' },
    apps: [EHR],
    modules: measured(),
    jobModules: measured(),
  });
  t.after(server.close);
  const { send } = await senderOf(server);
  await send(ndjson(PATIENT));
  const pdf = randomBytes(50 * MIB);
  const done = await send(ndjson(binary('long', pdf)));
  assert.deepEqual([done.new, done.faults], [1, []]);
  const ten = pdf.subarray(0, 10 * MIB);
  const two = await send(ndjson(binary('ten', ten)) + inLines(note('note', ten)));
  assert.deepEqual([two.new, two.faults], [2, []]);
  const over = await send(ndjson(note('over', Buffer.concat([pdf, Buffer.from('!')]))));
  assert.deepEqual([over.new, over.faults.length], [1, 1]);
  assert.match(over.faults[0].why, /content\[0\]\.attachment\.data has 52428801 bytes/);
  const { attachment } = JSON.parse((await get(server, 'DocumentReference/over')).bytes).content[0];
  assert.deepEqual([attachment.contentType, attachment.data], ['application/pdf', undefined]);
  assert.equal(attachment._data.extension[0].valueCode, 'unsupported');
  const whole = await get(server, 'Binary/long', { accept: 'application/octet-stream' });
  assert.ok(whole.status === 200 && whole.bytes.equals(pdf));
  const json = await get(server, 'Binary/long', { accept: 'application/fhir+json' });
  assert.ok(json.bytes.equals(Buffer.from(JSON.stringify(binary('long', pdf)))));
  const page = await get(server, 'DocumentReference?_id=note');
  assert.equal(JSON.parse(page.bytes.toString()).entry[0].resource.content[0].attachment.data, ten.toString('base64'));
  const last = await get(server, 'Binary/long', { accept: 'application/pdf', range: 'bytes=-5' });
  assert.ok(last.status === 206 && last.bytes.equals(pdf.subarray(-5)));
  const most = mostMemory(server);
  t.diagnostic(`${most} MiB`);
  assert.ok(most < 48, `${most} MiB`);
});
