import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chartUrl, completedAddress, currentRoute, idInAddress, patientsUrl, sessionStartUrl } from './routes.ts';

const routeAt = (hash: string, pathname = '/'): (string | undefined)[] => {
  const { name, parts, source } = currentRoute({ pathname, hash });
  return [source, name, ...parts];
};

test('an address names the source of its records, the view and its parts', () => {
  assert.deepEqual(routeAt('#/session/chart/a%2Fb/trend/4548-4'), ['session', 'chart', 'a/b', 'trend', '4548-4']);
  assert.deepEqual(routeAt('#/sample/patients'), ['sample', 'patients']);
  assert.deepEqual(routeAt('#/session'), [undefined, 'session']);
  assert.deepEqual(routeAt('', '/callback.html'), [undefined, 'callback']);
  assert.deepEqual(routeAt('', '/elsewhere'), [undefined, 'unknown']);
});

test('the query of an address is behind its fragment', () => {
  const route = currentRoute({ pathname: '/', hash: '#/search?q=Patient%3F_id%3Da' });
  assert.equal(route.query.get('q'), 'Patient?_id=a');
});

test('addresses are written with their parts encoded', () => {
  assert.equal(chartUrl('sample', 'a/b', 'trend', 'x y'), '/#/sample/chart/a%2Fb/trend/x%20y');
  assert.equal(sessionStartUrl('a'), '/#/session/chart/a');
  assert.equal(sessionStartUrl(undefined), patientsUrl('session'));
});

test('an address without a source or a patient is completed', () => {
  const completed = (hash: string, signedIn: boolean): string | undefined =>
    completedAddress(currentRoute({ pathname: '/', hash }), signedIn);
  const expected: Record<string, string | undefined> = {
    '#/chart/a/timeline': '/sample/chart/a/timeline',
    '#/chart/': '/sample/patients',
    '#/chart': '/sample/patients',
    '#/patients': '/sample/patients',
    '#/sample/chart/': '/sample/patients',
    '#/session/chart': '/session/patients',
    '#/session/chart/a': undefined,
    '#/search': undefined,
  };
  for (const [hash, address] of Object.entries(expected)) assert.equal(completed(hash, false), address, hash);
  assert.equal(completed('#/chart/a', true), '/session/chart/a');
});

test('an address of opened files has numbers, and no content of theirs', () => {
  const address = chartUrl('files', 'jane-doe', 'trend', 'HIV 1 RNA');
  assert.match(address, /^\/#\/files\/chart\/\d+\/trend\/\d+$/);
  assert.equal(chartUrl('files', 'jane-doe', 'trend', 'HIV 1 RNA'), address);
  assert.notEqual(chartUrl('files', 'john-doe', 'trend', 'HIV 1 RNA'), address);
  assert.deepEqual(routeAt(address.slice(1)), ['files', 'chart', 'jane-doe', 'trend', 'HIV 1 RNA']);
  assert.deepEqual(routeAt('#/files/chart/999999'), ['files', 'chart', '999999']);
  const visits = `${chartUrl('files', 'jane-doe', 'timeline')}?kind=Visit&compare=${idInAddress('files', 'visit-7')}`;
  assert.doesNotMatch(visits, /jane|visit-7/);
  const { query } = currentRoute({ pathname: '/', hash: visits.slice(1) });
  assert.deepEqual([query.get('kind'), query.get('compare')], ['Visit', 'visit-7']);
  assert.equal(idInAddress('sample', 'visit-7'), 'visit-7');
  assert.deepEqual(routeAt('#/files/patients'), ['files', 'patients']);
  assert.deepEqual(routeAt('#/files'), [undefined, 'files']);
});

test('the address of a record has its id, and of own files numbers alone', () => {
  const record = ['record', 'Condition', 'c-1'] as const;
  assert.equal(chartUrl('sample', 'p-1', ...record), '/#/sample/chart/p-1/record/Condition/c-1');
  const own = chartUrl('files', 'p-1', ...record);
  assert.match(own, /^\/#\/files\/chart\/\d+\/record\/\d+\/\d+$/);
  assert.deepEqual(currentRoute({ pathname: '/', hash: own.slice(1) }).parts, ['p-1', ...record]);
});
