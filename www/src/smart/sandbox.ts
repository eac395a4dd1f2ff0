//! `/sandbox.json`: users, patients and apps of a playground. There is none in production.

import { exchange } from '../source/http.ts';
import { ORIGIN } from './server.ts';

export interface SandboxUser {
  username: string;
  password: string;
  fhirUser?: string;
  patients: string[] | 'all';
}
export interface SandboxClient {
  client_id: string;
  name?: string;
  kind: string;
  secret?: string;
  redirect_uris?: string[];
  launch_uri?: string;
  scopes?: string;
  disabled?: boolean;
}
export interface SandboxPatient {
  id: string;
  shows: string;
}
export interface Sandbox {
  base: string;
  issuer: string;
  clients: SandboxClient[];
  users: SandboxUser[];
  patients: SandboxPatient[];
  launch?: string;
}

let known: Promise<Sandbox> | undefined;

export function sandboxData(): Promise<Sandbox> {
  known ??= ask().catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

async function ask(): Promise<Sandbox> {
  const { status, body } = await exchange('/sandbox.json', { headers: { Accept: 'application/json' } });
  if (status !== 200 || !Array.isArray((body as Sandbox | undefined)?.users))
    throw new Error('This server is no sandbox, or it is out of reach.');
  return body as Sandbox;
}

/** Who fits a launch on its own: patients, or practitioners, first of all one who may see every patient. */
export function fitting(users: SandboxUser[], kind: 'patient' | 'practitioner'): SandboxUser[] {
  const fits = users.filter(({ fhirUser }) => fhirUser?.startsWith(kind === 'patient' ? 'Patient/' : 'Practitioner/'));
  return fits.sort((a, b) => Number(b.patients === 'all') - Number(a.patients === 'all'));
}

/** Apps that an EHR can start from here: their first page is at this origin. */
export const startable = (clients: SandboxClient[]): SandboxClient[] =>
  clients.filter(({ launch_uri: uri, disabled }) => uri && !disabled && new URL(uri).origin === ORIGIN);

/** A user, as people say the name. */
export const spoken = ({ username }: SandboxUser): string => username.charAt(0).toUpperCase() + username.slice(1);

/** Asks the simulator for a launch: `{launch_uri}`. Only an address of this origin is believed. */
export async function simulate(address: string, client: string, user: string, patient: string): Promise<string> {
  const url = new URL(address, location.origin);
  if (url.origin !== location.origin) throw new Error('The simulator is not at this origin.');
  const body = new URLSearchParams({ client_id: client, user, patient }).toString();
  const answer = await exchange(url.href, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
    body,
  });
  const launch = (answer.body as { launch_uri?: string } | undefined)?.launch_uri;
  if (answer.status !== 200 || !launch) throw new Error(`The simulator answered ${answer.status}.`);
  return launch;
}
