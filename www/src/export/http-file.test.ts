import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { Words } from '#reading/language/words.ts';
import type { Exchange } from '../http/exchange.ts';
import { spanish } from '../language/es/catalogue.ts';
import { pageLanguage } from '../language/language.ts';
import { httpFile } from './http-file.ts';

const english = pageLanguage.value;
afterEach(() => {
  pageLanguage.value = english;
});

const BASE = 'https://x.example/fhir/r4';
const PLACE = 'https://x.example/#/developers';
const request = (more: Partial<Exchange>): Exchange => ({
  where: 'edge',
  method: 'GET',
  url: `${BASE}/Patient/a`,
  headers: { Accept: 'application/fhir+json', Authorization: 'Bearer eyJhbGc…' },
  at: new Date('2026-08-03T10:00:00.123Z'),
  status: 200,
  answerHeaders: {},
  text: '',
  body: { resourceType: 'Patient', id: 'a' },
  ms: 1,
  bytes: 1,
  ...more,
});
const matches = (count: number): unknown => ({
  resourceType: 'Bundle',
  entry: Array.from({ length: count }, (_, i) => ({
    resource: { resourceType: 'X', id: `${i}` },
    search: { mode: 'match' },
  })),
});

test('requests are written oldest first, with their outcome and without a token', () => {
  const file = httpFile(
    [
      request({ url: `${BASE}/X?code=a|b&note={{token}}`, status: 200, body: matches(2) }),
      request({ where: 'local', url: `${BASE}/Y?local=only` }),
      request({}),
    ],
    BASE,
    PLACE,
  );
  assert.equal(
    file,
    `# Requests of edgechart, in the order in which they were made.
# It holds no token: replace the values that begin with "paste-your".
# An access token comes from https://x.example/#/developers
@base = https://x.example/fhir/r4
@token = paste-your-token

### 1
# Answered 200 on 2026-08-03 at 10:00:00 UTC
GET {{base}}/Patient/a
Accept: application/fhir+json
Authorization: Bearer {{token}}

### 2
# Answered 200, 2 matches on 2026-08-03 at 10:00:00 UTC
GET {{base}}/X?code=a%7Cb&note=%7B%7Btoken%7D%7D
Accept: application/fhir+json
Authorization: Bearer {{token}}
`,
  );
});

test('a form is sent as it was, with its secrets as variables', () => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Authorization: 'Basic YmFja2Vu…' };
  const sent = 'grant_type=refresh_token&refresh_token=abcdef…&client_secret=&client_id=demo-app';
  const file = httpFile(
    [request({ method: 'POST', url: 'https://x.example/oauth/token', headers, sent })],
    BASE,
    PLACE,
  );
  assert.match(file, /^POST https:\/\/x\.example\/oauth\/token$/m);
  assert.match(
    file,
    /^grant_type=refresh_token&refresh_token={{refresh_token}}&client_secret={{client_secret}}&client_id=demo-app$/m,
  );
  assert.match(file, /^Authorization: Basic \{\{credentials\}\}$/m);
  assert.match(file, /^@refresh_token = paste-your-refresh-token$/m);
  assert.doesNotMatch(file, /abcdef|YmFja|@token/);
});

test('counts, includes, refusals, missing answers and relative addresses are written too', () => {
  const outcome = (more: Partial<Exchange>): string | undefined =>
    /^# (?:Answered|No answer).*?(?= on \d)/m.exec(httpFile([request(more)], BASE, PLACE))?.[0];
  assert.equal(
    outcome({ url: `${BASE}/X?_summary=count`, body: { total: 264, resourceType: 'Bundle' } }),
    '# Answered 200, counts 264',
  );
  assert.equal(outcome({ status: 401, body: undefined }), '# Answered 401');
  assert.equal(outcome({ status: 0, body: undefined }), '# No answer that the page could see');
  const [match, include] = ['match', 'include'].map((mode) => ({
    resource: { resourceType: 'X', id: mode },
    search: { mode },
  }));
  assert.equal(
    outcome({ body: { resourceType: 'Bundle', entry: [match, include] } }),
    '# Answered 200, 1 match, 1 included',
  );
  assert.match(
    httpFile([request({ url: '/sandbox.json' })], BASE, PLACE),
    /^GET https:\/\/x\.example\/sandbox\.json$/m,
  );
  assert.doesNotMatch(httpFile([], BASE, PLACE), /###/);
});

test('the words of the file have the language of the page, and dates do not', () => {
  pageLanguage.value = new Words({ language: 'es', locale: 'es-US', catalogue: spanish });
  const file = httpFile([request({ url: `${BASE}/X?a=b`, body: matches(1) })], BASE, PLACE);
  assert.match(file, /^# Solicitudes de edgechart, en el orden en que se hicieron\.$/m);
  assert.match(file, /^# Respuesta: 200, 1 coincidencia, 2026-08-03, 10:00:00 UTC$/m);
});
