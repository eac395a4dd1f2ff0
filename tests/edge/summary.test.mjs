// `$summary`: the International Patient Summary, which the Worker `reading` writes from the records that the grant
// opens. The numbers are those of the cases of the summary.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { cost, ndjson, stage } from '../../tools/server/stage.mjs';
import { allowed } from '../oracle/access.mjs';
import { indexOf, load } from '../oracle/data.mjs';
import { drawing, grantOf, hospital, LISTS, marked, PATIENTS, token as randomToken } from '../oracle/trials.mjs';

const PATIENT = 'amara-okafor';
const LOINC = 'http://loinc.org';
const server = await stage({ data: ['sample'], vars: { FRESH_SECONDS: '0' } });
const bare = { resourceType: 'Patient', id: 'bare', identifier: [{ system: 'urn:mrn', value: 'x' }] };
const evil = {
  resourceType: 'Condition',
  id: 'evil',
  subject: { reference: 'Patient/bare' },
  code: { text: '<script>' },
};
const scan = Buffer.alloc(100_000, 'scan').toString('base64');
const report = {
  resourceType: 'DiagnosticReport',
  id: 'scanned',
  status: 'final',
  subject: { reference: 'Patient/bare' },
  code: { text: 'Scan' },
  effectiveDateTime: '2026-01-01',
  presentedForm: [{ contentType: 'application/pdf', data: scan }],
};
const results = Array.from({ length: 1_500 }, (_, n) => ({
  resourceType: 'Observation',
  id: `many-${n}`,
  status: 'final',
  subject: { reference: 'Patient/many' },
  code: { coding: [{ system: LOINC, code: n < 1_200 ? '2345-7' : `${n}-0` }] },
  effectiveDateTime: new Date(Date.UTC(2020, 0, 1) + n * 86_400_000).toISOString(),
  valueQuantity: { value: n },
}));
const inError = { ...results.at(0), id: 'many-in-error', status: 'entered-in-error', effectiveDateTime: '2026' };
/// A chart with more past orders than a document has records, and two results about others after the patient's own.
const subject = { reference: 'Patient/crowded' };
const orders = Array.from({ length: 1_100 }, (_, n) => ({
  ...{ resourceType: 'MedicationRequest', id: `order-${n}`, intent: 'order', subject },
  status: n === 0 ? 'active' : 'completed',
  medicationCodeableConcept: { text: n === 0 ? 'Insulin' : 'Amoxicillin' },
  authoredOn: new Date(Date.UTC(2015, 0, 1) + n * 86_400_000).toISOString(),
}));
const glucose = ['', 'RelatedPerson/donor', 'RelatedPerson/donor'].map((reference, n) => ({
  ...results.at(n),
  id: `glucose-${n}`,
  subject,
  ...(reference && { focus: [{ reference }] }),
}));
const crowded = [{ ...bare, id: 'crowded', identifier: [] }, ...orders, ...glucose];
const records = [...crowded, bare, evil, report, { ...bare, id: 'many', identifier: [] }, ...results, inError];
server.loadText(ndjson(...records));
const MORE = ['MedicationStatement', 'DeviceUseStatement', 'Flag', 'Consent', 'Composition'];
const all = server.token(['*', ...MORE].map((type) => `system/${type}.rs`).join(' '));
const patient = server.token('patient/*.rs', { patient: PATIENT });
after(() => server.close());

const summary = (path, token = all, more = {}) => server.ask(`Patient/${path}`, { token, ...more });
/// Returns the sections of a document by their LOINC codes.
const sectionsOf = ({ body }) =>
  Object.fromEntries(body.entry[0].resource.section.map((one) => [one.code.coding?.[0].code ?? one.title, one]));

test('past orders displace nothing that is current, and results about others not the own ones', async () => {
  const sections = sectionsOf(await summary('crowded/$summary'));
  const entries = (code) => sections[code].entry?.map(({ reference }) => reference.replace(`${server.base}/`, ''));
  assert.deepEqual(entries('10160-0'), ['MedicationRequest/order-0']);
  assert.ok(entries('30954-2').includes('Observation/glucose-0'), sections['30954-2'].text.div);
  assert.doesNotMatch(sections['What this summary lacks'].text.div, /beyond the most/);
});

test('1, 2, 12, 59: a document whose Composition comes first, by GET and by POST', async () => {
  const answer = await summary(`${PATIENT}/$summary`);
  assert.deepEqual([answer.status, answer.body.type], [200, 'document'], answer.text);
  assert.ok(cost(answer).trips <= 2, `${cost(answer).trips} trips`);
  const [{ resource: composition, fullUrl }, ...others] = answer.body.entry;
  assert.equal(answer.body.identifier.value, fullUrl);
  assert.equal(composition.type.coding[0].code, '60591-5');
  assert.equal(answer.body.entry.filter(({ resource }) => resource.resourceType === 'Composition').length, 1);
  const known = new Set(others.map(({ fullUrl: of }) => of));
  for (const { title, code, text, entry = [] } of composition.section) {
    assert.ok(title && code && text.div.startsWith('<div'), title);
    for (const { reference } of entry) assert.ok(known.has(reference), reference);
  }
  assert.ok([composition.author[0], composition.subject].every(({ reference }) => known.has(reference)));
  for (const body of ['', JSON.stringify({ resourceType: 'Parameters' })]) {
    const headers = { 'content-type': 'application/fhir+json' };
    const posted = await summary(`${PATIENT}/$summary`, all, { method: 'POST', headers, body });
    assert.equal(posted.status, 200, posted.text);
    assert.deepEqual(Object.keys(sectionsOf(posted)), Object.keys(sectionsOf(answer)));
  }
});

test('3, 15: the identifier of a patient, and patients who are not there or not open', async () => {
  assert.equal((await summary('$summary?identifier=urn:mrn%7Cx')).body.entry[1].resource.id, 'bare');
  for (const [path, token, status] of [
    ['$summary', all, 400],
    ['$summary?identifier=urn:mrn%7Cnone', all, 404],
    ['nobody/$summary', all, 404],
    ['bare/$summary', patient, 404],
    ['a_b/$summary', all, 404],
    [`${PATIENT}/$summary?identifier=x`, all, 400],
    [`${PATIENT}/$summary?colour=red`, all, 400],
    [`${PATIENT}/$summary`, server.token('patient/Observation.rs', { patient: PATIENT }), 401],
  ]) {
    assert.equal((await summary(path, token)).status, status, path);
  }
  assert.equal((await server.ask(`Patient/${PATIENT}/$summary`)).status, 401);
});

test('SC16 what the grant does not open is withheld, and said (5, 6, 7, 76)', async () => {
  const { emptyReason } = sectionsOf(await summary('bare/$summary'))['10160-0'];
  assert.equal(emptyReason.coding[0].code, 'unavailable');
  const vitals = 'http://terminology.hl7.org/CodeSystem/observation-category|vital-signs';
  const some = server.token(`patient/Patient.r patient/Observation.rs?category=${vitals}`, { patient: PATIENT });
  const sections = sectionsOf(await summary(`${PATIENT}/$summary`, some));
  for (const code of ['10160-0', '48765-2', '11450-4']) {
    assert.equal(sections[code].emptyReason.coding[0].code, 'withheld', code);
  }
  assert.ok(sections['8716-3'].entry.length > 0);
  assert.equal(sections['30954-2'], undefined);
  assert.match(JSON.stringify(sections['What this summary lacks']), /what the access does not open: /);
});

test('under random grants, a document tells of no resource that a search or a read would not', async (t) => {
  const { TRIALS = '200', SEED = '1' } = process.env;
  const draw = drawing(`summaries ${SEED}`);
  const population = marked(hospital(draw));
  server.loadText(ndjson(...population));
  server.enrol(LISTS);
  const resources = load(population.map((resource) => ({ resource, text: '' })));
  const index = indexOf(resources);
  let [documents, marks] = [0, 0];
  for (let n = 0; n < Number(TRIALS); n += 1) {
    const { groups: _, ...grant } = randomToken(draw);
    const { status, text } = await summary(`${draw.one(PATIENTS)}/$summary`, server.token(grant.scopes, grant));
    for (const [, at] of text.matchAll(/Mark(\d+)x/g)) {
      const { resource } = resources[at];
      const action = resource.resourceType === 'Patient' ? 'read' : 'search';
      assert.ok(allowed(grantOf(grant), resource, action, index), `${JSON.stringify({ resource, grant })} ${text}`);
      marks += 1;
    }
    if (status === 200) documents += 1;
  }
  t.diagnostic(`${TRIALS} grants; ${documents} documents with ${marks} names of resources`);
  assert.ok(documents > TRIALS / 10 && marks > TRIALS);
});

test('13, 17: texts are escaped, and in the language of the request', async () => {
  assert.match(sectionsOf(await summary('bare/$summary'))['11450-4'].text.div, /&lt;script&gt;/);
  const spanish = await summary(`${PATIENT}/$summary`, all, { headers: { 'accept-language': 'es-MX,en;q=0.5' } });
  assert.equal(spanish.headers.get('content-language'), 'es');
  const [{ resource: composition }] = spanish.body.entry;
  assert.deepEqual([composition.language, composition.title], ['es', 'Resumen del paciente']);
});

test('54, 55, 58: what is taken, worn, warned of and directed is an entry, and no stored Composition is', async () => {
  const answer = await summary('dana-begay/$summary');
  const sections = sectionsOf(answer);
  for (const [code, reference] of [
    ['10160-0', 'MedicationStatement/dana-vitamin-d'],
    ['46264-8', 'DeviceUseStatement/dana-sleeve'],
    ['104605-1', 'Flag/dana-left-arm'],
    ['42348-3', 'Consent/dana-advance-directive'],
  ]) {
    const entries = sections[code].entry.map((one) => one.reference);
    assert.ok(entries.includes(`${server.base}/${reference}`), reference);
  }
  assert.match(answer.text, /"supportingInfo":\[{"reference":"Composition\/dana-after-treatment"}/);
  assert.equal(answer.body.entry.filter(({ resource }) => resource.resourceType === 'Composition').length, 1);
  assert.match(sections.Course.text.div, /Lumpectomy in April/);
});

test('a document in a record is the base64 that was loaded', async () => {
  const { text } = await summary('bare/$summary');
  assert.ok(text.includes(`"data":"${scan}"`) && !text.includes('"~'));
});

test('16: a profile of another document is refused', async () => {
  const profile = 'http://hl7.org/fhir/uv/ips/StructureDefinition/Bundle-uv-ips';
  for (const [value, status] of [
    [profile, 200],
    [`${profile}|2.0.1`, 200],
    [`${profile}|3.0.0`, 400],
    ['http://example.org/ccd', 400],
  ]) {
    const { status: got } = await summary(`${PATIENT}/$summary?profile=${encodeURIComponent(value)}`);
    assert.equal(got, status, value);
  }
});

test('18: of many results the newest valid one of each code is in the document, which says so', async () => {
  const answer = await summary('many/$summary');
  const { entry, text } = sectionsOf(answer)['30954-2'];
  assert.equal(entry.length, 301);
  assert.ok(entry.some(({ reference }) => reference.endsWith('/Observation/many-1199')));
  assert.match(text.div, /The newest result of each test/);
});

test('60: the same chart, grant and language give the same bytes and the same tag, and 304', async () => {
  const first = await summary('many/$summary');
  const again = await summary('many/$summary');
  assert.deepEqual([again.text, again.headers.get('etag')], [first.text, first.headers.get('etag')]);
  const asked = (token, more = {}) => {
    const headers = { 'if-none-match': first.headers.get('etag'), ...more };
    return summary('many/$summary', token, { headers });
  };
  const known = await asked(all);
  assert.deepEqual([known.status, known.text, known.headers.get('etag')], [304, '', first.headers.get('etag')]);
  assert.equal((await asked(all, { 'accept-language': 'es' })).status, 200);
  assert.equal((await asked(server.token('system/*.rs'))).status, 200);
  server.loadText(ndjson({ ...bare, id: 'many', identifier: [], gender: 'female' }));
  const other = await asked(all);
  assert.deepEqual([other.status, other.body?.entry[1].resource.gender], [200, 'female']);
  assert.notEqual(other.body.identifier.value, first.body.identifier.value);
});

test('23: the document on demand leads to the summary, for whoever may read the patient', async () => {
  const path = `DocumentReference/$docref?patient=${PATIENT}&on-demand=true`;
  for (const type of ['', '&type=60591-5', '&type=11506-3&type=http://loinc.org|60591-5']) {
    const [{ resource }, ...others] = (await server.ask(path + type, { token: patient })).body.entry;
    assert.deepEqual([others.length, resource.subject.reference, resource.id], [0, `Patient/${PATIENT}`, undefined]);
    const [{ attachment }] = resource.content;
    const document = await server.ask(attachment.url, { token: patient, headers: { accept: attachment.contentType } });
    assert.deepEqual([document.status, document.body.type], [200, 'document']);
  }
  const nothing = [`${path}&type=11506-3`, 'DocumentReference/$docref?patient=nobody-here&on-demand=true'];
  for (const one of nothing) assert.equal((await server.ask(one, { token: all })).body.entry, undefined, one);
  const shaped = async (more) => (await server.ask(path + more, { token: all })).body;
  const [{ resource: part }] = (await shaped('&_elements=type')).entry;
  assert.deepEqual([part.meta.tag[0].code, part.description], ['SUBSETTED', undefined]);
  const totals = ['', '&_summary=count', '&type=11506-3'].map(async (more) => {
    const { total, entry } = await shaped(more);
    return [total, entry?.length];
  });
  assert.deepEqual(await Promise.all(totals), [
    [1, 1],
    [1, undefined],
    [0, undefined],
  ]);
  const documents = server.token('patient/DocumentReference.rs', { patient: PATIENT });
  assert.equal((await server.ask(path, { token: documents })).body.entry, undefined);
  const conditions = server.token('patient/Condition.rs patient/Patient.rs', { patient: PATIENT });
  assert.equal((await server.ask(path, { token: conditions })).status, 401);
});

test('62, 63: the Worker that writes it has no address, and without it only summaries fail', async () => {
  const broken = [{ type: 'ESModule', path: 'build/reading.js', contents: 'export default {};' }];
  const other = await stage({ data: ['sample'], reading: broken });
  try {
    const token = other.token('system/*.rs');
    const answer = await other.ask(`Patient/${PATIENT}/$summary`, { token });
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '5'], answer.text);
    assert.match(answer.text, /searches and reads work as before/);
    assert.equal((await other.ask(`Condition?patient=${PATIENT}`, { token })).status, 200);
  } finally {
    await other.close();
  }
});

test('73: one line of the audit log', async () => {
  const id = 'summary-73';
  await summary(`${PATIENT}/$summary`, patient, { headers: { 'x-request-id': id } });
  const lines = await server.audit(id);
  assert.deepEqual(
    lines.map(({ event, type, id: of, patients }) => [event, type, of, patients]),
    [['summary', 'Patient', PATIENT, [PATIENT]]],
  );
});
