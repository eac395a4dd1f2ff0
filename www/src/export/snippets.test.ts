import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { commands, curl, fhirclient, http } from './snippets.ts';

const PLACE = 'https://x.example/#/developers';

test('a copied curl is safe for a shell and has the query exactly', () => {
  const query = "name=O'Brien&code=http://loinc.org|4548-4&date=2020-01-01T00:00:00+01:00";
  const command = curl(`https://x.example/fhir/r4/Patient?${query}`, PLACE);
  assert.match(command, /--data-urlencode 'name=O'\\''Brien'/);
  assert.match(command, /--data-urlencode 'code=http:\/\/loinc\.org\|4548-4'/);
  assert.match(command, /--data-urlencode 'date=2020-01-01T00:00:00\+01:00'/);
  assert.doesNotMatch(curl('https://x.example/fhir/r4/metadata'), /TOKEN|--get/);
});

test('a copied curl takes the token from the environment, and says where it comes from if there is none', () => {
  const run = (env: Record<string, string>): string => {
    // The function stands in for curl.
    const script = `curl() { printf '%s|' "$@"; }\n${curl('https://x.example/fhir/r4/Patient/a', PLACE)}`;
    try {
      return execFileSync('sh', ['-c', script], { env, encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      return String((error as { stderr: string }).stderr);
    }
  };
  assert.match(run({ TOKEN: 'abc' }), /\|-H\|Authorization: Bearer abc\|$/);
  assert.match(run({}), /TOKEN: is not set; an access token comes from https:\/\/x\.example\/#\/developers/);
});

test('the commands for a shell get a token by the client, and ask as they are told', async (t) => {
  const secret = `a"b\\c'd$e`;
  const asked: string[] = [];
  const server = createServer(({ url = '', headers: { authorization } }, answer) => {
    asked.push(`${authorization} ${url}`);
    answer.end(url === '/oauth/token' ? '{"access_token":"the-token","token_type":"Bearer"}' : '{"entry":[]}');
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  t.after(() => server.close());
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const client = { tokenEndpoint: `${origin}/oauth/token`, id: 'app', secret, scope: 'system/*.read' };
  const text = commands(`${origin}/Observation?code=http://loinc.org|1+2&note="quoted"`, { place: PLACE, client });
  const { stdout } = await promisify(execFile)('bash', ['-c', text]);
  assert.equal(stdout, '{"entry":[]}');
  const [token, search = ''] = asked;
  assert.equal(token, `Basic ${btoa(`app:${secret}`)} /oauth/token`);
  const { pathname, searchParams } = new URL(search.replace('Bearer the-token ', ''), origin);
  assert.deepEqual([pathname, ...searchParams.values()], ['/Observation', 'http://loinc.org|1+2', '"quoted"', 'true']);
});

test('the place of tokens cannot end the text that a shell reads', () => {
  assert.match(
    curl('https://x.example/a', 'https://x.example/$(id)"`}'),
    /comes from https:\/\/x\.example\/%24\(id\)%22%60%7D}"$/,
  );
});

test('an .http file has its pipes, braces and line ends encoded, and names the place of tokens', () => {
  const [where, token, blank, request] = http('https://x.example/Observation?code=a|b', PLACE).split('\n');
  assert.deepEqual(
    [where, token, blank, request],
    [
      '# An access token comes from https://x.example/#/developers',
      '@token = paste-your-token',
      '',
      'GET https://x.example/Observation?code=a%7Cb',
    ],
  );
  assert.match(
    http('https://x.example/X?a={{token}}\n###', PLACE),
    /^GET https:\/\/x\.example\/X\?a=%7B%7Btoken%7D%7D%0A###$/m,
  );
});

test('fhirclient reads one resource, or every page of a search', () => {
  const base = 'https://x.example/fhir/r4';
  assert.match(fhirclient(`${base}/Patient/a`, base, PLACE), /client\.request\("Patient\/a"\)/);
  assert.match(fhirclient(`${base}/Patient?_id=a`, base, PLACE), /pageLimit: 0/);
  assert.match(fhirclient(`${base}/Patient?_id=a`, base, PLACE), /^\/\/ https:\/\/x\.example\/#\/developers$/m);
});
