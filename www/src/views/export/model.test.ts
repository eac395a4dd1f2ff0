import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';

const held = new Map<string, string>();
const sessionStorage = {
  getItem: (key: string) => held.get(key) ?? null,
  setItem: (key: string, value: string) => void held.set(key, value),
  removeItem: (key: string) => void held.delete(key),
};
Object.assign(globalThis, { location: new URL('https://x.example/'), window: globalThis, sessionStorage });
const { ExportModel } = await import('./model.ts');

const STATUS = 'https://x.example/export/1';
const CLIENT = { client_id: 'backend', kind: 'backend', secret: 's', scopes: 'system/Patient.read' };
const CONFIGURATION = { issuer: 'https://x.example', token_endpoint: 'https://x.example/token' };
const ANSWERS: Record<string, object> = {
  '/sandbox.json': { base: '', issuer: '', clients: [CLIENT], users: [], patients: [] },
  '/token': { access_token: 't', expires_in: 300 },
};

test('where the page is left while an export starts, its state is asked for once the page is open again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const asked: string[] = [];
  let started: (answer: Response) => void = () => undefined;
  t.mock.method(globalThis, 'fetch', async (url: string) => {
    const path = URL.parse(url, 'https://x.example')?.pathname ?? '';
    if (path.endsWith('/smart-configuration')) return Response.json(CONFIGURATION);
    if (path in ANSWERS) return Response.json(ANSWERS[path]);
    asked.push(path);
    if (path !== '/export/1') return new Promise<Response>((done) => (started = done));
    return new Response(null, { status: 202 });
  });
  const settled = async (): Promise<void> => {
    for (let i = 0; i < 50; i += 1) await turn();
  };
  const model = new ExportModel();
  await settled();
  model.resume();
  void model.start();
  await settled();
  model.rest();
  started(new Response(null, { status: 202, headers: { 'content-location': STATUS } }));
  await settled();
  t.mock.timers.tick(10_000);
  await settled();
  assert.deepEqual(asked, ['/fhir/r4/Patient/$export']);
  assert.equal(model.state.value.is, 'running');
  model.resume();
  t.mock.timers.tick(10_000);
  await settled();
  assert.deepEqual(asked.slice(1), ['/export/1']);
  model.rest();
});
