//! `/sandbox.json`: the users, patients and apps of a sandbox. There is none in production.

import { boolean, checked, each, either, exactly, list, object, type ShapeValue, string } from '#reading/shape.ts';
import { askedOnce } from '../asked-once.ts';
import { exchange } from '../http/send.ts';
import { t } from '../language/message.ts';
import { ORIGIN } from './server.ts';

const user = object(
  { username: string, name: string, password: string, patients: either(exactly('all'), list(string)) },
  { fhirUser: string },
);
const client = object(
  { client_id: string, kind: string },
  { ...each(string, 'name', 'secret', 'launch_uri', 'scopes'), redirect_uris: list(string), disabled: boolean },
);
const sandbox = object(
  {
    base: string,
    issuer: string,
    clients: list(client),
    users: list(user),
    patients: list(object({ id: string, name: string, deceased: boolean }, { born: string, shows: string })),
  },
  { launch: string, sign_in: string },
);
export type SandboxUser = ShapeValue<typeof user>;
export type SandboxPatient = Sandbox['patients'][number];
export type SandboxClient = ShapeValue<typeof client>;
export type Sandbox = ShapeValue<typeof sandbox>;

export const loadSandbox = askedOnce(async (): Promise<Sandbox> => {
  const { status, body } = await exchange('/sandbox.json', { headers: { Accept: 'application/json' } });
  if (status !== 200) throw new Error(t('This server is not a sandbox, or it is out of reach.'));
  return checked(sandbox, body, 'the sandbox');
});

/** Returns the patients or practitioners for a launch. Users who may see every patient come first. */
export function usersFor(users: SandboxUser[], kind: 'patient' | 'practitioner'): SandboxUser[] {
  const prefix = kind === 'patient' ? 'Patient/' : 'Practitioner/';
  const fit = users.filter(({ fhirUser }) => fhirUser?.startsWith(prefix));
  return fit.sort((a, b) => Number(b.patients === 'all') - Number(a.patients === 'all'));
}

/** Returns the apps that an EHR can start from here. Their launch address is at this origin. */
export const launchableApps = (clients: SandboxClient[]): SandboxClient[] =>
  clients.filter(({ launch_uri: uri, disabled }) => uri && !disabled && URL.parse(uri)?.origin === ORIGIN);

/** Returns the client that gets a token with only its secret. */
export const backendClient = (clients: SandboxClient[]): SandboxClient | undefined =>
  clients.find(({ kind, secret, disabled }) => kind === 'backend' && secret && !disabled);

/** Signs a published user in at the server, which must be at this origin. If that fails, the server's own page asks. */
export async function signInToSandbox({ sign_in: address }: Sandbox, user: SandboxUser): Promise<void> {
  if (!address || URL.parse(address)?.origin !== ORIGIN) return;
  const body = new URLSearchParams({ username: user.username, password: user.password });
  await exchange(address, { method: 'POST', body, credentials: 'same-origin' });
}

const launchAnswer = object({ launch_uri: string });

/** Requests a launch from the simulator, which must be at this origin. Returns the address that starts the app. */
export async function requestLaunch(
  address: string,
  { client, user, patient, encounter }: { client: string; user: string; patient: string; encounter: string },
): Promise<string> {
  const url = new URL(address, location.origin);
  if (url.origin !== location.origin) throw new Error(t('The simulator is not at this origin.'));
  const body = new URLSearchParams({ client_id: client, user, patient, encounter });
  const answer = await exchange(url.href, { method: 'POST', headers: { Accept: 'application/json' }, body });
  if (answer.status !== 200) throw new Error(t('The simulator answered {status}.', { status: String(answer.status) }));
  return checked(launchAnswer, answer.body, 'the answer of the simulator').launch_uri;
}
