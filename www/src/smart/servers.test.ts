import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storageOf } from '../testing.ts';

const stored = { localStorage: new Map<string, string>(), sessionStorage: new Map<string, string>() };
const BASE = 'https://fhir.example/r4';
const known = { base: BASE, clientId: 'app', scopes: 'openid' };
const evil = { base: 'javascript:alert(1)', clientId: 'app', scopes: 'openid' };

// The modules read the storage and the address of the page when they are loaded.
for (const [name, map] of Object.entries(stored))
  Object.defineProperty(globalThis, name, { value: storageOf(map), configurable: true });
Object.assign(globalThis, { location: new URL('https://app.example/other.html') });
stored.localStorage.set('edgechart.servers', JSON.stringify([evil, known]));
stored.sessionStorage.set('edgechart.server', JSON.stringify(known));
const servers = await import('./servers.ts');
const server = await import('./server.ts');
const routes = await import('../routes.ts');

test('the page is for the server that was chosen, and its entries are apart from others', () => {
  assert.deepEqual(server.other, known);
  assert.deepEqual([server.BASE, server.CLIENT_ID], [BASE, 'app']);
  assert.equal(server.REDIRECT, `https://app.example/other.html?at=${BASE}`);
  assert.equal(server.serverKey('edgechart.session'), `edgechart.session ${BASE}`);
  assert.equal(server.OWN_BASE, 'https://app.example/fhir/r4');
  assert.equal(server.redirectFor(server.OWN_BASE), 'https://app.example/callback.html');
  assert.equal(
    new URL(server.redirectFor('https://x.example/a&b+c%20d')).searchParams.get('at'),
    'https://x.example/a&b+c%20d',
  );
});

test('our own origin is no other server', () => {
  assert.equal(server.otherBase('https://app.example/fhir/r4'), undefined);
  assert.equal(server.otherBase('https://app.example/else'), undefined);
  assert.equal(server.otherBase('https://app.example:444/fhir/'), 'https://app.example:444/fhir');
});

test('a session of another server has its addresses on the page for those, and nothing else has', () => {
  const { isRouteOfPage, currentRoute } = routes;
  assert.equal(routes.chartUrl('session', 'a', 'timeline'), '/other.html#/session/chart/a/timeline');
  assert.equal(routes.sessionStartUrl(undefined), '/other.html#/session/patients');
  assert.equal(routes.chartUrl('sample', 'a'), '/#/sample/chart/a');
  const belongs = (hash: string): boolean => isRouteOfPage(currentRoute({ pathname: '/other.html', hash }));
  for (const hash of ['', '#/start/patient', '#/session/chart/a', '#/signed-out']) assert.ok(belongs(hash), hash);
  for (const hash of ['#/sample/chart/a', '#/files', '#/files/chart/1', '#/search', '#/session', '#/home']) {
    assert.ok(!belongs(hash), hash);
  }
  assert.ok(isRouteOfPage(currentRoute({ pathname: '/', hash: '#/files' }), false));
});

test('servers are kept and forgotten by their base; what no person entered is left out', () => {
  const list = (): unknown => JSON.parse(stored.localStorage.get('edgechart.servers') ?? '');
  assert.deepEqual(servers.registrations.value, [known]);
  servers.register({ ...known, clientId: 'new' });
  const second = { base: 'https://other.example', clientId: 'b', scopes: '', name: 'B' };
  servers.register(second);
  assert.deepEqual(list(), [{ ...known, clientId: 'new' }, second]);
  assert.equal(servers.registrationAt(BASE)?.clientId, 'new');
  servers.forget(BASE);
  assert.deepEqual(list(), [second]);
  stored.sessionStorage.set('edgechart.server', JSON.stringify(evil));
  assert.equal(servers.chosenServer(), undefined);
  servers.chooseServer(undefined);
  assert.equal(stored.sessionStorage.size, 0);
});
