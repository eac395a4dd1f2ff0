import '../testing.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TYPES } from '../smart/scopes.ts';
import type { Session } from '../smart/session.ts';
import { abilitiesOf } from '../source/abilities.ts';
import * as note from './server-note.ts';

const session: Session = {
  id: 'a',
  generation: 0,
  clientId: 'app',
  issuer: 'https://fhir.example',
  launch: 'patient',
  requested: '',
  scope: '',
  accessToken: 'token',
  refreshToken: 'refresh',
  expiresAt: 1,
  obtainedAt: 0,
  response: {},
};
const configuration = {
  issuer: 'https://fhir.example',
  revocation_endpoint: 'https://fhir.example/revoke',
  end_session_endpoint: 'https://fhir.example/logout',
};
const all = TYPES.map((type) => ({ type, searchInclude: ['*'], searchRevInclude: ['*'] }));
const abilities = (resource: unknown[], fhirVersion = '4.0.1'): ReturnType<typeof abilitiesOf> =>
  abilitiesOf({ fhirVersion, rest: [{ mode: 'server', resource }] });

test('of a server that can do all, nothing is said', () => {
  assert.deepEqual(note.shortcomings({ abilities: abilities(all), configuration, session }), []);
  assert.deepEqual(note.shortcomings({ abilities: undefined, configuration: undefined, session }), []);
});

test('what is missing is said once, in words', () => {
  const { refreshToken: _, ...withoutRefresh } = session;
  const some = all
    .filter(({ type }) => !['CarePlan', 'CareTeam', 'Provenance'].includes(type))
    .map(({ type }) => ({
      type,
      interaction: [{ code: type === 'Device' ? 'read' : 'search-type' }, { code: 'read' }],
    }));
  const facts = { abilities: abilities(some, '5.0.0'), configuration: { issuer: 'x' }, session: withoutRefresh };
  assert.deepEqual(note.shortcomings(facts), [
    'It speaks FHIR 5.0.0. This chart is made for FHIR 4.0.1.',
    'It has no records of these types: Care plan and Care team.',
    'Names of some medications may be missing: this server does not send them along.',
    'This server has records of the type Device, but they cannot be searched.',
    'Who recorded these is not shown: this server does not offer it.',
    'Staying signed in was not granted: the session ends with its first token.',
    'It does not revoke tokens: after a log-out they last until they expire.',
  ]);
  const unknown = note.shortcomings({ abilities: 'unknown', configuration, session });
  assert.deepEqual(unknown, ['It does not say what it can do, so it is asked for everything.']);
});
