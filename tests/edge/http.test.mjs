// HTTP: A22 of docs/security.md. The cases test the contents of answers.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { raw } from '../../tools/server/raw.mjs';
import { BASE, ndjson, stage } from '../../tools/server/stage.mjs';

const FORM = 'application/x-www-form-urlencoded';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const resources = [
  { resourceType: 'Patient', id: 'a', meta: { versionId: '7', lastUpdated: '2024-02-29T12:00:00.5+02:00' } },
  { resourceType: 'Patient', id: 'b', meta: { versionId: '7' } },
  ...['1', '2', '3'].map((id) => ({
    resourceType: 'Observation',
    id,
    status: 'final',
    code: { text: 'x' },
    subject: { reference: 'Patient/a' },
  })),
];
/// One address of each kind of answer: [what, path, whether it needs a token, status].
const KINDS = [
  ['a read', '/fhir/r4/Patient/a', true, 200],
  ['a search', '/fhir/r4/Observation?_count=1', true, 200],
  ['an empty search', '/fhir/r4/Condition', true, 200],
  ['a resource that is not there', '/fhir/r4/Patient/nobody', true, 404],
  ['a resource of another', '/fhir/r4/Patient/b', true, 404],
  ['an encoded letter of an id', '/fhir/r4/Patient/%61', true, 200],
  ['a route that is not there', '/fhir/r4/Foo', true, 404],
  ['the base', '/fhir/r4', false, 404],
  ['the base and a slash', '/fhir/r4/', false, 404],
  ['an address that is not there', '/foo', false, 404],
  ['a bad search', '/fhir/r4/Patient?foo=1', true, 400],
  ['a bad escape', '/fhir/r4/Patient?name=%zz', true, 400],
  ['a closed type', '/fhir/r4/MedicationDispense', true, 401],
  ['no token', '/fhir/r4/Patient/a', false, 401],
  ['another form', '/fhir/r4/Patient?_format=xml', true, 406],
  ['a search by GET of what takes a form', '/fhir/r4/Patient/_search', true, 405],
  ['the capabilities', '/fhir/r4/metadata', false, 200],
  ['the capabilities and a slash', '/fhir/r4/metadata/', false, 200],
  ['SMART configuration', '/fhir/r4/.well-known/smart-configuration', false, 200],
  ['SMART configuration of a base with a slash', '/fhir/r4//.well-known/smart-configuration', false, 200],
  ['the keys', '/oauth/jwks.json', false, 200],
  ['the identity provider', '/.well-known/openid-configuration', false, 200],
  ['the authorization server', '/.well-known/oauth-authorization-server', false, 200],
  ['the sandbox', '/sandbox.json', false, 200],
  ['the token endpoint', '/oauth/token', false, 405],
  ['IN14 introspection', '/oauth/introspect', false, 405],
  ['an address of the authorization server that is not there', '/oauth/foo', false, 404],
  ['health', '/healthz', false, 200],
  ['readiness', '/readyz', false, 200],
  ['the version', '/version', false, 200],
];
const PUBLIC = [
  'the capabilities',
  'the capabilities and a slash',
  'SMART configuration',
  'SMART configuration of a base with a slash',
  'the keys',
  'the identity provider',
  'the authorization server',
  'the sandbox',
];

const get = (path, { token = A, ...init } = {}) =>
  raw(server.url, path.startsWith('/') ? path : `/fhir/r4/${path}`, {
    ...init,
    headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...init.headers },
  });
const plain = (answer, ...without) =>
  Object.fromEntries(
    [...answer.headers]
      .filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive', ...without].includes(name))
      // Each tag of a search is sealed anew.
      .map(([name, value]) => [name, name === 'etag' ? value.replace(/^W\/"[\w-]{43}"$/, 'sealed') : value]),
  );

// Each request reads from D1, and sees loaded data at once.
const server = await stage({ vars: { FRESH_SECONDS: '0' } });
server.loadText(ndjson(...resources));
const A = server.token('patient/*.read', { patient: 'a' });
after(() => server.close());

/// Headers that a page of another origin may read.
const EXPOSED = [
  ...['WWW-Authenticate', 'Content-Location', 'ETag', 'Last-Modified', 'Link', 'Retry-After', 'Server-Timing'],
  ...['X-Progress', 'X-Request-Id'],
];

test('every kind of answer has its status and headers, and a page of any origin may read it', async () => {
  for (const [what, path, wants, status] of KINDS) {
    const answer = await get(path, { token: wants && A, headers: { origin: 'https://app.example.evil' } });
    assert.equal(answer.status, status, what);
    const exposed = answer.headers.get('access-control-expose-headers').split(', ');
    for (const name of EXPOSED) assert.ok(exposed.includes(name), name);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', what);
    assert.match(answer.headers.get('strict-transport-security'), /^max-age=\d{8,}/, what);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*', what);
    assert.match(answer.headers.get('x-request-id'), UUID, what);
    assert.match(
      answer.headers.get('cache-control'),
      PUBLIC.includes(what) ? /^public, max-age=\d+$/ : /^no-store$/,
      what,
    );
    for (const name of ['Authorization', 'Accept', 'Prefer', 'Origin']) {
      assert.ok(answer.headers.get('vary').includes(name), what);
    }
    for (const name of ['set-cookie', 'server', 'x-powered-by', 'access-control-allow-credentials']) {
      assert.ok(!answer.headers.has(name), `${what}: ${name}`);
    }
    assert.match(answer.headers.get('content-type'), /json/, what);
    assert.ok(answer.body, what);
    if (path.startsWith('/fhir/r4/') && status >= 400) assert.equal(answer.body.resourceType, 'OperationOutcome', what);
    assert.equal(answer.headers.has('allow'), status === 405, what);
    assert.equal(answer.headers.has('www-authenticate'), status === 401, what);
  }
});

test('C14 a page is neither stored, nor framed, nor read by another origin', async () => {
  for (const [path, status] of [
    ['/oauth/authorize', 400],
    ['/oauth/manage', 200],
    ['/sandbox/launch', 200],
  ]) {
    const { status: said, headers } = await get(path, { token: null, headers: { origin: 'https://app.example' } });
    assert.equal(said, status, path);
    assert.match(headers.get('content-type'), /^text\/html/, path);
    const kept = Object.fromEntries(
      ['cache-control', 'pragma', 'vary', 'x-frame-options', 'referrer-policy', 'x-content-type-options'].map(
        (name) => [name, headers.get(name)],
      ),
    );
    assert.deepEqual(
      kept,
      {
        'cache-control': 'no-store',
        pragma: 'no-cache',
        vary: 'Cookie, Accept-Language',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      },
      path,
    );
    assert.match(headers.get('content-security-policy'), /^default-src 'none'; .*frame-ancestors 'none'/, path);
    assert.ok(![...headers.keys()].some((name) => name.startsWith('access-control-')), path);
  }
  const style = await get('/oauth/style.css', { token: null });
  assert.deepEqual(
    [style.status, style.headers.get('content-type'), style.headers.get('cache-control')],
    [200, 'text/css; charset=utf-8', 'public, max-age=3600'],
  );
});

test('HEAD answers as GET does, without the body', async () => {
  for (const [what, path, wants] of KINDS) {
    const [whole, head] = [
      await get(path, { token: wants && A }),
      await get(path, { token: wants && A, method: 'HEAD' }),
    ];
    assert.equal(head.status, whole.status, what);
    assert.equal(head.text, '', what);
    assert.deepEqual(plain(head, 'content-length'), plain(whole, 'content-length'), what);
  }
});

test('no link comes from the request', async () => {
  const evil = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'gopher',
    'x-forwarded-port': '666',
    'x-forwarded-prefix': '/evil',
    'x-forwarded-for': '6.6.6.6',
    forwarded: 'host=evil.example;proto=gopher',
    'x-original-url': '/evil',
    'x-rewrite-url': '/evil',
    'x-original-host': 'evil.example',
    origin: 'https://evil.example',
    referer: 'https://evil.example/',
  };
  for (const [what, path, wants] of KINDS) {
    const [asked, usual] = [
      await get(path, { token: wants && A, headers: evil }),
      await get(path, { token: wants && A }),
    ];
    assert.equal(asked.status, usual.status, what);
    for (const value of [asked.text, ...Object.values(plain(asked))]) {
      assert.doesNotMatch(value, /evil|gopher|:666|6\.6\.6\.6/, what);
    }
    assert.deepEqual(plain(asked), plain(usual), what);
  }
  const { body } = await get('Observation?_count=1', { headers: evil });
  for (const { url } of body.link) assert.ok(url.startsWith(`${BASE}/Observation?`), url);
  assert.deepEqual(
    body.link.map(({ relation }) => relation),
    ['self', 'next'],
  );
  assert.equal(body.entry[0].fullUrl, `${BASE}/Observation/1`);
});

test('OPTIONS names the methods and headers that a browser may send', async () => {
  for (const [path, methods] of [
    ['/fhir/r4/Patient/a', 'GET, HEAD, OPTIONS'],
    ['/fhir/r4/Patient/_search', 'POST, OPTIONS'],
    ['/oauth/token', 'POST, OPTIONS'],
  ]) {
    const headers = {
      origin: 'https://app.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization, prefer, x-request-id',
    };
    const answer = await get(path, { token: null, method: 'OPTIONS', headers });
    assert.equal(answer.status, 204, path);
    assert.equal(answer.text, '');
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.equal(answer.headers.get('access-control-allow-methods'), methods, path);
    assert.equal(answer.headers.get('allow'), methods);
    const allowed = answer.headers
      .get('access-control-allow-headers')
      .split(', ')
      .map((name) => name.toLowerCase());
    for (const name of ['authorization', 'accept', 'content-type', 'if-none-match', 'prefer', 'x-request-id']) {
      assert.ok(allowed.includes(name), name);
    }
    assert.ok(Number(answer.headers.get('access-control-max-age')) >= 600);
    assert.ok(!answer.headers.has('access-control-allow-credentials') && !answer.headers.has('content-type'));
  }
});

test('any other method is refused, with the list of those that are allowed', async () => {
  for (const method of ['PUT', 'DELETE', 'TRACE', 'QUERY']) {
    for (const [path, methods] of [
      ['Patient/a', 'GET, HEAD, OPTIONS'],
      ['Patient/_search', 'POST, OPTIONS'],
    ]) {
      for (const token of [A, null]) {
        const answer = await get(path, { token, method });
        if (answer.status === 501) continue; // the runtime itself does not know the method
        assert.equal(answer.status, 405, `${method} ${path}`);
        assert.equal(answer.headers.get('allow'), methods, `${method} ${path}`);
        assert.equal(answer.body.issue[0].code, 'not-supported');
      }
    }
  }
});

test('a body of a GET is ignored', async () => {
  for (const body of ['{"resourceType":"Patient"}', 'patient=b', Buffer.from([0, 255])]) {
    const answer = await get('Patient', {
      headers: { 'content-type': FORM, 'content-length': Buffer.byteLength(body) },
      body,
    });
    assert.equal(answer.status, 200);
    assert.deepEqual(
      answer.body.entry.map((entry) => entry.resource.id),
      ['a'],
    );
  }
});

test('a form is a search, however it is sent', async () => {
  const ids = (answer) => answer.body.entry.map((entry) => entry.resource.id);
  const expected = ids(await get('Observation?_count=2'));
  for (const headers of [
    { 'content-type': FORM },
    { 'content-type': `${FORM}; charset=utf-8`, 'transfer-encoding': 'chunked' },
  ]) {
    const answer = await get('Observation/_search', { method: 'POST', headers, body: '_count=2' });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(ids(answer), expected);
  }
});

test('the parameters of an operation may be a resource', async () => {
  const post = (body, type = 'application/fhir+json') =>
    get('Patient/a/$everything', { method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(body) });
  const of = (...parameter) => ({ resourceType: 'Parameters', parameter });
  const ids = (answer) => answer.body.entry.map(({ resource }) => `${resource.resourceType}/${resource.id}`);
  const limited = of({ name: '_type', valueString: 'Observation' }, { name: '_count', valueInteger: 2 });
  for (const type of ['application/fhir+json', 'application/json; charset=utf-8']) {
    const answer = await post(limited, type);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(ids(answer), ['Observation/1', 'Observation/2']);
    const next = answer.body.link.find(({ relation }) => relation === 'next').url;
    assert.match(next, /everything\?_type=Observation&_count=2&_cursor=/);
    assert.deepEqual(ids(await get(next.slice(BASE.length + 1))), ['Observation/3']);
  }
  assert.equal(ids(await post({ resourceType: 'Parameters' })).filter((id) => id === 'Patient/a').length, 1);
  for (const body of [{ resourceType: 'Patient' }, of({ name: 'start', valuePeriod: {} }), of({ valueString: 'x' })]) {
    const answer = await post(body);
    assert.deepEqual([answer.status, answer.body.issue[0].code], [400, 'structure'], JSON.stringify(body));
  }
  assert.equal((await post(limited, 'text/plain')).status, 415);
});

test('a body that is too long is refused, with or without Content-Length', async () => {
  const body = `code=${'x'.repeat(70_000)}`;
  for (const headers of [{ 'content-length': body.length }, { 'transfer-encoding': 'chunked' }]) {
    const answer = await get('Observation/_search', {
      method: 'POST',
      headers: { 'content-type': FORM, ...headers },
      body,
    });
    assert.equal(answer.status, 413);
    assert.equal(answer.body.issue[0].code, 'too-costly');
  }
  const bytes = await get('Observation/_search', {
    method: 'POST',
    headers: { 'content-type': FORM },
    body: Buffer.from([0x63, 0x3d, 0xff]),
  });
  assert.equal(bytes.status, 400);
  assert.equal(bytes.body.issue[0].code, 'structure');
});

test('a path is taken as it is', async () => {
  for (const path of [
    '/fhir/r4/../../etc/passwd',
    '/fhir/r4/%2e%2e/%2e%2e/etc/passwd',
    '/fhir/r4/Patient/..%2f..%2fx',
    '//fhir/r4/Patient/a',
    '/fhir/r4/%50atient/a',
    '/fhir/r4/Patient;x=1/a',
    '/fhir/r4/Patient/a%00',
    '/fhir/r4/Patient/a%0d%0aX-Evil:1',
    '/fhir/r4/Patient%3fname=x',
  ]) {
    const answer = await get(path);
    assert.equal(answer.status, 404, path);
    assert.equal(answer.body.resourceType, 'OperationOutcome', path);
    assert.ok(!answer.headers.has('x-evil') && !answer.text.includes('"a"'), path);
  }
});

test('a reflected value splits no header', async () => {
  for (const path of [
    'Patient?name=%0d%0aX-Evil:%201',
    'Patient?_sort=%0d%0aX-Evil:%201',
    'Patient?%0d%0aX-Evil:%201=x',
    'Patient?_cursor=%0d%0aX-Evil:%201',
    'Patient/%0d%0aX-Evil:%201',
  ]) {
    const answer = await get(path, { headers: { prefer: 'handling=lenient' } });
    assert.ok(!answer.headers.has('x-evil') && answer.status < 500, path);
  }
  const request = [
    'GET /fhir/r4/Patient HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${A}`,
    'X-Request-Id: a\tb',
    'Connection: close',
  ];
  const split = await exactly(`${request.join('\r\n')}\r\n\r\n`);
  assert.match(split, /^HTTP\/1\.1 200 /);
  assert.match(/^x-request-id: (.*)\r$/im.exec(split)[1], UUID);
});

/// Sends the text unchanged, and resolves to the text of the answer.
function exactly(text) {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const chunks = [];
    const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', () => resolve(Buffer.concat(chunks).toString()));
    socket.on('error', reject);
  });
}

test('a request has an id, its own where that is safe', async () => {
  for (const name of ['abc', 'A-1_b.2', 'x'.repeat(64), '3f2c1a9e-0000-4000-8000-000000000000']) {
    assert.equal((await get('Patient/a', { headers: { 'x-request-id': name } })).headers.get('x-request-id'), name);
    assert.equal((await get('/foo', { headers: { 'x-request-id': name } })).headers.get('x-request-id'), name);
  }
  for (const name of ['', 'a b', 'a"b', '<script>', 'é', 'x'.repeat(65), '%0d%0a']) {
    const given = (
      await get('Patient/a', { headers: { 'x-request-id': Buffer.from(name, 'utf8').toString('latin1') } })
    ).headers.get('x-request-id');
    assert.match(given, UUID, name);
  }
  const names = await Promise.all(
    Array.from({ length: 20 }, () => get('Patient/a').then((answer) => answer.headers.get('x-request-id'))),
  );
  assert.equal(new Set(names).size, 20);
});

test('a read has a tag and a date, and is not sent again to a client that has it', async () => {
  const whole = await get('Patient/a');
  assert.equal(whole.headers.get('etag'), 'W/"7"');
  assert.equal(whole.headers.get('last-modified'), 'Thu, 29 Feb 2024 10:00:00 GMT');
  for (const tags of ['W/"7"', ' W/"7" ,"9"', '*']) {
    const answer = await get('Patient/a', { headers: { 'if-none-match': tags } });
    assert.equal(answer.status, 304, tags);
    assert.equal(answer.text, '');
    assert.equal(answer.headers.get('etag'), 'W/"7"');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.ok(!answer.headers.has('content-type'));
    assert.equal((await get('Patient/a', { method: 'HEAD', headers: { 'if-none-match': tags } })).status, 304);
  }
  for (const tags of ['W/"8"', '7', 'nonsense']) {
    assert.equal((await get('Patient/a', { headers: { 'if-none-match': tags } })).status, 200, tags);
  }
});

test('ranges and dates of requests change nothing', async () => {
  const whole = await get('Patient/a');
  for (const headers of [
    { range: 'bytes=0-3' },
    { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
    { 'if-match': '"9"' },
    { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    { 'if-range': '"7"', range: 'bytes=0-3' },
    { te: 'trailers' },
    { expect: 'nothing' },
  ]) {
    const answer = await get('Patient/a', { headers });
    assert.equal(answer.text, whole.text, Object.keys(headers)[0]);
    assert.equal(answer.status, 200);
  }
});

test('a hundred requests at once each get their own answer', async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, at) =>
      get(`Observation?_id=${(at % 3) + 1}`, { headers: { 'x-request-id': `r${at}` } }),
    ),
  );
  for (const [at, answer] of answers.entries()) {
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('x-request-id'), `r${at}`);
    assert.deepEqual(
      answer.body.entry.map((entry) => entry.resource.id),
      [String((at % 3) + 1)],
    );
  }
});

test('an answer states its cost in rows and trips, and no statement', async () => {
  for (const path of [
    'Patient/a',
    'Observation?_count=1',
    'Condition',
    'Patient/nobody',
    'Patient/b',
    'Patient?_summary=count',
  ]) {
    assert.match((await get(path)).headers.get('server-timing'), /^d1;desc="rows_read=\d+, trips=1"$/, path);
  }
  assert.equal(
    (await get('Patient/b')).headers.get('server-timing'),
    (await get('Patient/nobody')).headers.get('server-timing'),
  );
  for (const path of ['Foo', 'Patient?foo=1', 'MedicationDispense']) {
    assert.ok(!(await get(path)).headers.has('server-timing'), path);
  }
});

test('numbers, escapes and blanks are sent as they were loaded', async () => {
  const text =
    '{"id":"exact","status":"final","code":{"text":"\\u00e9\\/ \\ud83d\\ude00 é\\n"},' +
    '"subject":{"reference":"Patient/a"},"resourceType":"Observation",' +
    '"valueQuantity":{"value":1.0E+2,"unit":" \\t"},"x":[0.40, -1E-22,12345678901234567890]}';
  server.loadText(text);
  const answer = await get('Observation/exact');
  for (const part of ['"value":1.0E+2', '0.40', '-1E-22', '12345678901234567890', '\\ud83d\\ude00 é\\n']) {
    assert.ok(answer.text.includes(part), `${part}: ${answer.text}`);
  }
  const bundle = await get('Observation?_id=exact');
  assert.ok(bundle.text.includes(answer.text));
});

test('a compressed answer, where the runtime makes one, has the same body', async () => {
  const [fetched, sent] = [
    await fetch(`${server.url}/fhir/r4/Patient/a`, {
      headers: { authorization: `Bearer ${A}`, 'accept-encoding': 'gzip, br' },
    }),
    await get('Patient/a'),
  ];
  assert.equal(await fetched.text(), sent.text);
});
