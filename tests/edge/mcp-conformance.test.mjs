// The official conformance suite of the Model Context Protocol, and its client, against the Worker. The suite sends no
// token, so that a stub adds one and changes nothing else. The baseline names what fails, since the server has no
// fixtures of the suite.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { after, before, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { freePort } from '../../tools/server/port.mjs';
import { stage } from '../../tools/server/stage.mjs';
import { generator } from '../oracle/rows.mjs';
import { Browser, formsOf, passwordOf, through } from '../server/browser.mjs';

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
let server, stub, origin, token;
before(async () => {
  stub = createServer((asked, answer) => {
    const { port } = new URL(server.url);
    const headers = { ...asked.headers, ...(asked.url === '/mcp' && { authorization: `Bearer ${token}` }) };
    const passed = request({ port, path: asked.url, method: asked.method, headers }, (got) => {
      answer.writeHead(got.statusCode, got.headers);
      got.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  stub.listen(0);
  await once(stub, 'listening');
  origin = `http://localhost:${stub.address().port}`;
  server = await stage({ data: ['sample'], vars: { ORIGIN: origin }, limits: { AGENT: 10_000 } });
  token = server.token('patient/*.rs', { patient: 'amara-okafor', mcp: true });
});
after(async () => {
  stub.closeAllConnections();
  stub.close();
  await server.close();
});

/// Runs the suite, and resolves to its status and output. `said` is called with the output so far.
async function run(words, said = () => {}) {
  const suite = spawn(process.execPath, [SUITE, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [suite.stdout, suite.stderr]) {
    stream.on('data', (part) => {
      output += part;
      said(output);
    });
  }
  const [status] = await once(suite, 'close');
  return { status, output };
}

for (const [number, revision] of [
  ['mcp90', '2026-07-28'],
  ['mcp91', '2025-11-25'],
]) {
  test(`${number} the suite of ${revision} fails only by the baseline, which has no stale line`, async () => {
    const baseline = ['--expected-failures', `tests/edge/mcp-${revision}.yml`];
    const asked = ['server', '--url', `${origin}/mcp`, '--requirements', revision, ...baseline];
    const { status, output } = await run(asked);
    assert.equal(status, 0, output.slice(-4_000));
  });
}

test('mcp92 mcp93 the scenarios of the authorization server succeed', async () => {
  let isSignedIn = false;
  /// Signs in at the address that the suite prints, and allows the access.
  const signIn = (output) => {
    const address = /http\S+\/oauth\/authorize\?\S+/.exec(output)?.[0];
    if (!address || isSignedIn) return;
    isSignedIn = true;
    void (async () => {
      const browser = new Browser(origin);
      const [form] = formsOf((await browser.authorize(Object.fromEntries(new URL(address).searchParams))).text);
      const page = await browser.submit(form, { username: 'amara', password: passwordOf('amara') });
      await fetch((await through(browser, page)).location);
    })();
  };
  const client = ['--client-id', 'mcp-sandbox', '--port', String(await freePort())];
  const { status, output } = await run(
    ['authorization', '--url', origin, '--resource', `${origin}/mcp`, ...client],
    signIn,
  );
  assert.equal(status, 0, output.slice(-4_000));
  assert.doesNotMatch(output, /WARNING|FAILURE/, output.slice(-4_000));
});

test('mcp112 mutated messages are answered or refused with their id, and never fail', async () => {
  const roll = generator('messages');
  const random = (n) => Math.floor(roll() * n);
  const { port } = new URL(server.url);
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const calls = [
    ['tools/list', {}],
    ['tools/call', { name: 'query', arguments: { type: 'Condition', filters: { code: 'x' }, limit: 3 } }],
    ['tools/call', { name: 'trend', arguments: { measure: '4548-4', every: 'year' } }],
    ['resources/read', { uri: 'chart://Patient/amara-okafor' }],
    ['prompts/get', { name: 'before-a-visit', arguments: { reason: 'x' } }],
  ];
  const odd = [null, true, -1, 1e9, '', '\u202e', 'a'.repeat(3_000), [], [[]], {}, { $ref: '#' }, '../../x', '%00'];
  /// Puts an odd value in the place of one of the members of a value, at any depth.
  const mutated = (value) => {
    if (typeof value !== 'object' || value === null || random(4) === 0) return odd[random(odd.length)];
    const copy = structuredClone(value);
    const names = Object.keys(copy);
    const name = names[random(names.length)] ?? 'more';
    copy[name] = mutated(copy[name]);
    return copy;
  };
  const send = (id) => {
    const [method, params] = calls[random(calls.length)];
    const message = mutated({ jsonrpc: '2.0', method, params: random(2) ? { _meta: meta, ...params } : params });
    const text = JSON.stringify(message === null || typeof message !== 'object' ? message : { ...message, id });
    const body = random(8) === 0 ? text.slice(0, random(text.length)) : text;
    const modern = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': params.name ?? params.uri ?? '',
    };
    const headers = {
      ...{ host: new URL(origin).host, 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(random(2) && modern),
    };
    return new Promise((done, fail) => {
      const asked = request({ port, path: '/mcp', method: 'POST', headers, agent }, async (answer) => {
        const parts = await answer.toArray();
        done({ id, body, status: answer.statusCode, text: Buffer.concat(parts).toString() });
      });
      asked.on('error', fail);
      asked.end(body);
    });
  };
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  for (let sent = 0; sent < 2_000; sent += 50) {
    for (const { id, body, status, text } of await Promise.all(Array.from({ length: 50 }, (_, n) => send(sent + n)))) {
      assert.ok(status < 500, `${status} ${body}`);
      const answer = text === '' ? undefined : JSON.parse(text);
      if (answer?.jsonrpc) assert.ok([id, null, undefined].includes(answer.id), `${body}: ${text}`);
      if (status === 200) assert.ok('result' in answer || 'error' in answer, text);
    }
  }
  agent.destroy();
});

test('mcp89 a foreign host on this computer is refused', async () => {
  const { port } = new URL(server.url);
  const ask = async (host, page) => {
    const headers = { host, origin: page, 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const asked = request({ port, path: '/mcp', method: 'POST', headers });
    asked.end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    const [answer] = await once(asked, 'response');
    answer.resume();
    return answer.statusCode;
  };
  assert.equal(await ask(new URL(origin).host, origin), 200);
  assert.equal(await ask('evil.example.com', origin), 403);
  assert.equal(await ask(new URL(origin).host, 'http://evil.example.com'), 403);
});

for (const [mode, era] of [
  ['auto', 'modern'],
  ['legacy', 'legacy'],
]) {
  test(`mcp82 the client of the protocol calls tools in the ${era} era`, async () => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit: { headers } }));
    try {
      const { tools } = await client.listTools();
      assert.equal(tools.length, 6);
      const { structuredContent, isError } = await client.callTool({ name: 'overview', arguments: {} });
      assert.deepEqual([isError, structuredContent.patient], [false, 'amara-okafor']);
      const { contents } = await client.readResource({ uri: 'chart://overview' });
      assert.equal(contents.length, 1);
      const { prompts } = await client.listPrompts();
      assert.equal(prompts.length, 2);
    } finally {
      await client.close();
    }
  });
}
