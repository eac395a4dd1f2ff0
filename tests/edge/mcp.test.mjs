// `POST /mcp`: the Model Context Protocol over real HTTP, in both of its eras. The numbers are those of the cases.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { fromJsonSchema, specTypeSchemas } from '@modelcontextprotocol/client';
import { compactVerify, createLocalJWKSet } from 'jose';
import { stage } from '../../tools/server/stage.mjs';
import { judged } from '../../www/src/receipts/judge.ts';
import { receiptsIn, verified } from '../../www/src/receipts/receipt.ts';

const PATIENT = 'amara-okafor';
const MODERN = '2026-07-28';
const OF = 'io.modelcontextprotocol';
const WIDGET = 'text/html;profile=mcp-app';
/// The schemas of the results of methods. Other results have no members of their own.
const RESULTS = {
  initialize: 'InitializeResult',
  'server/discover': 'DiscoverResult',
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
  'resources/list': 'ListResourcesResult',
  'resources/templates/list': 'ListResourceTemplatesResult',
  'resources/read': 'ReadResourceResult',
  'prompts/list': 'ListPromptsResult',
  'prompts/get': 'GetPromptResult',
};
let server, outputs;
before(async () => {
  server = await stage({ data: ['sample'], vars: { FRESH_SECONDS: '0' } });
  const { tools } = (await modern(tokenFor(), 'tools/list')).body.result;
  outputs = Object.fromEntries(tools.map(({ name, outputSchema }) => [name, fromJsonSchema(outputSchema)]));
});
after(() => server.close());

/// Returns a token for the door. Each has a limit of its own.
const tokenFor = (scope = 'patient/*.rs', more = { patient: PATIENT }) => server.token(scope, { ...more, mcp: true });

const meta = (version = MODERN, abilities = {}) => ({
  [`${OF}/protocolVersion`]: version,
  [`${OF}/clientCapabilities`]: abilities,
});

/// Fails unless a value fits a schema.
async function fits(schema, value) {
  const { issues } = await schema['~standard'].validate(value);
  assert.equal(issues, undefined, `${JSON.stringify(issues)} of ${JSON.stringify(value)}`);
}

/// Resolves to the answer to a body: {status, headers, text, body}. A message fits the schemas of the protocol.
async function send(token, body, headers = {}) {
  const answer = await server.reach('/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  const message = text.startsWith('{') ? JSON.parse(text) : undefined;
  if (message?.jsonrpc) await fits(specTypeSchemas.JSONRPCResponse, message);
  if (message?.result) await fits(specTypeSchemas[RESULTS[body.method] ?? 'EmptyResult'], message.result);
  return { status: answer.status, headers: answer.headers, text, body: message };
}

/// Sends a modern request. Its headers repeat its method and its name.
function modern(token, method, params = {}, { headers = {}, version = MODERN, ...more } = {}) {
  const name = params.name ?? params.uri;
  return send(
    token,
    { jsonrpc: '2.0', id: 7, method, params: { _meta: meta(version), ...params }, ...more },
    {
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
      ...headers,
    },
  );
}

const legacy = (token, method, params = {}) => send(token, { jsonrpc: '2.0', id: 7, method, params });

/// Calls a tool and resolves to what it tells.
async function call(token, name, args = {}) {
  const { status, body, text } = await modern(token, 'tools/call', { name, arguments: args });
  assert.equal(status, 200, text);
  const { structuredContent, content, isError } = body.result;
  assert.equal(isError, false, text);
  assert.deepEqual(JSON.parse(content[0].text), structuredContent);
  await fits(outputs[name], structuredContent);
  return structuredContent;
}

/// Resolves to the words of a tool that refuses.
async function refusal(token, name, args = {}) {
  const { body, text } = await modern(token, 'tools/call', { name, arguments: args });
  assert.equal(body.result?.isError, true, text);
  return body.result.content[0].text;
}

test('mcp1 mcp2 mcp19 mcp83 mcp111 discovery, and lists in a stable order', async () => {
  const token = tokenFor();
  const lists = {
    'server/discover': 'capabilities',
    'tools/list': 'tools',
    'resources/list': 'resources',
    'resources/templates/list': 'resourceTemplates',
    'prompts/list': 'prompts',
  };
  for (const [method, member] of Object.entries(lists)) {
    const [one, other] = [await modern(token, method), await modern(token, method)];
    assert.deepEqual([one.status, one.text], [200, other.text], method);
    const { result, id } = one.body;
    assert.deepEqual([id, result.resultType, result.ttlMs, result.cacheScope], [7, 'complete', 300_000, 'private']);
    assert.equal(result._meta[`${OF}/serverInfo`].name, 'edgechart');
    assert.ok(result[member], method);
    assert.ok(!('nextCursor' in result));
  }
  const { result } = (await modern(token, 'server/discover')).body;
  assert.deepEqual(result.supportedVersions, [MODERN]);
  const extensions = { [`${OF}/ui`]: { mimeTypes: [WIDGET] } };
  assert.deepEqual(result.capabilities, { tools: {}, resources: {}, prompts: {}, extensions });
  const { tools } = (await modern(token, 'tools/list')).body.result;
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['overview', 'query', 'trend', 'search', 'fetch', 'access'],
  );
  for (const { annotations, description, outputSchema, inputSchema } of tools) {
    assert.deepEqual(annotations, { readOnlyHint: true, openWorldHint: false });
    assert.ok(description.length < 600);
    assert.deepEqual([outputSchema.type, inputSchema.type], ['object', 'object']);
  }
});

test('mcp3 mcp4 mcp5 mcp6 mcp7 mcp8 mcp84 mcp86 mcp87 headers and _meta of modern requests', async () => {
  const token = tokenFor();
  const named = { name: 'access', arguments: {} };
  const base64 = `=?base64?${Buffer.from('access').toString('base64')}?=`;
  for (const [asked, status, code] of [
    [
      modern(token, 'tools/list', {}, { version: '1900-01-01', headers: { 'mcp-protocol-version': '1900-01-01' } }),
      400,
      -32022,
    ],
    [modern(token, 'tools/list', {}, { version: 'v999' }), 400, -32020],
    [modern(token, 'tools/list', {}, { headers: { 'mcp-method': '' } }), 400, -32020],
    [modern(token, 'tools/list', {}, { headers: { 'mcp-method': 'TOOLS/LIST' } }), 400, -32020],
    [modern(token, 'tools/call', named, { headers: { 'mcp-name': 'overview' } }), 400, -32020],
    [modern(token, 'tools/call', named, { headers: { 'mcp-name': base64 } }), 200],
    [modern(token, 'tools/call', named, { headers: { 'mcp-name': ' access ' } }), 200],
    [modern(token, 'tools/list', { _meta: undefined }), 400, -32602],
    [modern(token, 'tools/list', { _meta: { [`${OF}/protocolVersion`]: MODERN } }), 400, -32602],
    [modern(token, 'tools/unknown'), 404, -32601],
    [modern(token, 'subscriptions/listen'), 404, -32601],
  ]) {
    const { status: got, body, text } = await asked;
    assert.deepEqual([got, body.error?.code, body.id], [status, code, 7], text);
  }
  const { error } = (
    await modern(token, 'tools/list', {}, { version: '1900-01-01', headers: { 'mcp-protocol-version': '1900-01-01' } })
  ).body;
  assert.deepEqual(error.data, { supported: [MODERN], requested: '1900-01-01' });
});

test('mcp11 mcp12 mcp13 mcp18 mcp85 the legacy revisions', async () => {
  const token = tokenFor();
  for (const [asked, expected] of [
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
  ]) {
    const answer = await legacy(token, 'initialize', { protocolVersion: asked, capabilities: {}, clientInfo: {} });
    assert.equal(answer.body.result.protocolVersion, expected);
    assert.equal(answer.headers.get('mcp-session-id'), null);
    assert.ok(!('resultType' in answer.body.result));
  }
  const notified = await send(token, { jsonrpc: '2.0', method: 'notifications/initialized' });
  assert.deepEqual([notified.status, notified.text], [202, '']);
  const session = { 'mcp-session-id': 'x', 'last-event-id': '3' };
  const listed = await send(token, { jsonrpc: '2.0', id: 'a', method: 'tools/list' }, session);
  assert.deepEqual([listed.status, listed.body.id], [200, 'a']);
  assert.ok(!('ttlMs' in listed.body.result));
  for (const [method, code] of [
    ['ping', undefined],
    ['logging/setLevel', undefined],
    ['resources/subscribe', -32601],
  ]) {
    const old = await legacy(token, method);
    assert.deepEqual([old.status, old.body.error?.code], [200, code], method);
    const { status, body } = await modern(token, method);
    assert.deepEqual([status, body.error.code], [404, -32601], method);
  }
});

test('mcp10 mcp14 mcp15 mcp16 mcp17 mcp29 mcp52 malformed messages, other methods, and a preflight', async () => {
  const token = tokenFor();
  for (const [body, status, code] of [
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600],
    ['{"jsonrpc":"2.0","id":1}', 400, -32600],
    ['{', 400, -32700],
    [`{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`, 400, -32600],
  ]) {
    const answer = await send(token, body);
    assert.deepEqual([answer.status, answer.body.error.code], [status, code], body);
  }
  assert.equal((await send(token, '{}', { 'content-type': 'text/plain' })).status, 415);
  assert.equal((await send(token, `"${'x'.repeat(70_000)}"`)).status, 413);
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const { status, headers } = await server.reach('/mcp', { method, headers: { authorization: `Bearer ${token}` } });
    assert.deepEqual([status, headers.get('allow')], [405, 'POST, OPTIONS'], method);
  }
  const slash = await server.reach('/mcp/', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    redirect: 'manual',
  });
  assert.equal(slash.status, 200);
  const preflight = await server.reach('/mcp', {
    method: 'OPTIONS',
    headers: { 'access-control-request-headers': 'authorization, mcp-method, mcp-name, mcp-protocol-version' },
  });
  assert.equal(preflight.status, 204);
  assert.match(preflight.headers.get('access-control-allow-headers'), /mcp-method, mcp-name, mcp-protocol-version/);
});

test('mcp27 mcp32 mcp51 who may not ask: no token, a token in the address, a page of another origin', async () => {
  const { status, headers } = await send(undefined, { jsonrpc: '2.0', id: 1, method: 'ping' });
  assert.equal(status, 401);
  assert.match(
    headers.get('www-authenticate'),
    /resource_metadata="[^"]+\/\.well-known\/oauth-protected-resource\/mcp"/,
  );
  const token = tokenFor();
  assert.equal((await server.reach(`/mcp?access_token=${token}`, { method: 'POST', body: '{}' })).status, 401);
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  assert.equal((await send(token, ping, { origin: 'https://evil.example.com' })).status, 403);
  assert.equal((await send(token, ping, { origin: server.origin })).status, 200);
});

test('mcp20 mcp21 mcp22 mcp70 mcp106 arguments are checked, and never repeated', async () => {
  const token = tokenFor('patient/Observation.rs patient/Patient.rs', { patient: PATIENT, client: 'limited' });
  assert.equal((await modern(token, 'tools/call', { name: 'nothing' })).body.error.code, -32602);
  for (const [name, args, words] of [
    ['query', {}, /"type" is missing/],
    ['query', { type: 'Observation', limit: 'x' }, /"limit" is not of the type integer/],
    ['query', { type: 'Observation', limit: 101 }, /"limit" is from 1 to 100/],
    ['query', { type: 'Observation', '<b>evil</b>': 1 }, /no such argument. It takes: .*since/],
    ['query', { type: 'Coverage' }, /"type" is one of: .*Observation/],
    ['query', { type: 'Observation', filters: { '<b>evil</b>': 'x' } }, /code, /],
    ['query', { type: 'Observation', filters: { patient: 'other' } }, /search parameters of the type alone/],
    ['query', { type: 'Observation', since: 'yesterday' }, /"since" is no date/],
    ['trend', { measure: 'sodium', every: 'day' }, /"every" is one of: month, year/],
    ['access', { a: 1 }, /takes no arguments/],
  ]) {
    const said = await refusal(token, name, args);
    assert.match(said, words);
    assert.doesNotMatch(said, /evil|yesterday/);
  }
});

test('mcp23 mcp24 mcp56 mcp58 mcp60 the tools tell what the grant opens, and no more', async () => {
  const token = tokenFor();
  const overview = await call(token, 'overview');
  assert.deepEqual(
    overview.sections.map(({ name }) => name),
    ['allergies', 'problems', 'medications', 'results', 'vitals', 'visits'],
  );
  assert.ok(JSON.stringify(overview).length <= 8_000);
  assert.ok(overview.sections.every(({ facts, none }) => facts.length > 0 || none));
  const listed = await call(token, 'query', { type: 'Observation', filters: { category: 'laboratory' }, limit: 5 });
  const search = await server.ask(`Observation?patient=${PATIENT}&category=laboratory&_count=5&_total=accurate`, {
    token: server.token('patient/*.rs', { patient: PATIENT }),
  });
  assert.equal(listed.total, search.body.total);
  assert.deepEqual(
    listed.facts.map(({ ref }) => ref),
    search.body.entry.map(({ resource: { id, meta } }) => `Observation/${id}@${meta.versionId}`),
  );
  const vitals = tokenFor(
    'patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|vital-signs',
  );
  const { tools } = (await modern(vitals, 'tools/list')).body.result;
  assert.deepEqual(tools.find(({ name }) => name === 'query').inputSchema.properties.type.enum, ['Observation']);
  const some = await call(vitals, 'overview');
  assert.deepEqual(some.sections.find(({ name }) => name === 'results').facts, []);
  assert.ok(some.sections.find(({ name }) => name === 'vitals').facts.length > 0);
  assert.equal((await call(vitals, 'query', { type: 'Observation', filters: { category: 'laboratory' } })).total, 0);
  assert.match(await refusal(vitals, 'trend', { measure: 'hemoglobin a1c' }), /No such measure/);
});

test('mcp106 a query is of the types of which a search counts open records', async () => {
  const { body: statement } = await server.ask('metadata');
  const searched = statement.rest[0].resource.map(({ type, searchParam }) =>
    type === 'Patient' ? 'Patient?_id' : searchParam?.some(({ name }) => name === 'patient') && `${type}?patient`,
  );
  const category = 'Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category';
  for (const scope of [
    'patient/*.rs patient/Coverage.rs patient/Task.rs',
    `patient/${category}|laboratory`,
    `patient/${category}|none patient/Goal.rs`,
  ]) {
    const context = { patient: PATIENT, client: 'limited' };
    const [token, own] = [tokenFor(scope, context), server.token(scope, context)];
    const { tools } = (await modern(token, 'tools/list')).body.result;
    const listed = tools.find(({ name }) => name === 'query').inputSchema.properties.type.enum;
    const counted = [];
    for (const search of searched.filter(Boolean)) {
      const { body } = await server.ask(`${search}=${PATIENT}&_summary=count`, { token: own });
      if (body.total > 0) counted.push(search.split('?')[0]);
    }
    assert.deepEqual(listed.toSorted(), counted.toSorted(), scope);
    const said = await refusal(token, 'query', { type: 'Task' });
    assert.equal(said, `The argument "type" is one of: ${listed.join(', ')}.`);
  }
  const id = 'mcp-106';
  await modern(tokenFor(), 'tools/list', {}, { headers: { 'x-request-id': id } });
  const [{ event, tool, asked }] = await server.audit(id);
  assert.deepEqual([event, tool, asked], ['agent', undefined, [PATIENT]]);
});

test('mcp59 mcp72 a cursor is of its grant and its question', async () => {
  const token = tokenFor();
  const ids = new Set();
  let [next, pages, total] = [undefined, 0, 0];
  do {
    const page = await call(token, 'query', { type: 'Observation', limit: 100, ...(next ? { cursor: next } : {}) });
    assert.ok(JSON.stringify(page).length <= 8_000);
    for (const { ref } of page.facts) ids.add(ref);
    [next, total] = [page.next, page.total];
    pages += 1;
  } while (next && pages < 40);
  assert.equal(ids.size, total);
  const first = await call(token, 'query', { type: 'Observation', limit: 2 });
  const other = tokenFor('patient/Observation.rs', { patient: PATIENT, client: 'other' });
  assert.match(
    await refusal(other, 'query', { type: 'Observation', limit: 2, cursor: first.next }),
    /cursor does not fit/,
  );
});

test('mcp62 a user without a patient in context says whose record is meant', async () => {
  server.enrol({ 'dr-lindholm': [PATIENT, 'dana-begay'] });
  const token = tokenFor('user/*.rs', { user: 'dr-lindholm' });
  assert.match(await refusal(token, 'overview'), /Say whose record is meant, as "patient": .*amara-okafor/);
  assert.equal((await call(token, 'overview', { patient: PATIENT })).patient, PATIENT);
  const { total } = await call(token, 'query', { type: 'Condition', patient: PATIENT });
  assert.ok(total > 0);
  const { tools } = (await modern(token, 'tools/list')).body.result;
  assert.deepEqual(tools.map(({ name }) => name).includes('trend'), true);
});

test('mcp24 mcp75 numbers of a record keep their digits in both channels', async () => {
  const members = [
    '"resourceType":"Observation","id":"digits","status":"final","code":{"text":"x"}',
    `"subject":{"reference":"Patient/${PATIENT}"}`,
    '"valueQuantity":{"value":7.10,"unit":"mmol/L"}',
  ];
  server.loadText(`{${members.join()}}`);
  const asked = { name: 'fetch', arguments: { id: 'Observation/digits', raw: true } };
  const { text } = await modern(tokenFor(), 'tools/call', asked);
  assert.equal(text.split('\\"value\\":7.10').length, 2, text);
  assert.equal(text.split('"value":7.10').length, 2, text);
});

test('mcp53 mcp54 a closed type is asked for where the client could get it, or refused in words', async () => {
  const query = { name: 'query', arguments: { type: 'Coverage' } };
  const token = tokenFor('patient/Observation.rs', { patient: PATIENT, client: 'mcp-sandbox' });
  const { status, headers } = await modern(token, 'tools/call', query);
  assert.equal(status, 403);
  const challenge = headers.get('www-authenticate');
  assert.match(challenge, /error="insufficient_scope"/);
  assert.match(challenge, /scope="patient\/Observation.rs patient\/Coverage.rs"/);
  assert.match(challenge, /resource_metadata="/);
  const limited = tokenFor('patient/Observation.rs', { patient: PATIENT, client: 'limited' });
  assert.match(await refusal(limited, 'query', query.arguments), /is one of: Observation/);
});

test('mcp98 widgets are named to clients that show them, and hold no patient', async () => {
  const token = tokenFor();
  const shows = { extensions: { [`${OF}/ui`]: { mimeTypes: [WIDGET] } } };
  const widgetsFor = async (asked) =>
    (await asked).body.result.tools.flatMap(({ name, _meta }) => (_meta ? [[name, _meta.ui.resourceUri]] : []));
  assert.deepEqual(await widgetsFor(modern(token, 'tools/list', { _meta: meta(MODERN, shows) })), [
    ['overview', 'ui://edgechart/overview.html'],
    ['trend', 'ui://edgechart/trend.html'],
  ]);
  assert.deepEqual(await widgetsFor(modern(token, 'tools/list')), []);
  assert.deepEqual(await widgetsFor(legacy(token, 'tools/list')), []);
  for (const uri of ['ui://edgechart/overview.html', 'ui://edgechart/trend.html']) {
    const { result } = (await modern(token, 'resources/read', { uri })).body;
    assert.deepEqual([result.ttlMs, result.cacheScope], [300_000, 'public']);
    const [{ mimeType, text, _meta }] = result.contents;
    assert.deepEqual([mimeType, _meta], [WIDGET, { ui: { csp: {} } }]);
    assert.match(text, /^<!doctype html>/);
    assert.doesNotMatch(text, /(?:src|href)="?https?:|amara/i);
  }
});

test('mcp25 mcp26 mcp57 resources and prompts', async () => {
  const token = tokenFor();
  const nothing = ['test://nothing', 'chart://Condition/nothing', 'chart://Patient/other'];
  for (const uri of [...nothing, `chart://chart://Patient/${PATIENT}`]) {
    const { body } = await modern(token, 'resources/read', { uri });
    assert.deepEqual([body.error.code, body.error.data], [-32602, { uri }]);
  }
  const { contents } = (await modern(token, 'resources/read', { uri: 'chart://overview' })).body.result;
  assert.equal(JSON.parse(contents[0].text).patient, PATIENT);
  const reason = '<b>{{reason}}</b> [x](y)';
  const { messages } = (await modern(token, 'prompts/get', { name: 'before-a-visit', arguments: { reason } })).body
    .result;
  assert.ok(messages[0].content.text.endsWith(reason));
  for (const wrong of [[reason], { reason: 5 }]) {
    const { body } = await modern(token, 'prompts/get', { name: 'before-a-visit', arguments: wrong });
    assert.equal(body.error?.code, -32602, JSON.stringify(wrong));
  }
  assert.equal(
    await refusal(token, 'fetch', { id: 'Condition/nothing' }),
    await refusal(token, 'fetch', { id: 'Patient/other' }),
  );
});

test('mcp80 mcp81 the sixty-first call of a minute waits, and each call is one line of the audit log', async () => {
  const token = tokenFor('patient/*.rs', { patient: PATIENT, client: 'busy' });
  const id = 'mcp-81';
  await modern(
    token,
    'tools/call',
    { name: 'query', arguments: { type: 'Condition', filters: { code: 'secret' } } },
    {
      headers: { 'x-request-id': id },
    },
  );
  const [line, ...others] = await server.audit(id);
  assert.equal(others.length, 0);
  assert.deepEqual([line.event, line.tool, line.client, line.context], ['agent', 'query', 'busy', PATIENT]);
  assert.doesNotMatch(JSON.stringify(line), /secret/);
  let status = 200;
  for (let n = 0; n < 125 && status === 200; n += 1)
    ({ status } = await modern(token, 'tools/call', { name: 'access' }));
  const over = await modern(token, 'tools/call', { name: 'access' });
  assert.deepEqual([status, over.status, over.headers.get('retry-after')], [429, 429, '60']);
});

test('a grant has 2,000 calls a day, and then waits until the next one', async () => {
  const token = tokenFor('patient/*.rs', { patient: PATIENT, client: 'all-day' });
  const asked = () => modern(token, 'tools/call', { name: 'access' });
  assert.equal((await asked()).status, 200);
  const database = new DatabaseSync(server.db);
  const set = (count) => database.prepare('UPDATE guesses SET count = ? WHERE until % 86400 = 0').run(count);
  set(1_999);
  assert.equal((await asked()).status, 200);
  const { status, headers } = await asked();
  assert.equal(status, 429);
  const left = 86_400 - (Math.floor(Date.now() / 1_000) % 86_400);
  assert.ok(Math.abs(Number(headers.get('retry-after')) - left) < 60, headers.get('retry-after'));
  set(0);
  database.close();
});

test('mcp77 mcp110 mcp115 what is computed of each test is what an oracle computes of the FHIR records', async () => {
  const all = server.token('patient/*.rs', { patient: PATIENT });
  const records = [];
  let path = `Observation?patient=${PATIENT}&_count=200`;
  while (path) {
    const { body } = await server.ask(path, { token: all });
    records.push(...body.entry.map(({ resource }) => resource));
    path = body.link.find(({ relation }) => relation === 'next')?.url;
  }
  const isValid = ({ status }) => !['entered-in-error', 'cancelled'].includes(status);
  const isDated = (one) =>
    one.effectiveDateTime ?? one.effectivePeriod ?? one.effectiveTiming ?? one.effectiveInstant ?? one.issued;
  const measured = records.filter((one) => isValid(one) && isDated(one) && one.valueQuantity);
  const byCode = Object.groupBy(measured, ({ code }) => code.coding?.[0].code ?? '');
  let compared = 0;
  for (const [code, own] of Object.entries(byCode).filter(([code]) => code !== '')) {
    const { series } = await call(tokenFor(), 'trend', { measure: code, every: 'month' });
    const numbersOf = (...comparators) =>
      own.map((one) => one.valueQuantity).flatMap((of) => (comparators.includes(of.comparator?.[0]) ? of.value : []));
    const values = numbersOf(undefined);
    const exact = series.reduce((n, one) => n + one.n - (one.bounds ?? 0), 0);
    assert.equal(exact, values.length, code);
    const numbers = (name) =>
      series.filter((one) => one[name]).map((one) => Number(one[name].value.replace(/^[<>]=?/, '')));
    assert.equal(Math.min(...numbers('lowest')), Math.min(...numbersOf(undefined, '<')), code);
    assert.equal(Math.max(...numbers('highest')), Math.max(...numbersOf(undefined, '>')), code);
    for (const [one] of series.length === 1 && values.length > 0 ? [series] : []) {
      const mean = values.reduce((a, b) => a + b, 0) / values.length;
      const digits = one.mean.split('.')[1].length;
      assert.ok(Math.abs(Number(one.mean) - mean) <= 0.5001 * 10 ** -digits, `${code}: ${one.mean} is not ${mean}`);
      const ofPeriods = one.periods.reduce((n, { n: of }) => n + of, one.without_period ?? 0);
      assert.ok(one.periods_left_out ? ofPeriods < exact : ofPeriods === exact, code);
      compared += values.length;
    }
  }
  assert.ok(compared > 200, `${compared} values`);
  for (const type of ['Encounter', 'MedicationRequest', 'Condition', 'Observation']) {
    for (const since of ['2020', '2024-01']) {
      const date = { Condition: 'onset-date', MedicationRequest: 'authoredon' }[type] ?? 'date';
      const question = `${type}?patient=${PATIENT}&${date}=ge${since}&_count=0&_total=accurate`;
      const { body } = await server.ask(question, { token: all });
      assert.equal((await call(tokenFor(), 'query', { type, since, limit: 1 })).total, body.total, question);
    }
  }
});

const keysOfServer = async () => (await server.reach('/oauth/jwks.json')).json();

test('mcp102 a receipt is verified by another library, and not once a letter differs', async () => {
  const token = tokenFor('patient/*.rs', { patient: PATIENT, client: 'receipts' });
  const jwks = await keysOfServer();
  for (const [tool, args] of [
    ['overview', {}],
    ['trend', { measure: '4548-4' }],
    ['query', { type: 'Observation', limit: 100 }],
    ['fetch', { id: `Patient/${PATIENT}` }],
  ]) {
    const { receipt, ...result } = await call(token, tool, args);
    assert.ok(receipt.length <= 1_500, `${tool}: ${receipt.length}`);
    const { protectedHeader, payload } = await compactVerify(receipt, createLocalJWKSet(jwks));
    assert.equal(JSON.parse(inflateRawSync(payload)).tool, tool);
    assert.deepEqual([protectedHeader.typ, protectedHeader.zip], ['receipt+jws', 'DEF']);
    assert.deepEqual(receiptsIn(`The receipt is ${receipt}.`), [receipt]);
    const read = await verified(receipt, jwks.keys);
    assert.equal(read.day, result.now.slice(0, 10));
    assert.ok(read.facts.length >= Math.min(read.total, 8), `${tool}: ${read.facts.length} of ${read.total}`);
    const middle = Math.floor(receipt.length / 2);
    const changed = receipt.slice(0, middle) + (receipt[middle] === 'A' ? 'B' : 'A') + receipt.slice(middle + 1);
    await assert.rejects(compactVerify(changed, createLocalJWKSet(jwks)));
    assert.equal(await verified(changed, jwks.keys), 'signature');
  }
  assert.equal('receipt' in (await call(token, 'access')), false);
  const id = 'mcp-102';
  await modern(token, 'tools/call', { name: 'overview' }, { headers: { 'x-request-id': id } });
  assert.match((await server.audit(id))[0].receipt, /^[0-9a-f]{32}$/);
});

test('mcp103 in each of 120 answers with an altered fact it is found, and the unaltered ones are right', async () => {
  const token = () => tokenFor('patient/*.rs', { patient: PATIENT, client: 'answers' });
  const { keys } = await keysOfServer();
  const tests = (await refusal(token(), 'trend', { measure: 'no such' })).match(/(?<=code )[\w-]+/g);
  const days = { en: 'en-US', es: 'es-ES' };
  const written = (when, language) =>
    when.length < 10
      ? when.slice(0, 7)
      : new Intl.DateTimeFormat(days[language], { dateStyle: 'long', timeZone: 'UTC' }).format(
          new Date(`${when.slice(0, 10)}T00:00:00Z`),
        );
  const other = (number) => number.replace(/\d(?=\D*$)/, (digit) => (Number(digit) + 3) % 10);
  const later = (when) =>
    when.length < 10 ? '1999-01' : new Date(Date.parse(when.slice(0, 10)) + 40 * 86_400_000).toISOString().slice(0, 10);
  let [answers, found] = [0, 0];
  for (const measure of tests) {
    const { series, receipt } = await call(token(), 'trend', { measure });
    const { facts, day } = await verified(receipt, keys);
    const wrong = (text) => judged(text, facts, [day]).filter(({ mark }) => mark === 'other' || mark === 'absent');
    const right = (text) => judged(text, facts, [day]).filter(({ mark }) => mark === 'same');
    for (const { name, first, last, highest, mean, n, unit = '' } of series) {
      if (!name || !last) continue;
      const sentences = [
        (v = last.value, d = last.when) => `Your last ${name} was ${v} ${unit} on ${written(d, 'en')}.`,
        (v = highest.value, d = highest.when) => `On ${written(d, 'en')} the ${name} was highest: ${v} ${unit}.`,
        (v = first.value, d = first.when) => `Su primer valor de ${name} fue ${v} ${unit} el ${written(d, 'es')}.`,
        (v = mean) => `The mean of ${n} results of ${name} is ${v} ${unit}.`,
      ];
      for (const [at, sentence] of sentences.entries()) {
        const value = [last.value, highest.value, first.value, mean][at];
        const date = [last.when, highest.when, first.when][at];
        assert.deepEqual(wrong(sentence()), [], sentence());
        assert.ok(right(sentence()).length > 0, sentence());
        for (const altered of [sentence(other(value)), ...(date ? [sentence(value, later(date))] : [])]) {
          answers += 1;
          if (wrong(altered).length > 0) found += 1;
          else assert.fail(`${altered} ${JSON.stringify(judged(altered, facts))}`);
        }
      }
    }
  }
  assert.ok(answers >= 120, `${answers} answers`);
  assert.equal(found, answers);
});

test('mcp116 without the Worker that reads, a tool says so, and searches work', async () => {
  const broken = [{ type: 'ESModule', path: 'build/reading.js', contents: 'export default {};' }];
  const other = await stage({ data: ['sample'], reading: broken });
  try {
    const token = other.token('patient/*.rs', { patient: PATIENT, mcp: true });
    const answer = await other.reach('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'overview' } }),
    });
    const { result } = await answer.json();
    assert.equal(result.isError, true);
    assert.match(result.content[0].text, /Searches by FHIR work as before/);
    const own = other.token('patient/*.rs', { patient: PATIENT });
    assert.equal((await other.ask(`Condition?patient=${PATIENT}`, { token: own })).status, 200);
  } finally {
    await other.close();
  }
});
