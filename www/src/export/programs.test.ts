import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { type Program, programs } from './programs.ts';

const run = promisify(execFile);
const SECRET = `a"b\\c'd$e`;

/** One Observation that is named only by its coding, and one without a value. */
const RESOURCES = [
  {
    id: 'o1',
    effectiveDateTime: '2024-01-02',
    code: { coding: [{ display: 'Glucose' }] },
    valueQuantity: { value: 5.4, unit: 'mmol/L' },
  },
  { id: 'o2', code: { text: 'Blood culture' } },
];
/** The requests to a server that gives one client a token, and Observations in exchange for the token. */
const asked: string[] = [];
const server = createServer((request, answer) => {
  const { authorization = '' } = request.headers;
  asked.push(`${request.method} ${request.url}`);
  const json = (status: number, body: unknown): void => {
    answer.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
  if (request.url === '/oauth/token') {
    const isClient = authorization === `Basic ${btoa(`app:${SECRET}`)}`;
    json(isClient ? 200 : 401, { access_token: 'the-token', token_type: 'Bearer' });
  } else if (authorization !== 'Bearer the-token') json(401, {});
  else {
    json(200, { entry: RESOURCES.map((resource) => ({ resource })) });
  }
});
let origin = '';
before(async () => {
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
after(() => server.close());

const COMMANDS: Record<Program['language'], [string, string[]]> = {
  curl: ['bash', ['-c']],
  JavaScript: ['node', ['--input-type=module', '-e']],
  Python: ['python3', ['-c']],
};

/** Returns whether a command is installed. */
function isThere(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

for (const [name, withClient] of [
  ['its own token', true],
  ['the token of the environment', false],
] as const) {
  test(`each program asks with ${name}, and prints what it finds`, async () => {
    const url = `${origin}/fhir/r4/Observation?patient=a&code=http://loinc.org|1+2&note="quoted"`;
    const client = { tokenEndpoint: `${origin}/oauth/token`, id: 'app', secret: SECRET, scope: 'system/*.read' };
    const source = { place: 'https://x.example/#/developers', ...(withClient ? { client } : {}) };
    const all = programs(url, source);
    assert.deepEqual(
      all.map(({ language }) => language),
      ['curl', 'JavaScript', 'Python'],
    );
    for (const { language, text } of all) {
      const [command, before] = COMMANDS[language];
      if (!isThere(command)) continue;
      asked.length = 0;
      const env = { ...process.env, TOKEN: withClient ? '' : 'the-token' };
      const { stdout } = await run(command, [...before, text], { env });
      if (language === 'curl') assert.match(stdout, /o1.*2024-01-02.*Glucose/, language);
      else {
        const lines = stdout.split('\n').map((line) => line.trim().replace(/ +/g, ' '));
        assert.deepEqual(lines, ['o1 2024-01-02 Glucose 5.4 mmol/L', 'o2 Blood culture', ''], language);
      }
      const { searchParams } = new URL(asked.at(-1)?.split(' ')[1] ?? '', origin);
      const pretty = language === 'curl' ? ['true'] : [];
      assert.deepEqual([...searchParams.values()], ['a', 'http://loinc.org|1+2', '"quoted"', ...pretty], language);
      assert.equal(asked.length, withClient ? 2 : 1, language);
    }
  });
}
